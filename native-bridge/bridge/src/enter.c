/* One turn of the engine: submit, progress, collect. No allocation, no system call, no lock unless something waits aside. */
#include "aside.h"
#include "bridge.h"
#include "context.h"
#include "error.h"
#include "kinds.h"
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

/* Whether what follows an entry of this answer must not overtake it. */
static bool holds_back(const struct bridge_context *context, const struct dpubridge_entry *entry, int32_t status)
{
	if (status == DOCA_ERROR_AGAIN)
		return true;
	return status == DOCA_ERROR_NO_MEMORY && context->pools[entry->kind].kind->shape->is_comch;
}

static uint64_t order_of(const struct bridge_context *context, const struct dpubridge_entry *entry)
{
	const struct bridge_kind *kind = entry->kind < DPUBRIDGE_KIND_COUNT ? context->pools[entry->kind].kind : NULL;

	return kind != NULL && kind->shape->is_ordered_by_argument ? entry->argument : 0;
}

/* What an entry is answered because of one before it in its order; DOCA_SUCCESS when there is none. */
static int32_t held(const struct bridge_hold *hold, uint64_t order)
{
	uint32_t i;

	for (i = 0; i < hold->count; i++)
		if (hold->orders[i] == order)
			return hold->statuses[i];
	return hold->is_full ? hold->statuses[0] : DOCA_SUCCESS;
}

static void hold(struct bridge_hold *hold, uint64_t this_enter, uint64_t order, int32_t status)
{
	if (hold->enter != this_enter) {
		hold->enter = this_enter;
		hold->count = 0;
		hold->is_full = false;
	}
	if (hold->count == BRIDGE_MAX_HELD) {
		hold->is_full = true;
		return;
	}
	hold->orders[hold->count] = order;
	hold->statuses[hold->count++] = status;
}

/* Once an entry of a context was held back, later entries of its order are answered as it was until the next turn. */
static int32_t submit_entry(struct dpubridge *bridge, const struct dpubridge_entry *entry)
{
	struct bridge_context *context = bridge_context_find(bridge, entry->context);
	uint64_t this_enter = bridge->header->counters[DPUBRIDGE_COUNTER_ENTERS];
	int32_t status = DOCA_SUCCESS;

	if (context == NULL)
		return DOCA_ERROR_NOT_FOUND;
	if (context->hold.enter == this_enter)
		status = held(&context->hold, order_of(context, entry));
	if (status != DOCA_SUCCESS)
		return status;
	status = bridge_task_submit(bridge, context, entry);
	if (holds_back(context, entry, status))
		hold(&context->hold, this_enter, order_of(context, entry), status);
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

/* Whether there is room for what the device may say next. Tasks in flight have theirs; messages come unasked. */
static bool may_progress(const struct dpubridge *bridge)
{
	if (bridge->num_comch == 0)
		return !bridge_ring_is_full(bridge);
	return bridge_ring_has_unasked_room(bridge) && bridge_ring_has_cell(bridge);
}

/* Returns whether the device had its turn: false when room ran out before. */
static bool progress(struct dpubridge *bridge, uint32_t budget)
{
	while (budget-- > 0) {
		if (!may_progress(bridge))
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
	bridge_aside_deliver(bridge);
	has_room = submit_all(bridge);
	has_room &= progress(bridge, budget);
	bridge_aside_deliver(bridge);
	if (!has_room)
		bridge_count(bridge, DPUBRIDGE_COUNTER_STALLED);
	return bridge_ring_unread(bridge);
}
