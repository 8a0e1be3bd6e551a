#include "queue/batch.h"

#include <stdatomic.h>

#include "queue/retry.h"
#include "ring/ring.h"

/* Each tag is followed by a range for the task numbers. Tags are unique over all bridges. */
static _Atomic uint64_t num_tags;

void bridge_batch_enter(struct dpubridge_batch *batch, uint64_t user_data)
{
	batch->user_data = user_data;
	if (batch->tag == 0)
		batch->tag = (atomic_fetch_add_explicit(&num_tags, 1, memory_order_relaxed) + 1) * DPUBRIDGE_BATCH_TASKS;
}

/* Ends a task that was not submitted. */
static void fail(struct dpubridge_batch *batch, uint32_t number, int32_t status)
{
	*bridge_batch_result(batch, number) = (struct dpubridge_result){ .outcome = -(int64_t)status };
	batch->ended++;
	batch->failures++;
}

void bridge_batch_fail_rest(struct dpubridge_batch *batch, int32_t status)
{
	while (batch->next < batch->count)
		fail(batch, batch->next++, status);
}

/* Resets the destination to length 0; sends have none. */
static int32_t empty_destination(struct doca_buf *dst)
{
	return dst != NULL ? bridge_doca.buf_reset_data_len(dst) : DOCA_SUCCESS;
}

/* Between runs, a source keeps its content, and a destination its first byte. */
static int32_t prepare_buffers(const struct bridge_pool *pool, struct dpubridge_batch *batch, uint32_t number)
{
	const struct dpubridge_entry *entry = bridge_batch_entry(batch, number);
	int32_t status;

	/* A task that is allocated for each entry needs the checks of prepare each time. */
	if (number < batch->prepared && pool->kind->shape->refill != NULL)
		return empty_destination(bridge_buf(entry->dst_buf));
	status = pool->kind->shape->prepare(pool, entry);
	batch->prepared += status == DOCA_SUCCESS && number == batch->prepared;
	return status;
}

/* Sets the buffers of a task, as far as DOCA does not have them. */
static int32_t prepare(struct bridge_pool *pool, struct dpubridge_batch *batch, uint32_t number, struct bridge_task **out)
{
	const struct dpubridge_entry *entry = bridge_batch_entry(batch, number);
	struct bridge_task *task;
	int32_t status = prepare_buffers(pool, batch, number);

	if (status == DOCA_SUCCESS)
		status = bridge_task_take(pool, entry, &task);
	if (status != DOCA_SUCCESS)
		return status;
	task->batch = batch;
	task->tag = batch->tag + number;
	task->dst = bridge_buf(entry->dst_buf);
	task->src_len = entry->src_len;
	*out = task;
	return DOCA_SUCCESS;
}

/* Returns whether a task has the buffers of the number, with the content of the source. */
static bool is_prepared(const struct bridge_task *task, const struct dpubridge_batch *batch, uint32_t number)
{
	return task != NULL && task->tag == batch->tag + number && number < batch->prepared;
}

static int32_t submit_next(struct bridge_pool *pool, struct dpubridge_batch *batch)
{
	struct bridge_task *task = pool->kept;
	int32_t status;

	if (!is_prepared(task, batch, batch->next)) {
		status = prepare(pool, batch, batch->next, &task);
		return status == DOCA_SUCCESS ? bridge_task_launch(pool, task) : status;
	}
	bridge_pool_take_kept(pool);
	status = empty_destination(task->dst);
	if (status == DOCA_SUCCESS)
		return bridge_task_launch(pool, task);
	bridge_task_retire(task);
	return status;
}

/* Returns whether the batch has another task, and the limit permits it. */
static bool may_submit(const struct dpubridge_batch *batch)
{
	return batch->next < batch->count && (batch->limit == 0 || batch->next - batch->ended < batch->limit);
}

int32_t bridge_batch_submit(struct bridge_queue *queue, struct bridge_pool *pool, struct dpubridge_batch *batch)
{
	uint32_t submitted = 0;
	int32_t status = DOCA_SUCCESS;

	while (may_submit(batch) && bridge_pool_has_task(pool) && !queue->is_recalled) {
		status = submit_next(pool, batch);
		if (bridge_retry_is_due(pool, status))
			break;
		batch->next++;
		if (status == DOCA_SUCCESS)
			submitted++;
		else
			fail(batch, batch->next - 1, status);
	}
	bridge_count_many(pool->bridge, DPUBRIDGE_COUNTER_SUBMITTED, submitted);
	return bridge_retry_is_due(pool, status) ? status : DOCA_SUCCESS;
}

void bridge_batch_end(const struct bridge_pool *pool, const struct dpubridge_batch *batch)
{
	const struct dpubridge_record record = {
		.user_data = batch->user_data,
		.context = pool->context,
		.type = DPUBRIDGE_RECORD_TASK_DONE,
		.kind = pool->kind_number,
	};

	pool->bridge->outstanding--;
	bridge_ring_put(pool->bridge, &record);
}

/*
 * Writes the result of a successful task. Writes in place: a copy would read it directly after the stores, and stall the
 * processor. @return 0, or the doca_error_t with which the task fails
 */
static int32_t describe(const struct bridge_task *task, struct dpubridge_result *result)
{
	const struct bridge_kind *kind = task->pool->kind;
	size_t bytes = 0;

	if (kind->copies) {
		result->outcome = (int64_t)task->src_len;
		result->checksum0 = 0;
		result->checksum1 = 0;
		return DOCA_SUCCESS;
	}
	if (task->dst != NULL)
		bridge_doca.buf_get_data_len(task->dst, &bytes);
	result->outcome = (int64_t)bytes;
	if (kind->shape->deliver != NULL)
		return kind->shape->deliver(kind, task->object, bridge_batch_entry(task->batch, bridge_batch_number(task)), result);
	bridge_kind_checksums(kind, task->object, &result->checksum0, &result->checksum1);
	return DOCA_SUCCESS;
}

bool bridge_batch_describe(const struct bridge_task *task, bool has_failed)
{
	struct dpubridge_result *result = bridge_batch_result(task->batch, bridge_batch_number(task));
	int32_t status = has_failed ? bridge_doca.task_get_status(task->base) : describe(task, result);

	if (status != DOCA_SUCCESS)
		*result = (struct dpubridge_result){ .outcome = -(int64_t)status };
	return status != DOCA_SUCCESS;
}
