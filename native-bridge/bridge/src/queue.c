#include "queue.h"

#include <stdlib.h>

#include "batch.h"
#include "context.h"
#include "error.h"
#include "order.h"
#include "patience.h"
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

static struct dpubridge_entry *at(struct bridge_queue *queue, uint32_t index)
{
	return &queue->entries[(queue->head + index) & queue->mask];
}

static bool push(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	if (queue->count == queue->capacity)
		return false;
	*at(queue, queue->count++) = *entry;
	return true;
}

static struct dpubridge_entry pop(struct bridge_queue *queue)
{
	struct dpubridge_entry entry = *at(queue, 0);

	queue->head++;
	queue->count--;
	return entry;
}

/* Takes the index-th out; those behind it move up. */
static struct dpubridge_entry take_out(struct bridge_queue *queue, uint32_t index)
{
	struct dpubridge_entry entry = *at(queue, index);

	if (index == 0)
		return pop(queue);
	for (; index + 1 < queue->count; index++)
		*at(queue, index) = *at(queue, index + 1);
	queue->count--;
	return entry;
}

/* Of an entry that room was kept for. */
static void refuse_kept(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status)
{
	bridge->outstanding--;
	bridge_refuse(bridge, entry, status);
}

/* What waits behind an entry that was held back, and must not overtake it. */
static void refuse_followers(struct bridge_pool *pool, const struct dpubridge_entry *first, int32_t status)
{
	uint64_t order = bridge_order_of(pool->context, first);
	uint32_t left;

	for (left = pool->queue.count; left > 0; left--) {
		struct dpubridge_entry entry = pop(&pool->queue);

		if (bridge_order_of(pool->context, &entry) == order)
			refuse_kept(pool->context->bridge, &entry, status);
		else
			push(&pool->queue, &entry);
	}
}

static void answer_refused(struct bridge_pool *pool, const struct dpubridge_entry *entry, int32_t status)
{
	bool holds_back = bridge_order_note(pool->context, entry, status);

	refuse_kept(pool->context->bridge, entry, status);
	if (holds_back)
		refuse_followers(pool, entry, status);
}

static void submit_single(struct bridge_pool *pool)
{
	struct dpubridge_entry entry = pop(&pool->queue);
	int32_t status = bridge_task_submit(pool, &entry);

	if (status != DOCA_SUCCESS)
		answer_refused(pool, &entry, status);
}

/* A batch whose next task is refused stays while the device has something of it: that lets the next one in when it ends. */
static bool submit_or_keep_batch(struct bridge_pool *pool, uint32_t index, uint64_t order)
{
	struct dpubridge_entry entry = *at(&pool->queue, index);
	struct dpubridge_batch *batch = bridge_batch_of(&entry);
	uint32_t before = batch->next;
	int32_t status = bridge_batch_submit(pool, batch);

	if (batch->next > before)
		bridge_patience_keeps(pool, order, DOCA_SUCCESS);
	if (status == DOCA_ERROR_AGAIN) {
		if (bridge_patience_keeps(pool, order, status) || bridge_batch_is_in_flight(batch))
			return true;
		take_out(&pool->queue, index);
		answer_refused(pool, &entry, status);
		return false;
	}
	if (batch->next < batch->count)
		return true;
	take_out(&pool->queue, index);
	if (bridge_batch_has_ended(batch))
		bridge_batch_end(pool, batch);
	return false;
}

/* Whether one before it must not be overtaken: all of those stay. */
static bool is_behind(struct bridge_pool *pool, uint32_t index, uint64_t order)
{
	uint32_t i;

	for (i = 0; i < index; i++)
		if (bridge_order_of(pool->context, at(&pool->queue, i)) == order)
			return true;
	return false;
}

