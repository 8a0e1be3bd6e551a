#include "queue/pump.h"

#include "queue/batch.h"
#include "queue/pass.h"
#include "queue/retry.h"

/* Submits the next tasks of a batch. Returns whether all of them are submitted. */
static bool submit_batch(struct bridge_queue *queue, struct bridge_pool *pool, struct dpubridge_batch *batch)
{
	uint32_t before = batch->next;
	int32_t status = bridge_batch_submit(queue, pool, batch);

	if (batch->next > before)
		queue->is_refused = false;
	if (status != DOCA_SUCCESS)
		bridge_retry_later(queue);
	if (batch->next < batch->count)
		return false;
	bridge_batch_end_if_complete(pool, batch);
	return true;
}

static bool submit(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	struct bridge_pool *pool = bridge_queue_pool(queue, entry);
	int32_t status;

	if (bridge_batch_is(pool->kind->shape, entry))
		return submit_batch(queue, pool, bridge_batch_of(entry));
	status = bridge_task_submit(pool, entry);
	if (bridge_retry_is_due(&queue->pool, status)) {
		bridge_retry_later(queue);
		return false;
	}
	queue->is_refused = false;
	if (status != DOCA_SUCCESS)
		bridge_refuse_kept(queue->pool.bridge, entry, status);
	return true;
}

/* The device has had a part of the batch: ends the rest with the status. */
static void cut_short(struct bridge_queue *queue, const struct dpubridge_entry *entry, int32_t status)
{
	struct dpubridge_batch *batch = bridge_batch_of(entry);

	bridge_batch_fail_rest(batch, status);
	bridge_batch_end_if_complete(bridge_queue_pool(queue, entry), batch);
}

static bool is_begun(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	return bridge_batch_is(bridge_queue_pool(queue, entry)->kind->shape, entry) && bridge_batch_of(entry)->next > 0;
}

static void recall_all(struct bridge_queue *queue)
{
	queue->is_refused = false;
	while (queue->count > 0) {
		struct dpubridge_entry entry = bridge_queue_pop(queue);

		if (is_begun(queue, &entry))
			cut_short(queue, &entry, DOCA_ERROR_SHUTDOWN);
		else
			bridge_refuse_kept(queue->pool.bridge, &entry, DOCA_ERROR_BAD_STATE);
	}
}

static bool may_submit(struct bridge_queue *queue)
{
	return queue->count > 0 && !queue->is_recalled &&
	       bridge_pool_has_task(bridge_queue_pool(queue, bridge_queue_at(queue, 0)));
}

static void submit_waiting(struct bridge_queue *queue)
{
	while (may_submit(queue)) {
		struct dpubridge_entry first = *bridge_queue_at(queue, 0);

		if (submit(queue, &first)) {
			bridge_queue_pop(queue);
			continue;
		}
		/* Without a free task, the first entry is a batch that waits for one. A batch at its limit lets other keys pass. */
		if (may_submit(queue) && queue->pool.kind->shape->key_mask != 0)
			bridge_pass(queue, submit);
		return;
	}
}

void bridge_queue_pump(struct bridge_queue *queue)
{
	if (queue->count == 0 || queue->is_pumping)
		return;
	queue->is_pumping = true;
	queue->is_recalled = false;
	submit_waiting(queue);
	queue->is_pumping = false;
	if (queue->is_recalled)
		recall_all(queue);
}

void bridge_queues_retry(struct dpubridge *bridge)
{
	struct bridge_queue *queue = bridge->refused, *next;

	/* Queues that DOCA refuses again put themselves on the list again. */
	bridge->refused = NULL;
	bridge->num_retries += bridge->num_retries < BRIDGE_FREQUENT_RETRIES;
	for (; queue != NULL; queue = next) {
		next = queue->next_refused;
		queue->is_listed = false;
		bridge_queue_pump(queue);
	}
}

void bridge_queue_recall(struct bridge_queue *queue)
{
	if (queue->is_pumping)
		queue->is_recalled = true;
	else
		recall_all(queue);
}

static bool withdraw(struct bridge_queue *queue, uint32_t index, int32_t status)
{
	struct dpubridge_entry entry = bridge_queue_take_out(queue, index);

	queue->is_refused = false;
	if (is_begun(queue, &entry)) {
		cut_short(queue, &entry, status);
		return false;
	}
	queue->pool.bridge->outstanding--;
	return true;
}

/* Returns the index of the waiting entry with this user data; the number of entries if there is none. */
static uint32_t find(struct bridge_queue *queue, uint64_t user_data)
{
	uint32_t i;

	for (i = 0; i < queue->count && bridge_queue_at(queue, i)->user_data != user_data; i++)
		;
	return i;
}

bool bridge_queue_withdraw(struct bridge_queue *queue, uint64_t user_data, int32_t status)
{
	uint32_t index = find(queue, user_data);

	return index < queue->count && withdraw(queue, index, status);
}

static bool is_behind_its_key(struct bridge_queue *queue, uint32_t index)
{
	uint64_t key = bridge_queue_key(queue, bridge_queue_at(queue, index));
	uint32_t i;

	for (i = 0; i < index; i++)
		if (bridge_queue_key(queue, bridge_queue_at(queue, i)) == key)
			return true;
	return false;
}

bool bridge_queue_reclaim(struct bridge_queue *queue, uint64_t user_data)
{
	uint32_t index = find(queue, user_data);

	if (index == queue->count || !is_behind_its_key(queue, index))
		return false;
	bridge_queue_take_out(queue, index);
	queue->pool.bridge->outstanding--;
	return true;
}

/* Submits a single entry without a detour through the queue. @return 0, or the doca_error_t for the entry's REFUSED record */
static int32_t submit_at_once(struct bridge_queue *queue, struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	int32_t status = bridge_task_submit(pool, entry);

	if (bridge_retry_is_due(pool, status)) {
		bridge_queue_push(queue, entry);
		bridge_retry_later(queue);
		status = DOCA_SUCCESS;
	}
	queue->pool.bridge->outstanding += status == DOCA_SUCCESS;
	return status;
}

int32_t bridge_queue_take(struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	struct bridge_queue *queue;
	bool is_batch;

	if (pool->kind == NULL)
		return DOCA_ERROR_BAD_STATE;
	queue = bridge_queue_of(pool);
	is_batch = bridge_batch_is(pool->kind->shape, entry);
	if (is_batch && !bridge_batch_is_valid(bridge_batch_of(entry)))
		return DOCA_ERROR_INVALID_VALUE;
	if (!bridge_queue_has_room(queue, is_batch))
		return DOCA_ERROR_NO_MEMORY;
	if (!is_batch && queue->count == 0 && bridge_pool_has_task(pool))
		return submit_at_once(queue, pool, entry);
	bridge_queue_push(queue, entry);
	queue->pool.bridge->outstanding++;
	if (is_batch)
		bridge_batch_enter(bridge_batch_of(entry), entry->user_data);
	/* A listed queue is retried at the end of this enter: one retry handles all new entries. */
	if (!queue->is_listed)
		bridge_queue_pump(queue);
	return DOCA_SUCCESS;
}
