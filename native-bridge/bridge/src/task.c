#include "task.h"

#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "context.h"
#include "kinds.h"
#include "overflow.h"
#include "retry_budget.h"
#include "ring.h"
#include "symbols.h"

/*
 * Writes the record of a finished task. Runs in the callback, on any thread. Writes field by field in place: a copy right
 * after the stores would stall the processor.
 */
static void describe(const struct bridge_task *task, uint8_t type, struct dpubridge_record *record)
{
	const struct bridge_kind *kind = task->pool->kind;
	bool has_failed = type == DPUBRIDGE_RECORD_TASK_FAILED;
	size_t produced = 0;

	record->user_data = task->user_data;
	record->context = task->pool->context->handle;
	record->type = type;
	record->immediate_length = 0;
	record->kind = task->pool->kind_number;
	record->status = has_failed ? bridge_doca.task_get_status(task->base) : DOCA_SUCCESS;
	record->states = 0;
	if (!has_failed && task->dst != NULL)
		bridge_doca.buf_get_data_len(task->dst, &produced);
	record->produced = produced;
	memset(record->immediate, 0, sizeof(record->immediate));
	if (!has_failed && kind->shape->describe != NULL)
		kind->shape->describe(kind, task->object, record);
}

/* Owner. */
static void end_task(struct bridge_task *task)
{
	struct bridge_pool *pool = task->pool;
	struct dpubridge *bridge = pool->context->bridge;

	bridge->outstanding--;
	bridge_count(bridge, DPUBRIDGE_COUNTER_COMPLETED);
	pool->inflight--;
	bridge_task_retire(task);
	bridge_queue_pump(pool);
}

static void finished(struct bridge_task *task, uint8_t type)
{
	struct dpubridge *bridge = task->pool->context->bridge;

	if (!bridge_is_owner(bridge)) {
		describe(task, type, &task->overflow.record);
		bridge_overflow_put_task(bridge, &task->overflow);
		return;
	}
	describe(task, type, bridge_ring_next(bridge));
	bridge_ring_push(bridge);
	end_task(task);
}

static void task_done(void *object, union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct bridge_task *task = task_user_data.ptr;

	(void)object;
	(void)ctx_user_data;
	if (task->batch != NULL)
		bridge_batch_finished(task, false);
	else
		finished(task, DPUBRIDGE_RECORD_TASK_DONE);
}

static void task_failed(void *object, union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct bridge_task *task = task_user_data.ptr;

	(void)object;
	(void)ctx_user_data;
	if (task->batch != NULL)
		bridge_batch_finished(task, true);
	else
		finished(task, DPUBRIDGE_RECORD_TASK_FAILED);
}

static struct bridge_task *pop(struct bridge_task **list)
{
	struct bridge_task *task = *list;

	if (task != NULL)
		*list = task->next;
	return task;
}

static void free_task(struct bridge_pool *pool, struct bridge_task *task)
{
	struct doca_task *base = task->base;

	task->object = NULL;
	task->base = NULL;
	bridge_task_push(&pool->bare, task);
	pool->num_allocated--;
	/* Last: this call may take the context to IDLE. */
	bridge_doca.task_free(base);
}

void bridge_task_retire(struct bridge_task *task)
{
	struct bridge_pool *pool = task->pool;

	if (pool->context->is_draining || pool->kind->shape->refill == NULL)
		free_task(pool, task);
	else
		bridge_pool_keep(pool, task);
}

void bridge_task_answer(struct bridge_task *task)
{
	if (task->batch != NULL) {
		bridge_batch_answer(task);
		return;
	}
	bridge_ring_put(task->pool->context->bridge, &task->overflow.record);
	end_task(task);
}

static int32_t refill_kept(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out)
{
	struct bridge_task *task = pool->kept;

	bridge_pool_take_kept(pool);
	pool->kind->shape->refill(pool->kind, task->object, entry);
	*out = task;
	return DOCA_SUCCESS;
}

int32_t bridge_task_take(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out)
{
	const struct bridge_kind *kind = pool->kind;
	struct bridge_task *task;
	int32_t status;

	if (pool->kept != NULL)
		return refill_kept(pool, entry, out);
	task = pop(&pool->bare);
	if (task == NULL)
		return DOCA_ERROR_NO_MEMORY;
	status = kind->shape->alloc(kind, pool->context, entry, (union doca_data){ .ptr = task }, &task->object);
	if (status != DOCA_SUCCESS) {
		bridge_task_push(&pool->bare, task);
		return status;
	}
	task->base = kind->call.as_task(task->object);
	pool->num_allocated++;
	*out = task;
	return DOCA_SUCCESS;
}

int32_t bridge_task_submit(struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	struct bridge_task *task;
	int32_t status = pool->kind->shape->prepare(pool->context, entry);

	if (status == DOCA_SUCCESS)
		status = bridge_task_take(pool, entry, &task);
	if (status != DOCA_SUCCESS)
		return status;
	task->user_data = entry->user_data;
	task->batch = NULL;
	task->tag = 0;
	task->dst = pool->kind->shape->has_destination ? bridge_buf(entry->dst_buf) : NULL;
	status = bridge_task_launch(pool, task);
	if (status == DOCA_SUCCESS)
		bridge_count(pool->context->bridge, DPUBRIDGE_COUNTER_SUBMITTED);
	return status;
}

static void fill_cells(struct bridge_pool *pool, uint32_t num_tasks)
{
	uint32_t i;

	/* Downwards, so that the list is in memory order. */
	for (i = num_tasks; i-- > 0;) {
		struct bridge_task *task = &pool->cells[i];

		task->pool = pool;
		task->overflow.task = task;
		task->overflow.context = pool->context;
		bridge_task_push(&pool->bare, task);
	}
}

static struct bridge_task *alloc_cells(uint32_t num_tasks)
{
	size_t bytes = num_tasks * sizeof(struct bridge_task);
	struct bridge_task *cells = aligned_alloc(alignof(struct bridge_task), bytes);

	if (cells != NULL)
		memset(cells, 0, bytes);
	return cells;
}

int32_t bridge_pool_configure(struct bridge_pool *pool, struct bridge_context *context, uint16_t kind, uint32_t num_tasks)
{
	const struct bridge_kind *row = bridge_kind_find(kind);
	struct bridge_task *cells;
	int32_t status;

	if (pool->num_allocated != 0 || pool->queue.count != 0)
		return DOCA_ERROR_IN_USE;
	cells = alloc_cells(num_tasks);
	if (cells == NULL)
		return DOCA_ERROR_NO_MEMORY;
	status = row->call.set_conf(context->object, task_done, task_failed, num_tasks);
	if (status != DOCA_SUCCESS) {
		free(cells);
		return status;
	}
	bridge_pool_fini(pool);
	*pool = (struct bridge_pool){ .kind = row, .context = context, .cells = cells, .kind_number = kind };
	fill_cells(pool, num_tasks);
	return DOCA_SUCCESS;
}

void bridge_pool_free_kept(struct bridge_pool *pool)
{
	while (pool->kept != NULL) {
		struct bridge_task *task = pool->kept;

		bridge_pool_take_kept(pool);
		free_task(pool, task);
	}
}

void bridge_pool_fini(struct bridge_pool *pool)
{
	free(pool->cells);
	bridge_queue_fini(&pool->queue);
	bridge_retry_fini(pool);
	*pool = (struct bridge_pool){ .kind = NULL };
}
