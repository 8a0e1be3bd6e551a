/* A stop inside a callback always returns IN_PROGRESS, and progress reports IDLE exactly once. */
#include "rig.h"

static int num_idle(const struct rig *rig)
{
	int count = 0;

	for (int i = 0; i < rig->num_states; i++)
		count += rig->states[i] == DOCA_CTX_STATE_IDLE;
	return count;
}

static void free_and_stop(struct rig *rig, struct doca_task *task)
{
	CHECK_EQ(doca_pe_progress(rig->pe), 0); /* refused: not re-entrant */
	doca_task_free(task);
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_STOPPING);
}

static void stop_and_free(struct rig *rig, struct doca_task *task)
{
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	doca_task_free(task);
}

static void stop_when_running(struct rig *rig, enum doca_ctx_states previous, enum doca_ctx_states next)
{
	(void)previous;
	if (next == DOCA_CTX_STATE_RUNNING)
		CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
}

static void run_to_idle(struct rig *rig)
{
	RIG_PROGRESS_UNTIL(rig->pe, rig_state(rig) == DOCA_CTX_STATE_IDLE);
	for (int i = 0; i < 10; i++)
		CHECK_EQ(doca_pe_progress(rig->pe), 0);
	CHECK_EQ(num_idle(rig), 1);
}

int main(void)
{
	struct rig rig;

	rig_open(&rig, 8);
	rig.on_task = free_and_stop;
	CHECK_OK(doca_ctx_start(rig.ctx));
	rig_submit(&rig, 0);
	run_to_idle(&rig);

	rig.num_states = 0;
	rig.on_task = stop_and_free;
	CHECK_OK(doca_ctx_start(rig.ctx));
	for (uint64_t i = 0; i < 5; i++)
		rig_submit(&rig, i);
	run_to_idle(&rig);
	CHECK_EQ(rig.completed + rig.failed, 6);

	rig.num_states = 0;
	rig.on_task = NULL;
	rig.on_state = stop_when_running;
	CHECK_OK(doca_ctx_start(rig.ctx));
	CHECK_EQ(rig_state(&rig), DOCA_CTX_STATE_STOPPING);
	CHECK_EQ(doca_pe_progress(rig.pe), 1);
	run_to_idle(&rig);

	rig.on_state = NULL;
	rig_close(&rig);
	return 0;
}
