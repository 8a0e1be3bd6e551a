/*
 * The overflow queue: records that cannot go to the completion ring at once. Records of foreign threads, and unsolicited
 * records without room, wait here. Unsolicited records are delivered first in, first out.
 */
#ifndef BRIDGE_OVERFLOW_H
#define BRIDGE_OVERFLOW_H

#include "ring/bridge.h"

void bridge_overflow_init(struct dpubridge *bridge);
void bridge_overflow_fini(struct dpubridge *bridge);

/** Returns whether the overflow queue has items; one atomic load. */
static inline bool bridge_overflow_waits(const struct dpubridge *bridge)
{
	return (atomic_load_explicit(&bridge->wake_bits, memory_order_acquire) & BRIDGE_WAKE_OVERFLOW) != 0;
}

/**
 * Returns whether an unsolicited record of this thread may go to the ring without overtaking another; does not check for room.
 * Any thread.
 */
static inline bool bridge_overflow_may_pass(const struct dpubridge *bridge)
{
	return bridge_is_owner(bridge) && !bridge->is_delivering && !bridge_overflow_waits(bridge);
}

/** Appends an item and wakes the owner. Any thread; the caller holds the lock. */
void bridge_overflow_append(struct dpubridge *bridge, struct bridge_overflow_item *item);

/** Moves records to the ring while it has room. Owner. */
void bridge_overflow_deliver(struct dpubridge *bridge);

/** Returns whether the queue has an unsolicited record of this context. Owner. */
bool bridge_overflow_holds(struct dpubridge *bridge, uint32_t context);

#endif
