/* One turn of the engine: submit, progress, collect. No allocation, no system call, no lock unless something waits aside. */
#include "aside.h"
#include "bridge.h"
#include "context.h"
#include "error.h"
#include "ring.h"
#include "symbols.h"
#include "task.h"

static void refuse(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status)
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

/* After one AGAIN of a context, later entries of it must not overtake: they are answered AGAIN until the next turn. */
static int32_t submit_entry(struct dpubridge *bridge, const struct dpubridge_entry *entry)
{
	struct bridge_context *context = bridge_context_find(bridge, entry->context);
	uint64_t this_enter = bridge->header->counters[DPUBRIDGE_COUNTER_ENTERS];
	int32_t status;

	if (context == NULL)
		return DOCA_ERROR_NOT_FOUND;
	if (context->again_enter == this_enter)
		return DOCA_ERROR_AGAIN;
	status = bridge_task_submit(bridge, context, entry);
	if (status == DOCA_ERROR_AGAIN)
		context->again_enter = this_enter;
	return status;
}

/* Returns whether all waiting entries were taken. */
static bool submit_all(struct dpubridge *bridge)
{
	while (bridge_ring_waiting(bridge) != 0) {
		const struct dpubridge_entry *entry;
		int32_t status;

		if (!bridge_ring_has_task_room(bridge))
			return false;
		entry = bridge_ring_entry(bridge, bridge->header->submission_head);
		status = submit_entry(bridge, entry);
		if (status == DOCA_SUCCESS)
			bridge_count(bridge, DPUBRIDGE_COUNTER_SUBMITTED);
		else
			refuse(bridge, entry, status);
		bridge->header->submission_head++;
	}
	return true;
}

/* Returns whether the device had its turn: false when the ring was full before. */
static bool progress(struct dpubridge *bridge, uint32_t budget)
{
	while (budget-- > 0) {
		if (bridge_ring_is_full(bridge))
			return false;
		if (!bridge_doca.pe_progress(bridge->pe))
			return true;
		bridge_count(bridge, DPUBRIDGE_COUNTER_PROGRESSED);
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
	else
		return true;
	return false;
}

uint32_t dpubridge_enter(struct dpubridge *bridge, uint32_t budget)
{
	bool has_room;

	if (!bridge_require_owner(bridge, "dpubridge_enter") || !are_positions_valid(bridge))
		return UINT32_MAX;
	bridge_count(bridge, DPUBRIDGE_COUNTER_ENTERS);
	bridge_aside_deliver(bridge);
	has_room = submit_all(bridge);
	has_room &= progress(bridge, budget);
	bridge_aside_deliver(bridge);
	if (!has_room)
		bridge_count(bridge, DPUBRIDGE_COUNTER_STALLED);
	return bridge_ring_unread(bridge);
}
