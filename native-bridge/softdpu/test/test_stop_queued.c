/* A stop with 1000 tasks queued and in flight: each ends exactly once, the unstarted ones with IO_FAILED, then IDLE. */
#include "rig.h"

enum { TASKS = 1000 };

static uint8_t seen[TASKS];

static void note(struct rig *rig, struct doca_task *task)
{
	uint64_t n = doca_task_get_user_data(task).u64;

	(void)rig;
	CHECK(n < TASKS);
	CHECK(!seen[n]);
	seen[n] = 1;
	CHECK(doca_task_get_status(task) == DOCA_SUCCESS || doca_task_get_status(task) == DOCA_ERROR_IO_FAILED);
	doca_task_free(task);
}

static void run(enum softdpu_execution execution)
{
	struct rig rig;

	memset(seen, 0, sizeof(seen));
	CHECK_OK(softdpu_set_execution(execution));
	rig_open(&rig, TASKS);
	rig.on_task = note;
	CHECK_OK(doca_ctx_start(rig.ctx));
	for (uint64_t i = 0; i < TASKS; i++)
		rig_submit(&rig, i);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed >= 10);
	CHECK_ERROR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig.pe, rig_state(&rig) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig.completed + rig.failed, TASKS);
	if (execution == SOFTDPU_EXECUTION_INLINE)
		CHECK_EQ(rig.failed, TASKS - 10);
	rig_check_states(&rig, 3, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
	rig_close(&rig);
}

int main(void)
{
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
