/* Without FLUSH, tasks are held until a flushed submit, doca_ctx_flush_tasks() or the stop of the context. */
#include "rig.h"

static struct doca_task *submit_with(struct rig *rig, uint64_t n, uint32_t flags)
{
	struct doca_task *task;

	CHECK_OK(rig_alloc(rig, n, &task));
	CHECK_OK(doca_task_submit_ex(task, flags));
	rig_drop_buffers(task);
	return task;
}

static void nothing_completes(struct rig *rig)
{
	for (int i = 0; i < 20; i++)
		CHECK_EQ(doca_pe_progress(rig->pe), 0);
}

static void held_until_flushed(struct rig *rig)
{
	submit_with(rig, 0, DOCA_TASK_SUBMIT_FLAG_NONE);
	submit_with(rig, 1, DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS);
	CHECK_EQ(rig_in_flight(rig), 2);
	nothing_completes(rig);
	doca_ctx_flush_tasks(rig->ctx);
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed == 2);

	submit_with(rig, 2, DOCA_TASK_SUBMIT_FLAG_NONE);
	nothing_completes(rig);
	submit_with(rig, 3, DOCA_TASK_SUBMIT_FLAG_FLUSH);
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed == 4);

	submit_with(rig, 4, DOCA_TASK_SUBMIT_FLAG_NONE);
	rig_submit(rig, 5); /* plain submit flushes */
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed == 6);
	doca_ctx_flush_tasks(rig->ctx);
	nothing_completes(rig);
}

static void unknown_flags_are_refused(struct rig *rig)
{
	struct doca_task *task;

	CHECK_OK(rig_alloc(rig, 0, &task));
	CHECK_ERROR(doca_task_submit_ex(task, 4), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_task_submit_ex(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	doca_task_free(task);
	rig_drop_buffers(task);
}

static void held_tasks_fail_at_stop(struct rig *rig)
{
	submit_with(rig, 0, DOCA_TASK_SUBMIT_FLAG_NONE);
	submit_with(rig, 1, DOCA_TASK_SUBMIT_FLAG_NONE);
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig->pe, rig_state(rig) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig->failed, 2);
	CHECK_EQ(rig->last_status, DOCA_ERROR_IO_FAILED);
}

int main(void)
{
	struct rig rig;

	rig_open(&rig, 8);
	CHECK_OK(doca_ctx_start(rig.ctx));
	held_until_flushed(&rig);
	unknown_flags_are_refused(&rig);
	held_tasks_fail_at_stop(&rig);
	rig_close(&rig);
	return 0;
}
