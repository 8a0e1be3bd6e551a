#include "order.h"

#include "kinds.h"
#include "ring.h"

/* Returns whether this answer to an entry holds back later entries of its key. */
static bool holds_back(const struct bridge_context *context, const struct dpubridge_entry *entry, int32_t status)
{
	if (status == DOCA_ERROR_AGAIN)
		return true;
	return status == DOCA_ERROR_NO_MEMORY && context->pools[entry->kind].kind->shape->is_comch;
}

uint64_t bridge_order_of(const struct bridge_context *context, const struct dpubridge_entry *entry)
{
	const struct bridge_kind *kind = entry->kind < DPUBRIDGE_KIND_COUNT ? context->pools[entry->kind].kind : NULL;

	return kind != NULL && kind->shape->is_ordered_by_argument ? entry->argument : 0;
}

/* A hold lasts until the caller has read its last record. Before, the caller may enter more of that key without knowing of it. */
static bool is_in_effect(const struct bridge_context *context)
{
	return bridge_ring_num_read(context->bridge) < context->hold.until;
}

int32_t bridge_order_held(const struct bridge_context *context, const struct dpubridge_entry *entry)
{
	const struct bridge_hold *hold = &context->hold;
	uint64_t order;
	uint32_t i;

	if (hold->count == 0 || !is_in_effect(context))
		return DOCA_SUCCESS;
	order = bridge_order_of(context, entry);
	for (i = 0; i < hold->count; i++)
		if (hold->orders[i] == order)
			return hold->statuses[i];
	return hold->is_full ? hold->statuses[0] : DOCA_SUCCESS;
}

bool bridge_order_note(struct bridge_context *context, const struct dpubridge_entry *entry, int32_t status)
{
	struct bridge_hold *hold = &context->hold;

	if (!holds_back(context, entry, status))
		return false;
	if (!is_in_effect(context)) {
		hold->count = 0;
		hold->is_full = false;
	}
	hold->until = context->bridge->num_records + 1;
	if (hold->count == BRIDGE_MAX_HELD) {
		hold->is_full = true;
		return true;
	}
	hold->orders[hold->count] = bridge_order_of(context, entry);
	hold->statuses[hold->count++] = status;
	return true;
}
