#include "sd_task_batch.h"

#include <stdlib.h>

#include "sd_log.h"
#include "sd_shape.h"
#include "sd_task.h"

static struct sd_task_batch_pool *find_pool(const struct doca_ctx *ctx, const struct sd_task_operation *operation)
{
	struct sd_task_batch_pool *pool = ctx->batch_pools;

	while (pool != NULL && pool->tasks.operation != operation)
		pool = pool->next;
	return pool;
}

/* Records the end of one task of a batch; returns 1 if it was the last one. From progress. */
static uint8_t task_ended(struct doca_task *task)
{
	struct doca_task_batch *batch = task->batch;

	if (task->status != DOCA_SUCCESS && batch->status == DOCA_SUCCESS)
		batch->status = task->status;
	if (--batch->num_pending > 0)
		return 0;
	batch->state = SD_TASK_OWNED;
	batch->pool->ended(batch);
	return 1;
}

static struct sd_task_batch_pool *find_or_create_pool(struct doca_ctx *ctx, const struct sd_task_operation *operation)
{
	struct sd_task_batch_pool *pool = find_pool(ctx, operation);

	if (pool != NULL)
		return pool;
	pool = calloc(1, sizeof(*pool));
	if (pool == NULL)
		return NULL;
	pool->tasks.ctx = ctx;
	pool->tasks.operation = operation;
	pool->tasks.ended = task_ended;
	pool->next = ctx->batch_pools;
	ctx->batch_pools = pool;
	return pool;
}

static void empty_pool(struct sd_task_batch_pool *pool)
{
	sd_task_pool_empty(&pool->tasks);
	free(pool->memory);
	pool->memory = NULL;
	pool->free_list = NULL;
}

