#include "queue/order.h"

#include "ring/ring.h"

/* Returns whether this answer to an entry holds back later entries of its key. */
static bool holds_back(const struct bridge_kind *kind, int32_t status)
{
	return status == DOCA_ERROR_AGAIN || (status == DOCA_ERROR_NO_MEMORY && kind->shape->is_comch);
}

/* A hold lasts until the caller has read its last record. Before, the caller may enter more of that key without knowing of it. */
static bool is_in_effect(const struct dpubridge *bridge, const struct bridge_hold *hold)
{
	return bridge_ring_num_read(bridge) < hold->until;
}

int32_t bridge_order_held(const struct dpubridge *bridge, const struct bridge_hold *hold, const struct bridge_kind *kind,
			  const struct dpubridge_entry *entry)
{
	uint64_t order;
	uint32_t i;

	if (hold->count == 0 || !is_in_effect(bridge, hold))
		return DOCA_SUCCESS;
	order = bridge_order_of(kind, entry);
	for (i = 0; i < hold->count; i++)
		if (hold->orders[i] == order)
			return hold->statuses[i];
	return hold->is_full ? hold->statuses[0] : DOCA_SUCCESS;
}

bool bridge_order_note(const struct dpubridge *bridge, struct bridge_hold *hold, const struct bridge_kind *kind,
		       const struct dpubridge_entry *entry, int32_t status)
{
	if (!holds_back(kind, status))
		return false;
	if (!is_in_effect(bridge, hold)) {
		hold->count = 0;
		hold->is_full = false;
	}
	hold->until = bridge->num_records + 1;
	if (hold->count == BRIDGE_MAX_HELD) {
		hold->is_full = true;
		return true;
	}
	hold->orders[hold->count] = bridge_order_of(kind, entry);
	hold->statuses[hold->count++] = status;
	return true;
}
