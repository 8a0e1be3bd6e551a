/*
 * The overflow queue: records that cannot go to the completion ring at once. Records of foreign threads, and unsolicited
 * records without room, wait here. Unsolicited records are delivered first in, first out.
 */
#ifndef BRIDGE_OVERFLOW_H
#define BRIDGE_OVERFLOW_H

#include "bridge.h"

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

/** Queues a finished task's record, which is part of the task, and wakes the owner. Foreign threads. */
void bridge_overflow_put_task(struct dpubridge *bridge, struct bridge_overflow_item *item);

/**
 * Queues a state change. Any thread. Without memory, merges the changes of a context into one record: previous state of the
 * first change, next state of the last. The final state is thus never lost.
 */
void bridge_overflow_put_state(struct dpubridge *bridge, struct bridge_context *context, bool is_foreign,
			       const struct dpubridge_record *record);

/**
 * Queues an event of a comch context, with a copy of a message's bytes. DISCONNECTED also ends the connection. Ignores events of
 * a connection that has ended. Without memory the event is lost, and the next enter reports the loss. Any thread.
 * @param connection NULL for a failed attempt
 * @param pointer DOCA's connection in the event
 */
void bridge_overflow_put_unsolicited(struct bridge_context *context, struct bridge_connection *connection,
				     const struct doca_comch_connection *pointer, const struct dpubridge_record *record,
				     const uint8_t *bytes);

/** Moves records to the ring while it has room. Owner. */
void bridge_overflow_deliver(struct dpubridge *bridge);

/** Returns whether the queue holds an item of this context. Owner. */
bool bridge_overflow_holds(struct dpubridge *bridge, const struct bridge_context *context);

#endif
