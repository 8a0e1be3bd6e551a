#include <stdlib.h>
#include <string.h>

#include "sd_calls.h"
#include "sd_census.h"
#include "sd_engine.h"
#include "sd_task.h"

static struct sd_task_pool *find_pool(const struct doca_ctx *ctx, const struct sd_task_operation *operation)
{
	struct sd_task_pool *pool = ctx->pools;

	while (pool != NULL && pool->operation != operation)
		pool = pool->next;
	return pool;
}

static struct sd_task_pool *find_or_create_pool(struct doca_ctx *ctx, const struct sd_task_operation *operation)
{
	struct sd_task_pool *pool = find_pool(ctx, operation);

	if (pool != NULL)
		return pool;
	pool = calloc(1, sizeof(*pool));
	if (pool == NULL)
		return NULL;
	pool->ctx = ctx;
	pool->operation = operation;
	pool->next = ctx->pools;
	ctx->pools = pool;
	return pool;
}

static void empty(struct sd_task_pool *pool)
{
	for (uint32_t i = 0; pool->memory != NULL && sd_calls_is_on() && i < pool->num_tasks; i++)
		sd_calls_remove(pool->memory + i * pool->stride);
	free(pool->memory);
	pool->memory = NULL;
	pool->free_list = NULL;
}

doca_error_t sd_task_pool_configure(struct doca_ctx *ctx, const struct sd_task_operation *operation,
				    doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks)
{
	struct sd_task_pool *pool;

	if (completed == NULL || failed == NULL || num_tasks == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	pool = find_or_create_pool(ctx, operation);
	if (pool == NULL)
		return DOCA_ERROR_NO_MEMORY;
	if (pool->num_tasks != num_tasks)
		empty(pool);
	pool->num_tasks = num_tasks;
	pool->completed = completed;
	pool->failed = failed;
	return DOCA_SUCCESS;
}

uint64_t sd_task_pools_sum_except(const struct doca_ctx *ctx, const struct sd_task_operation *operation)
{
	uint64_t sum = 0;

	for (const struct sd_task_pool *pool = ctx->pools; pool != NULL; pool = pool->next) {
		if (pool->operation != operation)
			sum += pool->num_tasks;
	}
	return sum;
}

/* Creates the tasks of a pool, all free, unless the pool has them already. */
static doca_error_t fill(struct sd_task_pool *pool)
{
	size_t size = pool->operation->task_size;

	if (pool->memory != NULL)
		return DOCA_SUCCESS;
	pool->stride = (size + SD_TASK_ALIGNMENT - 1) / SD_TASK_ALIGNMENT * SD_TASK_ALIGNMENT;
	if (posix_memalign((void **)&pool->memory, SD_TASK_ALIGNMENT, pool->stride * pool->num_tasks) != 0) {
		pool->memory = NULL;
		return DOCA_ERROR_NO_MEMORY;
	}
	memset(pool->memory, 0, pool->stride * pool->num_tasks);
	pool->free_list = NULL;
	for (uint32_t i = pool->num_tasks; i-- > 0;) {
		struct doca_task *task = (struct doca_task *)(pool->memory + i * pool->stride);

		task->pool = pool;
		task->ctx = pool->ctx;
		task->event.ctx = pool->ctx;
		task->next = pool->free_list;
		pool->free_list = task;
	}
	return DOCA_SUCCESS;
}

doca_error_t sd_task_pools_fill(struct doca_ctx *ctx)
{
	for (struct sd_task_pool *pool = ctx->pools; pool != NULL; pool = pool->next) {
		if (fill(pool) != DOCA_SUCCESS)
			return DOCA_ERROR_NO_MEMORY;
	}
	return DOCA_SUCCESS;
}

void sd_task_pools_free(struct doca_ctx *ctx)
{
	while (ctx->pools != NULL) {
		struct sd_task_pool *pool = ctx->pools;

		ctx->pools = pool->next;
		empty(pool);
		free(pool);
	}
}

/* Removes a task from the free list; NULL: the list is empty. */
static struct doca_task *take(struct sd_task_pool *pool, union doca_data user_data)
{
	struct doca_task *task = pool->free_list;

	if (task == NULL)
		return NULL;
	pool->free_list = task->next;
	task->next = NULL;
	task->user_data = user_data;
	task->status = DOCA_SUCCESS;
	task->state = SD_TASK_OWNED;
	task->is_fault_drawn = 0;
	task->fault.twice = 0;
	return task;
}

void sd_task_pool_put(struct doca_task *task)
{
	task->state = SD_TASK_FREE;
	task->next = task->pool->free_list;
	task->pool->free_list = task;
}

void sd_task_count_inflight(struct doca_task *task, int change)
{
	task->ctx->num_inflight += (size_t)change;
	task->ctx->pe->num_inflight += (size_t)change;
	sd_census_add(SD_CENSUS_TASKS_IN_FLIGHT, change);
}

void sd_task_count_allocated(struct doca_ctx *ctx, int change)
{
	ctx->num_allocated += (size_t)change;
	sd_census_add(SD_CENSUS_TASKS, change);
}

doca_error_t sd_task_alloc(struct doca_ctx *ctx, const struct sd_task_operation *operation, union doca_data user_data,
			   struct doca_task **task)
{
	struct sd_task_pool *pool;
	doca_error_t result;

	if (ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	result = sd_fault_alloc("alloc-task");
	if (result != DOCA_SUCCESS)
		return result;
	pool = find_pool(ctx, operation);
	*task = pool == NULL ? NULL : take(pool, user_data);
	if (*task == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sd_task_count_allocated(ctx, 1);
	sd_calls_created(operation->name, *task);
	sd_calls_moved(*task, ctx->pe->host);
	return DOCA_SUCCESS;
}
