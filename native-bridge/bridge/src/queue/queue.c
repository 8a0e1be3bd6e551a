#include "queue/queue.h"

#include <stdlib.h>

#include "ring/ring.h"

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

void bridge_refuse_kept(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status)
{
	bridge->outstanding--;
	bridge_refuse(bridge, entry, status);
}

struct dpubridge_entry bridge_queue_take_out(struct bridge_queue *queue, uint32_t index)
{
	struct dpubridge_entry entry = *bridge_queue_at(queue, index);

	if (index == 0)
		return bridge_queue_pop(queue);
	for (; index + 1 < queue->count; index++)
		*bridge_queue_at(queue, index) = *bridge_queue_at(queue, index + 1);
	queue->count--;
	return entry;
}

int32_t bridge_queue_configure(struct bridge_queue *queue, uint32_t capacity)
{
	struct bridge_pass_order *orders;
	struct dpubridge_entry *entries;
	uint32_t room = 1;

	while (room < capacity && room < MAX_ROOM)
		room *= 2;
	if (capacity > room)
		return DOCA_ERROR_NO_MEMORY;
	entries = calloc(room, sizeof(*entries));
	orders = calloc(2 * (size_t)room, sizeof(*orders));
	if (entries == NULL || orders == NULL) {
		free(entries);
		free(orders);
		return DOCA_ERROR_NO_MEMORY;
	}
	free(queue->entries);
	free(queue->orders);
	queue->entries = entries;
	queue->orders = orders;
	queue->mask = room - 1;
	queue->capacity = capacity;
	return DOCA_SUCCESS;
}

void bridge_queue_fini(struct bridge_queue *queue)
{
	struct bridge_pool pool = queue->pool;

	free(queue->entries);
	free(queue->orders);
	bridge_retry_free(queue->retry_budget);
	*queue = (struct bridge_queue){ .pool = pool };
}