doca_error_t sd_task_batch_pool_configure(struct doca_ctx *ctx, const struct sd_task_operation *operation,
					  enum doca_task_batch_max_tasks_number maximum, uint32_t num_batches,
					  void (*ended)(struct doca_task_batch *batch))
{
	struct sd_task_batch_pool *pool;
	uint32_t num_tasks;

	if ((unsigned int)maximum > DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128 || num_batches == 0 || ended == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	if (__builtin_mul_overflow(num_batches, 16u << maximum, &num_tasks))
		return DOCA_ERROR_INVALID_VALUE;
	pool = find_or_create_pool(ctx, operation);
	if (pool == NULL)
		return DOCA_ERROR_NO_MEMORY;
	empty_pool(pool);
	pool->ended = ended;
	pool->num_batches = num_batches;
	pool->capacity = (uint16_t)(16u << maximum);
	pool->tasks.num_tasks = num_tasks;
	return DOCA_SUCCESS;
}

static doca_error_t fill_pool(struct sd_task_batch_pool *pool)
{
	if (pool->memory != NULL)
		return DOCA_SUCCESS;
	if (sd_task_pool_fill(&pool->tasks) != DOCA_SUCCESS)
		return DOCA_ERROR_NO_MEMORY;
	pool->stride = sizeof(struct doca_task_batch) + pool->capacity * sizeof(struct doca_task *);
	pool->memory = calloc(pool->num_batches, pool->stride);
	if (pool->memory == NULL)
		return DOCA_ERROR_NO_MEMORY;
	for (uint32_t i = pool->num_batches; i-- > 0;) {
		struct doca_task_batch *batch = (struct doca_task_batch *)(pool->memory + i * pool->stride);

		batch->ctx = pool->tasks.ctx;
		batch->pool = pool;
		batch->next = pool->free_list;
		pool->free_list = batch;
	}
	return DOCA_SUCCESS;
}

doca_error_t sd_task_batch_pools_fill(struct doca_ctx *ctx)
{
	for (struct sd_task_batch_pool *pool = ctx->batch_pools; pool != NULL; pool = pool->next) {
		if (fill_pool(pool) != DOCA_SUCCESS)
			return DOCA_ERROR_NO_MEMORY;
	}
	return DOCA_SUCCESS;
}

void sd_task_batch_pools_free(struct doca_ctx *ctx)
{
	while (ctx->batch_pools != NULL) {
		struct sd_task_batch_pool *pool = ctx->batch_pools;

		ctx->batch_pools = pool->next;
		empty_pool(pool);
		free(pool);
	}
}

doca_error_t sd_task_batch_alloc(struct doca_ctx *ctx, const struct sd_task_operation *operation, uint16_t num_tasks,
				 union doca_data user_data, struct doca_task_batch **batch)
{
	static const union doca_data none;
	struct sd_task_batch_pool *pool;

	if (ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	pool = find_pool(ctx, operation);
	if (pool == NULL || pool->free_list == NULL)
		return DOCA_ERROR_NO_MEMORY;
	if (num_tasks == 0 || num_tasks > pool->capacity)
		return DOCA_ERROR_INVALID_VALUE;
	*batch = pool->free_list;
	pool->free_list = (*batch)->next;
	(*batch)->user_data = user_data;
	(*batch)->status = DOCA_SUCCESS;
	(*batch)->state = SD_TASK_OWNED;
	(*batch)->num_tasks = num_tasks;
	for (uint16_t i = 0; i < num_tasks; i++) {
		(*batch)->tasks[i] = sd_task_pool_take(&pool->tasks, none); /* every place in every batch has a task */
		(*batch)->tasks[i]->batch = *batch;
	}
	sd_task_count_allocated(ctx, 1);
	return DOCA_SUCCESS;
}

void doca_task_batch_free(struct doca_task_batch *task_batch)
{
	if (task_batch == NULL)
		return;
	if (task_batch->state != SD_TASK_OWNED) {
		SD_LOG_ERROR("doca_task_batch_free() of a %s batch %p: refused",
			     task_batch->state == SD_TASK_FREE ? "free" : "submitted", (void *)task_batch);
		return;
	}
	for (uint16_t i = 0; i < task_batch->num_tasks; i++)
		sd_task_pool_put(task_batch->tasks[i]);
	task_batch->state = SD_TASK_FREE;
	task_batch->next = task_batch->pool->free_list;
	task_batch->pool->free_list = task_batch;
	sd_task_count_allocated(task_batch->ctx, -1);
	sd_context_check_idle(task_batch->ctx);
}

doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch)
{
	doca_error_t result;

	if (task_batch == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (task_batch->state != SD_TASK_OWNED || task_batch->ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	/* A fault that refuses one task refuses the batch. */
	for (uint16_t i = 0; i < task_batch->num_tasks; i++) {
		if (sd_task_draw_fault(task_batch->tasks[i]) != DOCA_SUCCESS)
			return DOCA_ERROR_AGAIN;
	}
	result = sd_task_latch(task_batch->tasks[0]);
	if (result == DOCA_ERROR_AGAIN)
		return result;
	task_batch->status = DOCA_SUCCESS;
	task_batch->state = SD_TASK_SUBMITTED;
	task_batch->num_pending = task_batch->num_tasks;
	sd_task_enter(task_batch->tasks[0], result);
	/*
	 * From here on the submission cannot be reverted: a later task that is refused fails with AGAIN, and the batch with it.
	 */
	for (uint16_t i = 1; i < task_batch->num_tasks; i++)
		sd_task_enter(task_batch->tasks[i], sd_task_latch(task_batch->tasks[i]));
	sd_tasks_release_held(task_batch->ctx);
	return DOCA_SUCCESS;
}

doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch)
{
	const struct sd_task_operation *operation;

	if (task_batch == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (task_batch->state != SD_TASK_OWNED || task_batch->ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	operation = task_batch->pool->tasks.operation;
	for (uint16_t i = 0; operation->validate != NULL && i < task_batch->num_tasks; i++) {
		doca_error_t result = operation->validate(task_batch->tasks[i]);

		if (result != DOCA_SUCCESS)
			return result;
	}
	return doca_task_batch_submit(task_batch);
}

SD_PROPERTY(doca_task_batch_get_status, const struct doca_task_batch, doca_error_t, DOCA_ERROR_INVALID_VALUE, object->status)
SD_PROPERTY(doca_task_batch_get_tasks_num, struct doca_task_batch, uint16_t, 0, object->num_tasks)
SD_SETTER(doca_task_batch_set_user_data, struct doca_task_batch, union doca_data, user_data)
SD_PROPERTY(doca_task_batch_get_user_data, const struct doca_task_batch, union doca_data, (union doca_data){ 0 },
	object->user_data)
SD_PROPERTY(doca_task_batch_get_ctx, const struct doca_task_batch, struct doca_ctx *, NULL, object->ctx)
SD_PROPERTY(doca_task_batch_get_ctx_user_data, const struct doca_task_batch, union doca_data, (union doca_data){ 0 },
	object->ctx->user_data)
