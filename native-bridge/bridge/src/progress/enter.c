/*
 * One turn of the engine: submit, progress, deliver. No allocation, no system call, no lock unless the overflow queue has items.
 */
#include "base/error.h"
#include "context/context.h"
#include "progress/progress.h"
#include "queue/pump.h"
#include "queue/retry.h"
#include "ring/overflow.h"
#include "ring/ring.h"

static int32_t take_entry(struct dpubridge *bridge, const struct dpubridge_entry *entry)
{
	struct bridge_context *context = bridge_context_find(bridge, entry->context);

	if (context == NULL)
		return DOCA_ERROR_NOT_FOUND;
	return entry->kind < DPUBRIDGE_KIND_COUNT ? bridge_queue_take(&context->queues[entry->kind].pool, entry)
						  : DOCA_ERROR_INVALID_VALUE;
}

/* Returns whether all waiting entries were taken. */
static bool take_all(struct dpubridge *bridge)
{
	while (bridge_ring_waiting(bridge) != 0) {
		const struct dpubridge_entry *entry;
		int32_t status;

		if (!bridge_ring_has_task_room(bridge))
			return false;
		entry = bridge_ring_entry(bridge, bridge->header->submission_head);
		status = take_entry(bridge, entry);
		if (status != DOCA_SUCCESS)
			bridge_refuse(bridge, entry, status);
		bridge->header->submission_head++;
	}
	return true;
}

static bool are_positions_valid(const struct dpubridge *bridge)
{
	const struct dpubridge_header *header = bridge->header;

	if (bridge_ring_waiting(bridge) > header->submission_capacity)
		bridge_error_set("dpubridge_enter: submission tail %u is not within %u entries of head %u",
				 header->submission_tail, header->submission_capacity, header->submission_head);
	else if (bridge_ring_unread(bridge) > header->completion_capacity)
		bridge_error_set("dpubridge_enter: completion head %u is not within %u records of tail %u",
				 header->completion_head, header->completion_capacity, header->completion_tail);
	else if (header->message_tail - header->message_head > header->message_cells)
		bridge_error_set("dpubridge_enter: message head %u is not within %u cells of tail %u", header->message_head,
				 header->message_cells, header->message_tail);
	else
		return true;
	return false;
}

static bool is_complete(struct dpubridge *bridge)
{
	const char *loss;

	if (atomic_load_explicit(&bridge->loss, memory_order_relaxed) == NULL)
		return true;
	loss = atomic_exchange(&bridge->loss, NULL);
	bridge_error_set("dpubridge_enter: lost since the last call: %s", loss);
	return false;
}

uint32_t dpubridge_enter(struct dpubridge *bridge, uint32_t budget)
{
	bool has_room;

	if (!bridge_require_owner(bridge, "dpubridge_enter") || !is_complete(bridge) || !are_positions_valid(bridge))
		return UINT32_MAX;
	bridge_count(bridge, DPUBRIDGE_COUNTER_ENTERS);
	bridge_overflow_deliver(bridge);
	has_room = take_all(bridge);
	if (bridge_retry_waits(bridge))
		bridge_queues_retry(bridge);
	has_room &= bridge_progress(bridge, budget);
	bridge_overflow_deliver(bridge);
	if (!has_room)
		bridge_count(bridge, DPUBRIDGE_COUNTER_STALLED);
	return bridge_ring_unread(bridge);
}
