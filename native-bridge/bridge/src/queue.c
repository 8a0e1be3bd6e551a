#include "queue.h"

#include <stdlib.h>

#include "batch.h"
#include "context.h"
#include "error.h"
#include "order.h"
#include "pass.h"
#include "retry_budget.h"
#include "ring.h"
#include "task.h"

#define MAX_ROOM (1u << 24)

void bridge_refuse(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status)
{
	struct dpubridge_record record = {
		.user_data = entry->user_data,
		.context = entry->context,
		.type = DPUBRIDGE_RECORD_REFUSED,
		.kind = entry->kind,
		.status = status,
	};

	bridge_ring_put(bridge, &record);
	bridge_count(bridge, DPUBRIDGE_COUNTER_REFUSED);
}

/* Removes the index-th entry; those behind it move up. */
static struct dpubridge_entry take_out(struct bridge_queue *queue, uint32_t index)
{
	struct dpubridge_entry entry = *bridge_queue_at(queue, index);

	if (index == 0)
		return bridge_queue_pop(queue);
	for (; index + 1 < queue->count; index++)
		*bridge_queue_at(queue, index) = *bridge_queue_at(queue, index + 1);
	queue->count--;
	return entry;
}

void bridge_refuse_kept(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status)
{
	bridge->outstanding--;
	bridge_refuse(bridge, entry, status);
}

/* Refuses the entries behind a held back entry that must not overtake it. */
static void refuse_followers(struct bridge_pool *pool, const struct dpubridge_entry *first, int32_t status)
{
	uint64_t order = bridge_order_of(pool->context, first);
	uint32_t left;

	for (left = pool->queue.count; left > 0; left--) {
		struct dpubridge_entry entry = bridge_queue_pop(&pool->queue);

		if (bridge_order_of(pool->context, &entry) == order)
			bridge_refuse_kept(pool->context->bridge, &entry, status);
		else
			bridge_queue_push(&pool->queue, &entry);
	}
}

static void answer_refused(struct bridge_pool *pool, const struct dpubridge_entry *entry, int32_t status)
{
	bool holds_back = bridge_order_note(pool->context, entry, status);

	bridge_refuse_kept(pool->context->bridge, entry, status);
	if (holds_back)
		refuse_followers(pool, entry, status);
}

static void submit_single(struct bridge_pool *pool)
{
	struct dpubridge_entry entry = bridge_queue_pop(&pool->queue);
	int32_t status = bridge_task_submit(pool, &entry);

	if (status != DOCA_SUCCESS)
		answer_refused(pool, &entry, status);
}

/* The device accepts no more. While it has tasks of the batch, the end of one of them submits the next. */
static void hold_back(struct bridge_pool *pool, struct dpubridge_batch *batch)
{
	struct dpubridge_entry entry;

	if (bridge_batch_is_in_flight(batch))
		return;
	entry = bridge_queue_pop(&pool->queue);
	bridge_order_note(pool->context, &entry, DOCA_ERROR_AGAIN);
	bridge_refuse_kept(pool->context->bridge, &entry, DOCA_ERROR_AGAIN);
	refuse_followers(pool, &entry, DOCA_ERROR_AGAIN);
}

/* Submits the next tasks of the batch at the head. Returns false when the device accepts no more. */
static bool submit_of_batch(struct bridge_pool *pool)
{
	struct dpubridge_batch *batch = bridge_batch_of(bridge_queue_at(&pool->queue, 0));

	if (bridge_batch_submit(pool, batch) == DOCA_ERROR_AGAIN) {
		hold_back(pool, batch);
		return false;
	}
	if (batch->next == batch->count) {
		bridge_queue_pop(&pool->queue);
		if (bridge_batch_has_ended(batch))
			bridge_batch_end(pool, batch);
	}
	return true;
}

/* The device has had a part of the batch: ends the rest with the status. */
static void cut_short(struct bridge_pool *pool, const struct dpubridge_entry *entry, int32_t status)
{
	struct dpubridge_batch *batch = bridge_batch_of(entry);

	bridge_batch_fail_rest(batch, status);
	if (bridge_batch_has_ended(batch))
		bridge_batch_end(pool, batch);
}

static bool is_begun(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	return bridge_batch_is(pool->kind->shape, entry) && bridge_batch_of(entry)->next > 0;
}

