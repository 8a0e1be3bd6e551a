#include "progress.h"

#include "ring.h"
#include "symbols.h"

/* Whether there is room for what the device may say next. Tasks in flight have theirs; messages come unasked. */
static bool may_progress(const struct dpubridge *bridge)
{
	if (bridge->num_comch == 0)
		return !bridge_ring_is_full(bridge);
	return bridge_ring_has_unasked_room(bridge) && bridge_ring_has_cell(bridge);
}

bool bridge_progress(struct dpubridge *bridge, uint32_t budget)
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
