#include "pass.h"

#include "batch.h"
#include "context.h"
#include "order.h"
#include "queue.h"
#include "retry_budget.h"
#include "task.h"

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

static void refuse_in_pass(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_pass_order *place,
			   uint64_t order, int32_t status)
{
	if (bridge_order_note(pool->context, entry, status))
		*place = (struct bridge_pass_order){ .pass = pool->queue.pass, .order = order, .status = status };
	bridge_refuse_kept(pool->context->bridge, entry, status);
}

/* A batch whose next task is refused stays while the device has tasks of it: the end of one of them submits the next. */
static bool batch_stays(struct bridge_pool *pool, struct dpubridge_batch *batch, uint64_t order, int32_t *status)
{
	uint32_t before = batch->next;

	*status = bridge_batch_submit(pool, batch);
	if (batch->next > before)
		bridge_retry_keeps(pool, order, DOCA_SUCCESS);
	if (*status == DOCA_ERROR_AGAIN)
		return bridge_retry_keeps(pool, order, *status) || bridge_batch_is_in_flight(batch);
	if (batch->next < batch->count)
		return true;
	if (bridge_batch_has_ended(batch))
		bridge_batch_end(pool, batch);
	return false;
}

/* Handles the first entry of its ordering key in this pass. */
static void submit_or_stay(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_pass_order *place,
			   uint64_t order)
{
	int32_t status;
	bool stays;

	if (bridge_batch_is(pool->kind->shape, entry)) {
		stays = batch_stays(pool, bridge_batch_of(entry), order, &status);
	} else {
		status = bridge_task_submit(pool, entry);
		stays = bridge_retry_keeps(pool, order, status);
	}
	if (stays)
		stay(&pool->queue, entry, place, order);
	else if (status != DOCA_SUCCESS)
		refuse_in_pass(pool, entry, place, order, status);
}

void bridge_pass(struct bridge_pool *pool)
{
	struct bridge_queue *queue = &pool->queue;
	uint32_t left;

	if (!bridge_pool_has_task(pool))
		return;
	queue->pass++;
	for (left = queue->count; left > 0; left--) {
		struct dpubridge_entry entry = bridge_queue_pop(queue);
		uint64_t order = bridge_order_of(pool->context, &entry);
		struct bridge_pass_order *place = order_of_pass(queue, order);
		bool is_known = place->pass == queue->pass;

		if (is_known && place->status != DOCA_SUCCESS)
			bridge_refuse_kept(pool->context->bridge, &entry, place->status);
		else if (is_known || queue->is_recalled || !bridge_pool_has_task(pool))
			stay(queue, &entry, place, order);
		else
			submit_or_stay(pool, &entry, place, order);
	}
}