static void recall_all(struct bridge_pool *pool)
{
	while (pool->queue.count > 0) {
		struct dpubridge_entry entry = bridge_queue_pop(&pool->queue);

		if (is_begun(pool, &entry))
			cut_short(pool, &entry, DOCA_ERROR_BAD_STATE);
		else
			bridge_refuse_kept(pool->context->bridge, &entry, DOCA_ERROR_BAD_STATE);
	}
}

void bridge_queue_pump(struct bridge_pool *pool)
{
	struct bridge_queue *queue = &pool->queue;
	bool goes_on = true;

	if (queue->count == 0 || queue->is_pumping)
		return;
	queue->is_pumping = true;
	queue->is_recalled = false;
	if (pool->retry_budget != NULL)
		bridge_pass(pool);
	while (pool->retry_budget == NULL && goes_on && !queue->is_recalled && queue->count > 0 && bridge_pool_has_task(pool)) {
		if (bridge_batch_is(pool->kind->shape, bridge_queue_at(queue, 0)))
			goes_on = submit_of_batch(pool);
		else
			submit_single(pool);
	}
	queue->is_pumping = false;
	if (queue->is_recalled)
		recall_all(pool);
}

void bridge_queue_recall(struct bridge_pool *pool)
{
	if (pool->queue.is_pumping)
		pool->queue.is_recalled = true;
	else
		recall_all(pool);
}

static bool withdraw(struct bridge_pool *pool, uint32_t index, int32_t status)
{
	struct dpubridge_entry entry = take_out(&pool->queue, index);

	if (is_begun(pool, &entry)) {
		cut_short(pool, &entry, status);
		return false;
	}
	pool->context->bridge->outstanding--;
	return true;
}

bool bridge_queue_withdraw(struct bridge_pool *pool, uint64_t user_data, int32_t status)
{
	uint32_t i;

	for (i = 0; i < pool->queue.count; i++)
		if (bridge_queue_at(&pool->queue, i)->user_data == user_data)
			return withdraw(pool, i, status);
	return false;
}

static bool is_checked(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	if (entry->flags != DPUBRIDGE_FLAG_BATCH || !pool->kind->shape->takes_batches)
		return true;
	return bridge_batch_is_valid(bridge_batch_of(entry));
}

int32_t bridge_queue_take(struct dpubridge *bridge, struct bridge_context *context, const struct dpubridge_entry *entry)
{
	struct bridge_pool *pool;
	int32_t status;
	bool is_batch;

	if (entry->kind >= DPUBRIDGE_KIND_COUNT)
		return DOCA_ERROR_INVALID_VALUE;
	pool = &context->pools[entry->kind];
	if (pool->kind == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (!is_checked(pool, entry))
		return DOCA_ERROR_INVALID_VALUE;
	is_batch = bridge_batch_is(pool->kind->shape, entry);
	if (pool->retry_budget == NULL && !is_batch && pool->queue.count == 0 && bridge_pool_has_task(pool)) {
		status = bridge_task_submit(pool, entry);
		bridge->outstanding += status == DOCA_SUCCESS;
		return status;
	}
	if (!bridge_queue_push(&pool->queue, entry))
		return DOCA_ERROR_NO_MEMORY;
	bridge->outstanding++;
	if (is_batch)
		bridge_batch_enter(bridge_batch_of(entry), entry->user_data);
	/* A listed pool is retried at the end of this enter: one pass handles all new entries. */
	if (!bridge_retry_is_listed(pool))
		bridge_queue_pump(pool);
	return DOCA_SUCCESS;
}

int32_t bridge_queue_configure(struct bridge_queue *queue, uint32_t capacity)
{
	struct bridge_queue fresh = { .capacity = capacity };
	uint32_t room = 1;

	while (room < capacity && room < MAX_ROOM)
		room *= 2;
	if (capacity > room)
		return DOCA_ERROR_NO_MEMORY;
	fresh.mask = room - 1;
	fresh.entries = calloc(room, sizeof(*fresh.entries));
	fresh.orders = calloc(2 * (size_t)room, sizeof(*fresh.orders));
	if (fresh.entries == NULL || fresh.orders == NULL) {
		bridge_queue_fini(&fresh);
		return DOCA_ERROR_NO_MEMORY;
	}
	bridge_queue_fini(queue);
	*queue = fresh;
	return DOCA_SUCCESS;
}

void bridge_queue_fini(struct bridge_queue *queue)
{
	free(queue->entries);
	free(queue->orders);
}
