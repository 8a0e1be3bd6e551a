#include "queue/queue.h"

#include <stdlib.h>

#include "queue/retry.h"
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

int32_t bridge_queue_configure(struct bridge_queue *queue, uint32_t num_tasks, uint32_t num_waiting)
{
	uint64_t capacity = (uint64_t)num_tasks + num_waiting;
	struct bridge_pass_key *keys;
	struct dpubridge_entry *entries;
	uint32_t room = 1;

	while (room < capacity && room < MAX_ROOM)
		room *= 2;
	if (capacity > room)
		return DOCA_ERROR_NO_MEMORY;
	entries = calloc(room, sizeof(*entries));
	keys = calloc(2 * (size_t)room, sizeof(*keys));
	if (entries == NULL || keys == NULL) {
		free(entries);
		free(keys);
		return DOCA_ERROR_NO_MEMORY;
	}
	free(queue->entries);
	free(queue->keys);
	queue->entries = entries;
	queue->keys = keys;
	queue->mask = room - 1;
	queue->num_tasks = num_tasks;
	queue->capacity = (uint32_t)capacity;
	return DOCA_SUCCESS;
}

void bridge_queue_fini(struct bridge_queue *queue)
{
	struct bridge_pool pool = queue->pool;

	bridge_retry_forget(queue);
	free(queue->entries);
	free(queue->keys);
	*queue = (struct bridge_queue){ .pool = pool };
}
