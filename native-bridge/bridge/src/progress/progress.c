#include "progress/progress.h"

#include "base/symbols.h"
#include "ring/ring.h"

/* Returns whether there is room for the next events. Tasks in flight have room; messages arrive unsolicited. */
static bool may_progress(const struct dpubridge *bridge)
{
	if (bridge->num_comch == 0)
		return !bridge_ring_is_full(bridge);
	return bridge_ring_has_unsolicited_room(bridge) && bridge_ring_has_cell(bridge);
}

bool bridge_progress(struct dpubridge *bridge, uint32_t budget)
{
	uint32_t left = budget;
	bool has_room = true;

	while (left > 0 && (has_room = may_progress(bridge)) && bridge_doca.pe_progress(bridge->pe))
		left--;
	bridge_count_many(bridge, DPUBRIDGE_COUNTER_PROGRESSED, budget - left);
	return has_room;
}