/* The index-th, unless it is to stay where it is. Returns whether it does. */
static bool submit_or_keep(struct bridge_pool *pool, uint32_t index)
{
	struct dpubridge_entry entry = *at(&pool->queue, index);
	uint64_t order = bridge_order_of(pool->context, &entry);
	int32_t status;

	if (is_behind(pool, index, order))
		return true;
	if (bridge_batch_is(pool->kind->shape, &entry))
		return submit_or_keep_batch(pool, index, order);
	status = bridge_task_submit(pool, &entry);
	if (bridge_patience_keeps(pool, order, status))
		return true;
	take_out(&pool->queue, index);
	if (status != DOCA_SUCCESS)
		answer_refused(pool, &entry, status);
	return false;
}

/* An order that is refused for the moment stays, and holds up no other. */
static void submit_patiently(struct bridge_pool *pool)
{
	struct bridge_queue *queue = &pool->queue;
	uint32_t num_kept = 0;

	while (!queue->is_recalled && num_kept < queue->count && bridge_pool_has_task(pool))
		num_kept += submit_or_keep(pool, num_kept);
}

/* The device takes no more. While it has something of the batch, that lets the next one in when it ends. */
static void hold_back(struct bridge_pool *pool, struct dpubridge_batch *batch)
{
	struct dpubridge_entry entry;

	if (bridge_batch_is_in_flight(batch))
		return;
	entry = pop(&pool->queue);
	bridge_order_note(pool->context, &entry, DOCA_ERROR_AGAIN);
	refuse_kept(pool->context->bridge, &entry, DOCA_ERROR_AGAIN);
	refuse_followers(pool, &entry, DOCA_ERROR_AGAIN);
}

/* The next tasks of the batch at the head. Returns false when the device takes no more. */
static bool submit_of_batch(struct bridge_pool *pool)
{
	struct dpubridge_batch *batch = bridge_batch_of(at(&pool->queue, 0));

	if (bridge_batch_submit(pool, batch) == DOCA_ERROR_AGAIN) {
		hold_back(pool, batch);
		return false;
	}
	if (batch->next == batch->count) {
		pop(&pool->queue);
		if (bridge_batch_has_ended(batch))
			bridge_batch_end(pool, batch);
	}
	return true;
}

/* The device has had a part of the batch: the rest has its result now. */
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
		struct dpubridge_entry entry = pop(&pool->queue);

		if (is_begun(pool, &entry))
			cut_short(pool, &entry, DOCA_ERROR_BAD_STATE);
		else
			refuse_kept(pool->context->bridge, &entry, DOCA_ERROR_BAD_STATE);
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
	if (pool->patience != NULL)
		submit_patiently(pool);
	while (pool->patience == NULL && goes_on && !queue->is_recalled && queue->count > 0 && bridge_pool_has_task(pool)) {
		if (bridge_batch_is(pool->kind->shape, at(queue, 0)))
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
		if (at(&pool->queue, i)->user_data == user_data)
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
	if (pool->patience == NULL && !is_batch && pool->queue.count == 0 && bridge_pool_has_task(pool)) {
		status = bridge_task_submit(pool, entry);
		bridge->outstanding += status == DOCA_SUCCESS;
		return status;
	}
	if (!push(&pool->queue, entry))
		return DOCA_ERROR_NO_MEMORY;
	bridge->outstanding++;
	if (is_batch)
		bridge_batch_enter(bridge_batch_of(entry), entry->user_data);
	bridge_queue_pump(pool);
	return DOCA_SUCCESS;
}

int32_t bridge_queue_configure(struct bridge_queue *queue, uint32_t capacity)
{
	struct dpubridge_entry *entries;
	uint32_t room = 1;

	while (room < capacity && room < MAX_ROOM)
		room *= 2;
	if (capacity > room)
		return DOCA_ERROR_NO_MEMORY;
	entries = calloc(room, sizeof(*entries));
	if (entries == NULL)
		return DOCA_ERROR_NO_MEMORY;
	free(queue->entries);
	*queue = (struct bridge_queue){ .entries = entries, .mask = room - 1, .capacity = capacity };
	return DOCA_SUCCESS;
}
