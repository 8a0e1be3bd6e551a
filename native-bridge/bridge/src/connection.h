/*
 * Connections of comch contexts. A connection begins with the first callback that names it (or when the owner asks a client
 * for its own), and ends when it is disconnected or its context becomes IDLE; once nothing of it waits aside any more it is
 * used again.
 *
 *   unused --begin--> live --end--> ended --nothing aside--> unused
 *
 * Begin and end happen on any thread, under the lock of the aside queue. Handles are given and taken by the owner:
 * generation << 16 | index, where generations are never 0. A connection is found from a callback by DOCA's user data of it,
 * which is the struct bridge_connection; those are never freed while the bridge is there, so that a late callback finds that
 * it is late.
 */
#ifndef BRIDGE_CONNECTION_H
#define BRIDGE_CONNECTION_H

#include "bridge.h"

struct bridge_connection {
	struct dpubridge *bridge;
	struct bridge_context *context;
	_Atomic(struct doca_comch_connection *) pointer;	/**< NULL once it has ended */
	uint32_t handle;				/**< 0 until the owner has given it one */
	uint32_t num_aside;				/**< records that wait; under the lock of the aside queue */
	struct bridge_connection *next;			/**< of its context's, or of the unused ones */
};

/** What a handle's index stands for. */
struct bridge_connection_slot {
	struct bridge_connection *connection;	/**< NULL while unused */
	uint32_t next_unused;			/**< index + 1 */
	uint16_t generation;
};

/** DOCA's connection; NULL once it has ended. */
static inline struct doca_comch_connection *bridge_connection_pointer(const struct bridge_connection *connection)
{
	return atomic_load_explicit(&connection->pointer, memory_order_acquire);
}

/** The connection behind a handle, also one that has ended and whose last records wait; NULL when there is none. Owner. */
static inline struct bridge_connection *bridge_connection_find(const struct dpubridge *bridge, uint32_t handle)
{
	uint32_t index = handle & 0xffffu;
	struct bridge_connection *connection;

	if (index >= bridge->connections.num_slots)
		return NULL;
	connection = bridge->connections.slots[index].connection;
	return connection != NULL && connection->handle == handle ? connection : NULL;
}

/** The connection that DOCA names, which begins if it is new. NULL: no memory, which the next enter says. Any thread. */
struct bridge_connection *bridge_connection_of(struct bridge_context *context, struct doca_comch_connection *pointer);

/** Its handle, given on the first call; 0: no memory, which the next enter says. Owner. */
uint32_t bridge_connection_handle(struct bridge_connection *connection);

/** No DOCA call may name it from now on, and what still waits are its last records. The lock is held. Any thread. */
void bridge_connection_cut(struct bridge_connection *connection);

/** The same, and use it again when nothing of it waits. Owner, without the lock. */
void bridge_connection_end(struct bridge_connection *connection);

/** One of its records waits no longer. Owner, without the lock. */
void bridge_connection_delivered(struct bridge_connection *connection);

/** End all connections of a context that has become IDLE. Owner, without the lock. */
void bridge_connections_end(struct bridge_context *context);

/** Free the table; no context is attached any more. */
void bridge_connections_fini(struct dpubridge *bridge);

#endif
