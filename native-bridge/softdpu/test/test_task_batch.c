/* Batches: allocated from a separate pool, submitted and reported together, failed by any of their tasks. */
#include "plain_library.h"
#include "sd_task_batch.h"

static int num_ended;
static doca_error_t batch_status;

static void ended(struct doca_task_batch *batch)
{
	num_ended++;
	batch_status = doca_task_batch_get_status(batch);
}

static struct doca_task_batch *alloc_batch(struct plain *plain, uint16_t num_tasks)
{
	union doca_data data = { .u64 = num_tasks };
	struct doca_task_batch *batch;

	CHECK_OK(sd_task_batch_alloc(&plain->ctx, &plain_operation, num_tasks, data, &batch));
	for (uint16_t i = 0; i < num_tasks; i++) {
		((struct plain_task *)batch->tasks[i])->latch_result = DOCA_SUCCESS;
		((struct plain_task *)batch->tasks[i])->result = DOCA_SUCCESS;
	}
	return batch;
}

static void progress_to_end(struct plain *plain, int expected)
{
	RIG_PROGRESS_UNTIL(plain->pe, num_ended == expected);
	CHECK_EQ(doca_pe_progress(plain->pe), 0);
}

static void properties(struct plain *plain)
{
	struct doca_task_batch *batch = alloc_batch(plain, 5);
	union doca_data data = { .u64 = 77 };

	CHECK_EQ(doca_task_batch_get_tasks_num(batch), 5);
	CHECK_EQ(doca_task_batch_get_user_data(batch).u64, 5);
	doca_task_batch_set_user_data(batch, data);
	CHECK_EQ(doca_task_batch_get_user_data(batch).u64, 77);
	CHECK(doca_task_batch_get_ctx(batch) == &plain->ctx);
	CHECK(doca_task_batch_get_ctx_user_data(batch).ptr == plain);
	doca_task_batch_free(batch);
	doca_task_batch_free(batch); /* refused */
}

static void limits(struct plain *plain)
{
	union doca_data none = { 0 };
	struct doca_task_batch *first, *second, *batch;

	CHECK_ERROR(sd_task_batch_alloc(&plain->ctx, &plain_operation, 0, none, &batch), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(sd_task_batch_alloc(&plain->ctx, &plain_operation, 33, none, &batch), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(sd_task_batch_alloc(&plain->ctx, &fragile_operation, 1, none, &batch), DOCA_ERROR_NO_MEMORY);
	first = alloc_batch(plain, 32);
	second = alloc_batch(plain, 32);
	CHECK_ERROR(sd_task_batch_alloc(&plain->ctx, &plain_operation, 1, none, &batch), DOCA_ERROR_NO_MEMORY);
	doca_task_batch_free(first);
	doca_task_batch_free(second);
}

static void submission(struct plain *plain)
{
	struct doca_task_batch *batch = alloc_batch(plain, 20);
	size_t in_flight;

	CHECK_OK(doca_task_batch_try_submit(batch));
	CHECK_ERROR(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
	doca_task_batch_free(batch); /* refused: in flight */
	CHECK_OK(doca_ctx_get_num_inflight_tasks(&plain->ctx, &in_flight));
	CHECK_EQ(in_flight, 20);
	progress_to_end(plain, 1);
	CHECK_OK(batch_status);
	CHECK_OK(doca_task_batch_submit(batch)); /* the same batch again */
	progress_to_end(plain, 2);
	((struct plain_task *)batch->tasks[7])->result = DOCA_ERROR_IO_FAILED;
	CHECK_ERROR(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_task_batch_submit(batch));
	progress_to_end(plain, 3);
	CHECK_EQ(batch_status, DOCA_ERROR_IO_FAILED);
	CHECK_OK(batch->tasks[6]->status);
	((struct plain_task *)batch->tasks[0])->latch_result = DOCA_ERROR_AGAIN;
	CHECK_ERROR(doca_task_batch_submit(batch), DOCA_ERROR_AGAIN);
	CHECK_OK(doca_ctx_get_num_inflight_tasks(&plain->ctx, &in_flight));
	CHECK_EQ(in_flight, 0);
	CHECK_OK(softdpu_faults_set("plain:again:nth=9"));
	((struct plain_task *)batch->tasks[0])->latch_result = DOCA_SUCCESS;
	((struct plain_task *)batch->tasks[7])->result = DOCA_SUCCESS;
	doca_task_batch_free(batch);
	batch = alloc_batch(plain, 20);
	CHECK_ERROR(doca_task_batch_submit(batch), DOCA_ERROR_AGAIN);
	CHECK_OK(doca_task_batch_submit(batch));
	progress_to_end(plain, 4);
	CHECK_OK(batch_status);
	softdpu_faults_clear();
	doca_task_batch_free(batch);
}

/* A batch keeps its context from IDLE until it is freed; its unstarted tasks are flushed. */
static void stop(struct plain *plain)
{
	struct doca_task_batch *batch = alloc_batch(plain, 32);

	CHECK_OK(doca_task_batch_submit(batch));
	CHECK_ERROR(doca_ctx_stop(&plain->ctx), DOCA_ERROR_IN_PROGRESS);
	progress_to_end(plain, 5);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_STOPPING);
	CHECK_ERROR(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
	doca_task_batch_free(batch);
	CHECK_EQ(doca_pe_progress(plain->pe), 1);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_IDLE);
}

int main(void)
{
	struct plain plain;
	struct doca_pe *pe;

	CHECK_OK(doca_pe_create(&pe));
	plain_open(&plain, pe);
	CHECK_ERROR(sd_task_batch_pool_configure(&plain.ctx, &plain_operation, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32, 0, ended),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(sd_task_batch_pool_configure(&plain.ctx, &plain_operation, (enum doca_task_batch_max_tasks_number)4, 1,
						 ended),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(sd_task_batch_pool_configure(&plain.ctx, &plain_operation, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32, 2, ended));
	CHECK_OK(doca_ctx_start(&plain.ctx));
	properties(&plain);
	limits(&plain);
	submission(&plain);
	stop(&plain);
	CHECK_OK(sd_context_fini(&plain.ctx));
	CHECK_OK(doca_pe_destroy(pe));
	rig_check_nothing_is_left();
	return 0;
}
