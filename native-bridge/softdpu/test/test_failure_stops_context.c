/*
 * A library whose context stops after a failure: the failed task's callback, STOPPING without a call of stop, errors for the
 * other tasks, IDLE. Also: the results that a library's latch may return for a submission.
 */
#include "plain_library.h"

static void failing_task(struct plain *plain)
{
	CHECK_OK(sd_task_pool_configure(&plain->ctx, &fragile_operation, plain_completed, plain_failed, 8));
	CHECK_OK(doca_ctx_start(&plain->ctx));
	CHECK_OK(doca_task_submit(&plain_alloc(plain, &fragile_operation, DOCA_ERROR_IO_FAILED)->base));
	for (int i = 0; i < 3; i++)
		CHECK_OK(doca_task_submit_ex(&plain_alloc(plain, &fragile_operation, DOCA_SUCCESS)->base, 0)); /* held */
	RIG_PROGRESS_UNTIL(plain->pe, plain->failed == 1);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(doca_pe_progress(plain->pe), 1);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_STOPPING);
	RIG_PROGRESS_UNTIL(plain->pe, plain_state(plain) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(plain->failed, 4);
	CHECK_EQ(plain->completed, 0);
	CHECK_EQ(plain->num_states, 3);
	CHECK_EQ(plain->num_stops, 1);
}

static void latches(struct plain *plain)
{
	struct plain_task *task;

	plain->completed = plain->failed = 0;
	CHECK_OK(sd_task_pool_configure(&plain->ctx, &plain_operation, plain_completed, plain_failed, 8));
	CHECK_OK(doca_ctx_start(&plain->ctx));
	task = plain_alloc(plain, &plain_operation, DOCA_SUCCESS);
	task->latch_result = DOCA_ERROR_AGAIN; /* submit returns it, repeatedly */
	CHECK_OK(softdpu_faults_set("*:fail=TIME_OUT:nth=1"));
	CHECK_ERROR(doca_task_submit(&task->base), DOCA_ERROR_AGAIN);
	CHECK_ERROR(doca_task_submit(&task->base), DOCA_ERROR_AGAIN);
	task->latch_result = DOCA_SUCCESS;
	CHECK_OK(doca_task_submit(&task->base)); /* the plan counts it as the first submission */
	RIG_PROGRESS_UNTIL(plain->pe, plain->failed == 1);
	CHECK_EQ(plain->last_status, DOCA_ERROR_TIME_OUT);
	softdpu_faults_clear();

	task = plain_alloc(plain, &plain_operation, DOCA_SUCCESS);
	task->latch_result = DOCA_ERROR_NOT_PERMITTED; /* becomes the task's result */
	task->num_latched = 0;
	CHECK_OK(doca_task_submit(&task->base));
	RIG_PROGRESS_UNTIL(plain->pe, plain->failed == 2);
	CHECK_EQ(plain->last_status, DOCA_ERROR_NOT_PERMITTED);

	task = plain_alloc(plain, &plain_operation, DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_task_try_submit(&task->base), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_task_submit(&task->base));
	RIG_PROGRESS_UNTIL(plain->pe, plain->failed == 3);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_RUNNING);
	CHECK_OK(doca_ctx_stop(&plain->ctx));
}

int main(void)
{
	struct plain plain;
	struct doca_pe *pe;

	CHECK_OK(doca_pe_create(&pe));
	plain_open(&plain, pe);
	failing_task(&plain);
	latches(&plain);
	CHECK_OK(sd_context_fini(&plain.ctx));
	CHECK_OK(doca_pe_destroy(pe));
	rig_check_nothing_is_left();
	return 0;
}
