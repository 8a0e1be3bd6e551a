#include "queue/pass.h"

#include "queue/batch.h"

/* Returns the place for the result of an ordering key: the one of this pass, or an unused one. */
static struct bridge_pass_order *order_of_pass(struct bridge_queue *queue, uint64_t order)
{
	uint32_t mask = 2 * (queue->mask + 1) - 1;
	uint32_t index = (uint32_t)(order * 0x9e3779b97f4a7c15ull >> 32) & mask;

	while (queue->orders[index].pass == queue->pass && queue->orders[index].order != order)
		index = (index + 1) & mask;
	return &queue->orders[index];
}

static void stay(struct bridge_queue *queue, const struct dpubridge_entry *entry, struct bridge_pass_order *place, uint64_t order)
{
	*place = (struct bridge_pass_order){ .pass = queue->pass, .order = order, .status = DOCA_SUCCESS };
	bridge_queue_push(queue, entry);
}

static void refuse_in_pass(struct bridge_queue *queue, const struct dpubridge_entry *entry, struct bridge_pass_order *place,
			   uint64_t order, int32_t status)
{
	if (bridge_order_note(queue->pool.bridge, queue->hold, queue->pool.kind, entry, status))
		*place = (struct bridge_pass_order){ .pass = queue->pass, .order = order, .status = status };
	bridge_refuse_kept(queue->pool.bridge, entry, status);
}

/* A batch whose next task is refused stays while the device has tasks of it: the end of one of them submits the next. */
static bool batch_stays(struct bridge_queue *queue, struct dpubridge_batch *batch, uint64_t order, int32_t *status)
{
	uint32_t before = batch->next;

	*status = bridge_batch_submit(queue, batch);
	if (batch->next > before)
		bridge_retry_keeps(queue->retry_budget, order, DOCA_SUCCESS);
	if (*status == DOCA_ERROR_AGAIN)
		return bridge_retry_keeps(queue->retry_budget, order, *status) || bridge_batch_is_in_flight(batch);
	if (batch->next < batch->count)
		return true;
	bridge_batch_end_if_complete(&queue->pool, batch);
	return false;
}

/* Handles the first entry of its ordering key in this pass. */
static void submit_or_stay(struct bridge_queue *queue, const struct dpubridge_entry *entry, struct bridge_pass_order *place,
			   uint64_t order)
{
	int32_t status;
	bool stays;

	if (bridge_batch_is(queue->pool.kind->shape, entry)) {
		stays = batch_stays(queue, bridge_batch_of(entry), order, &status);
	} else {
		status = bridge_task_submit(&queue->pool, entry);
		stays = bridge_retry_keeps(queue->retry_budget, order, status);
	}
	if (stays)
		stay(queue, entry, place, order);
	else if (status != DOCA_SUCCESS)
		refuse_in_pass(queue, entry, place, order, status);
}

void bridge_pass(struct bridge_queue *queue)
{
	uint32_t left;

	if (!bridge_pool_has_task(&queue->pool))
		return;
	queue->pass++;
	for (left = queue->count; left > 0; left--) {
		struct dpubridge_entry entry = bridge_queue_pop(queue);
		uint64_t order = bridge_order_of(queue->pool.kind, &entry);
		struct bridge_pass_order *place = order_of_pass(queue, order);
		bool is_known = place->pass == queue->pass;

		if (is_known && place->status != DOCA_SUCCESS)
			bridge_refuse_kept(queue->pool.bridge, &entry, place->status);
		else if (is_known || queue->is_recalled || !bridge_pool_has_task(&queue->pool))
			stay(queue, &entry, place, order);
		else
			submit_or_stay(queue, &entry, place, order);
	}
}
