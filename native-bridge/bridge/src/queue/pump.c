#include "queue/pump.h"

#include "queue/batch.h"
#include "queue/pass.h"

/* Refuses the entries behind a held back entry that must not overtake it. */
static void refuse_followers(struct bridge_queue *queue, const struct dpubridge_entry *first, int32_t status)
{
	const struct bridge_kind *kind = queue->pool.kind;
	uint64_t order = bridge_order_of(kind, first);
	uint32_t left;

	for (left = queue->count; left > 0; left--) {
		struct dpubridge_entry entry = bridge_queue_pop(queue);

		if (bridge_order_of(kind, &entry) == order)
			bridge_refuse_kept(queue->pool.bridge, &entry, status);
		else
			bridge_queue_push(queue, &entry);
	}
}

/* Refuses an entry that was removed from the queue, and the entries that must not overtake it. */
static void answer_refused(struct bridge_queue *queue, const struct dpubridge_entry *entry, int32_t status)
{
	struct dpubridge *bridge = queue->pool.bridge;
	bool holds_back = bridge_order_note(bridge, queue->hold, queue->pool.kind, entry, status);

	bridge_refuse_kept(bridge, entry, status);
	if (holds_back)
		refuse_followers(queue, entry, status);
}

static void submit_single(struct bridge_queue *queue)
{
	struct dpubridge_entry entry = bridge_queue_pop(queue);
	int32_t status = bridge_task_submit(&queue->pool, &entry);

	if (status != DOCA_SUCCESS)
		answer_refused(queue, &entry, status);
}

/* The device accepts no more. While it has tasks of the batch, the end of one of them submits the next. */
static void hold_back(struct bridge_queue *queue, struct dpubridge_batch *batch)
{
	struct dpubridge_entry entry;

	if (bridge_batch_is_in_flight(batch))
		return;
	entry = bridge_queue_pop(queue);
	answer_refused(queue, &entry, DOCA_ERROR_AGAIN);
}

/* Submits the next tasks of the batch at the head. Returns false when the device accepts no more. */
static bool submit_of_batch(struct bridge_queue *queue)
{
	struct dpubridge_batch *batch = bridge_batch_of(bridge_queue_at(queue, 0));

	if (bridge_batch_submit(queue, batch) == DOCA_ERROR_AGAIN) {
		hold_back(queue, batch);
		return false;
	}
	if (batch->next == batch->count) {
		bridge_queue_pop(queue);
		bridge_batch_end_if_complete(&queue->pool, batch);
	}
	return true;
}

/* The device has had a part of the batch: ends the rest with the status. */
static void cut_short(struct bridge_queue *queue, const struct dpubridge_entry *entry, int32_t status)
{
	struct dpubridge_batch *batch = bridge_batch_of(entry);

	bridge_batch_fail_rest(batch, status);
	bridge_batch_end_if_complete(&queue->pool, batch);
}

static bool is_begun(const struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	return bridge_batch_is(queue->pool.kind->shape, entry) && bridge_batch_of(entry)->next > 0;
}

static void recall_all(struct bridge_queue *queue)
{
	while (queue->count > 0) {
		struct dpubridge_entry entry = bridge_queue_pop(queue);

		if (is_begun(queue, &entry))
			cut_short(queue, &entry, DOCA_ERROR_BAD_STATE);
		else
			bridge_refuse_kept(queue->pool.bridge, &entry, DOCA_ERROR_BAD_STATE);
	}
}

void bridge_queue_pump(struct bridge_queue *queue)
{
	bool continues = true;

	if (queue->count == 0 || queue->is_pumping)
		return;
	queue->is_pumping = true;
	queue->is_recalled = false;
	if (queue->retry_budget != NULL)
		bridge_pass(queue);
	while (queue->retry_budget == NULL && continues && !queue->is_recalled && queue->count > 0 &&
	       bridge_pool_has_task(&queue->pool)) {
		if (bridge_batch_is(queue->pool.kind->shape, bridge_queue_at(queue, 0)))
			continues = submit_of_batch(queue);
		else
			submit_single(queue);
	}
	queue->is_pumping = false;
	if (queue->is_recalled)
		recall_all(queue);
}

void bridge_queues_retry(struct dpubridge *bridge)
{
	struct bridge_retry_budget *budget = bridge->stalled, *next;

	/* Queues that still have to wait put themselves on the list again. */
	bridge->stalled = NULL;
	for (; budget != NULL; budget = next) {
		next = budget->next;
		budget->is_listed = false;
		bridge_queue_pump(budget->queue);
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

	if (is_begun(queue, &entry)) {
		cut_short(queue, &entry, status);
		return false;
	}
	queue->pool.bridge->outstanding--;
	return true;
}

bool bridge_queue_withdraw(struct bridge_queue *queue, uint64_t user_data, int32_t status)
{
	uint32_t i;

	for (i = 0; i < queue->count; i++)
		if (bridge_queue_at(queue, i)->user_data == user_data)
			return withdraw(queue, i, status);
	return false;
}

int32_t bridge_queue_take(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	struct dpubridge *bridge = queue->pool.bridge;
	int32_t status;
	bool is_batch;

	if (queue->pool.kind == NULL)
		return DOCA_ERROR_BAD_STATE;
	is_batch = bridge_batch_is(queue->pool.kind->shape, entry);
	if (is_batch && !bridge_batch_is_valid(bridge_batch_of(entry)))
		return DOCA_ERROR_INVALID_VALUE;
	if (queue->retry_budget == NULL && !is_batch && queue->count == 0 && bridge_pool_has_task(&queue->pool)) {
		status = bridge_task_submit(&queue->pool, entry);
		bridge->outstanding += status == DOCA_SUCCESS;
		return status;
	}
	if (!bridge_queue_push(queue, entry))
		return DOCA_ERROR_NO_MEMORY;
	bridge->outstanding++;
	if (is_batch)
		bridge_batch_enter(bridge_batch_of(entry), entry->user_data);
	/* A listed queue is retried at the end of this enter: one pass handles all new entries. */
	if (!bridge_retry_is_listed(queue->retry_budget))
		bridge_queue_pump(queue);
	return DOCA_SUCCESS;
}
