#include "task.h"

#include <stdlib.h>

#include "aside.h"
#include "batch.h"
#include "context.h"
#include "kinds.h"
#include "patience.h"
#include "ring.h"
#include "symbols.h"

/* What DOCA says of a finished task. Runs in the callback, on whichever thread that is. */
static struct dpubridge_record describe(const struct bridge_task *task, uint8_t type)
{
	const struct bridge_kind *kind = task->pool->kind;
	struct dpubridge_record record = {
		.user_data = task->user_data,
		.context = task->pool->context->handle,
		.type = type,
		.kind = task->pool->kind_number,
	};
	size_t produced = 0;

	if (type == DPUBRIDGE_RECORD_TASK_FAILED) {
		record.status = bridge_doca.task_get_status(task->base);
		return record;
	}
	if (task->dst != NULL)
		bridge_doca.buf_get_data_len(task->dst, &produced);
	record.produced = produced;
	if (kind->shape->describe != NULL)
		kind->shape->describe(kind, task->object, &record);
	return record;
}

/* The same for a task of a batch: into its result, which nobody looks at before the batch has ended. */
static void describe_in_batch(const struct bridge_task *task, uint8_t type)
{
	const struct bridge_kind *kind = task->pool->kind;
	struct dpubridge_result *result = bridge_batch_result(task->batch, task->number);
	size_t produced = 0;

	result->checksum0 = 0;
	result->checksum1 = 0;
	if (type == DPUBRIDGE_RECORD_TASK_FAILED) {
		result->status = bridge_doca.task_get_status(task->base);
	} else {
		bridge_doca.buf_get_data_len(task->dst, &produced);
		kind->shape->checksums(kind, task->object, &result->checksum0, &result->checksum1);
		result->status = DOCA_SUCCESS;
	}
	result->produced = produced;
}

static void finished(struct bridge_task *task, uint8_t type)
{
	struct dpubridge *bridge = task->pool->context->bridge;
	bool is_owner = bridge_is_owner(bridge);

	if (task->batch != NULL)
		describe_in_batch(task, type);
	else
		task->aside.record = describe(task, type);
	if (is_owner)
		bridge_task_answer(task);
	else
		bridge_aside_put_task(bridge, &task->aside);
}

static void task_done(void *object, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)object;
	(void)ctx_user_data;
	finished(task_user_data.ptr, DPUBRIDGE_RECORD_TASK_DONE);
}

static void task_failed(void *object, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)object;
	(void)ctx_user_data;
	finished(task_user_data.ptr, DPUBRIDGE_RECORD_TASK_FAILED);
}

static void push(struct bridge_task **list, struct bridge_task *task)
{
	task->next = *list;
	*list = task;
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
	push(&pool->bare, task);
	pool->num_allocated--;
	/* Last: this may take the context to IDLE. */
	bridge_doca.task_free(base);
}

static void retire(struct bridge_pool *pool, struct bridge_task *task)
{
	if (pool->context->is_draining || pool->kind->shape->refill == NULL)
		free_task(pool, task);
	else
		push(&pool->kept, task);
}

void bridge_task_end_batch(struct bridge_pool *pool, uint64_t user_data)
{
	struct dpubridge *bridge = pool->context->bridge;
	struct dpubridge_record record = {
		.user_data = user_data,
		.context = pool->context->handle,
		.type = DPUBRIDGE_RECORD_TASK_DONE,
		.kind = pool->kind_number,
	};

	bridge->outstanding--;
	bridge_ring_put(bridge, &record);
}

static void answer(const struct bridge_task *task)
{
	struct dpubridge *bridge = task->pool->context->bridge;

	if (task->batch == NULL) {
		bridge->outstanding--;
		bridge_ring_put(bridge, &task->aside.record);
		return;
	}
	bridge_batch_ended(task->batch, bridge_batch_result(task->batch, task->number));
	if (bridge_batch_has_ended(task->batch))
		bridge_task_end_batch(task->pool, task->user_data);
}

void bridge_task_answer(struct bridge_task *task)
{
	struct bridge_pool *pool = task->pool;

	answer(task);
	bridge_count(pool->context->bridge, DPUBRIDGE_COUNTER_COMPLETED);
	pool->context->inflight--;
	retire(pool, task);
	bridge_queue_pump(pool);
}

/* A task that fits the entry: a kept one, refilled, or a new one. */
static int32_t take(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out)
{
	const struct bridge_kind *kind = pool->kind;
	struct bridge_task *task = pop(&pool->kept);
	int32_t status;

	if (task != NULL) {
		kind->shape->refill(kind, task->object, entry);
		*out = task;
		return DOCA_SUCCESS;
	}
	task = pop(&pool->bare);
	if (task == NULL)
		return DOCA_ERROR_NO_MEMORY;
	status = kind->shape->alloc(kind, pool->context, entry, (union doca_data){ .ptr = task }, &task->object);
	if (status != DOCA_SUCCESS) {
		push(&pool->bare, task);
		return status;
	}
	task->base = kind->call.as_task(task->object);
	pool->num_allocated++;
	*out = task;
	return DOCA_SUCCESS;
}

int32_t bridge_task_submit(struct bridge_pool *pool, const struct dpubridge_entry *entry, uint64_t user_data,
			   struct dpubridge_batch *batch, uint32_t number)
{
	struct bridge_context *context = pool->context;
	struct bridge_task *task;
	int32_t status = pool->kind->shape->prepare(context, entry);

	if (status == DOCA_SUCCESS)
		status = take(pool, entry, &task);
	if (status != DOCA_SUCCESS)
		return status;
	/* Before submission: from then on the task may finish on another thread. */
	task->user_data = user_data;
	task->batch = batch;
	task->number = number;
	task->dst = pool->kind->shape->has_destination ? bridge_buf(entry->dst_buf) : NULL;
	context->inflight++;
	status = bridge_doca.task_submit(task->base);
	if (status == DOCA_SUCCESS) {
		bridge_count(context->bridge, DPUBRIDGE_COUNTER_SUBMITTED);
		return status;
	}
	context->inflight--;
	retire(pool, task);
	return status;
}

static void fill_cells(struct bridge_pool *pool, uint32_t num_tasks)
{
	uint32_t i;

	/* Downwards, so that tasks are taken in the order of memory. */
	for (i = num_tasks; i-- > 0;) {
		struct bridge_task *task = &pool->cells[i];

		task->pool = pool;
		task->aside.task = task;
		task->aside.context = pool->context;
		push(&pool->bare, task);
	}
}

int32_t bridge_pool_configure(struct bridge_pool *pool, struct bridge_context *context, uint16_t kind, uint32_t num_tasks)
{
	const struct bridge_kind *row = bridge_kind_find(kind);
	struct bridge_task *cells;
	int32_t status;

	if (pool->num_allocated != 0 || pool->queue.count != 0)
		return DOCA_ERROR_IN_USE;
	cells = calloc(num_tasks, sizeof(*cells));
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
	struct bridge_task *task;

	while ((task = pop(&pool->kept)) != NULL)
		free_task(pool, task);
}

void bridge_pool_fini(struct bridge_pool *pool)
{
	free(pool->cells);
	free(pool->queue.entries);
	bridge_patience_fini(pool);
	*pool = (struct bridge_pool){ .kind = NULL };
}
