/*
 * The aside queue: records that cannot go to the completion ring at once, because they arise on a foreign thread or,
 * unasked ones only, because there is no room. Unasked records are delivered first in, first out.
 */
#ifndef BRIDGE_ASIDE_H
#define BRIDGE_ASIDE_H

#include "bridge.h"

void bridge_aside_init(struct dpubridge *bridge);
void bridge_aside_fini(struct dpubridge *bridge);

/** Whether anything waits; one atomic load. */
static inline bool bridge_aside_waits(const struct dpubridge *bridge)
{
	return (atomic_load_explicit(&bridge->wake_bits, memory_order_acquire) & BRIDGE_WAKE_ASIDE) != 0;
}

/** Whether an unasked record of this thread would overtake nothing in the ring; there must be room as well. Any thread. */
static inline bool bridge_aside_may_pass(const struct dpubridge *bridge)
{
	return bridge_is_owner(bridge) && !bridge->is_delivering && !bridge_aside_waits(bridge);
}

/** Queue a finished task's record, which lies in the task itself, and wake the owner. Foreign threads. */
void bridge_aside_put_task(struct dpubridge *bridge, struct bridge_aside *item);

/**
 * Queue a state change. Any thread. Without memory the changes of one context are merged into one record (previous state
 * of the first, next state of the last), so that the state it ended in is never lost.
 */
void bridge_aside_put_state(struct dpubridge *bridge, struct bridge_context *context, bool is_foreign,
			    const struct dpubridge_record *record);

/**
 * Queue what a comch context says, with a copy of a message's bytes; DISCONNECTED also ends the connection. Nothing happens when
 * the connection has ended already. Without memory it is lost, and the next enter says so. Any thread.
 * @param connection NULL for a failed attempt; else pointer is what it was named by
 */
void bridge_aside_put_unasked(struct bridge_context *context, struct bridge_connection *connection,
			      const struct doca_comch_connection *pointer, const struct dpubridge_record *record,
			      const uint8_t *bytes);

/** Move to the ring what has room there. Owner. */
void bridge_aside_deliver(struct dpubridge *bridge);

/** Whether something of this context waits. Owner. */
bool bridge_aside_holds(struct dpubridge *bridge, const struct bridge_context *context);

#endif
