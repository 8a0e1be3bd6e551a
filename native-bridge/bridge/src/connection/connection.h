/*
 * Connections of comch and RDMA contexts. A connection of comch begins with the first callback that names it, or when the owner
 * queries a client's connection. rdma.h describes the begin for RDMA. The connection ends when it is disconnected or its
 * context becomes IDLE. The connection is reused once the overflow queue holds no record of it.
 *
 *   unused --begin--> live --end--> ended --no record queued--> unused
 *
 * Begin and end happen on any thread, under the lock of the overflow queue. The owner allocates and frees handles:
 * generation << 16 | index; generations are never 0. A callback finds its connection through DOCA's user data, which points to
 * the struct bridge_connection, or for RDMA is the handle. The bridge frees these structs only with itself, so that a late
 * callback detects that the connection has ended.
 */
#ifndef BRIDGE_CONNECTION_H
#define BRIDGE_CONNECTION_H

#include "context/context.h"

struct bridge_connection {
	struct dpubridge *bridge;
	struct bridge_context *context;
	_Atomic(void *) pointer;			/**< DOCA's connection; NULL once it has ended */
	bool is_up;					/**< of RDMA: tasks may name it */
	bool is_over;					/**< of RDMA: DOCA has ended it */
	uint32_t handle;				/**< 0 until the owner has allocated one */
	uint32_t num_queued;				/**< records in the overflow queue; under its lock */
	struct bridge_connection *next;			/**< next in the list of its context or in the unused list */
};

/** The slot of a handle's index. */
struct bridge_connection_slot {
	struct bridge_connection *connection;	/**< NULL while unused */
	uint32_t next_unused;			/**< index + 1 */
	uint16_t generation;
};

/** Returns DOCA's connection; NULL once it has ended. */
static inline void *bridge_connection_pointer(const struct bridge_connection *connection)
{
	return atomic_load_explicit(&connection->pointer, memory_order_acquire);
}

/** Returns the connection behind a handle, or NULL. Includes an ended connection with queued records. Owner. */
static inline struct bridge_connection *bridge_connection_find(const struct dpubridge *bridge, uint32_t handle)
{
	uint32_t index = handle & 0xffffu;
	struct bridge_connection *connection;

	if (index >= bridge->connections.num_slots)
		return NULL;
	connection = bridge->connections.slots[index].connection;
	return connection != NULL && connection->handle == handle ? connection : NULL;
}

/** Begins a connection. Without memory returns NULL, and the next enter reports it. Any thread. */
struct bridge_connection *bridge_connection_begin(struct bridge_context *context, void *pointer);

/**
 * Returns the connection of a DOCA connection of comch; begins a new one if needed. Without memory returns NULL, and the next enter
 * reports it. Any thread.
 */
struct bridge_connection *bridge_connection_of(struct bridge_context *context, struct doca_comch_connection *pointer);

/** Returns its handle, allocated on the first call. Without memory returns 0, and the next enter reports it. Owner. */
uint32_t bridge_connection_handle(struct bridge_connection *connection);

/**
 * Ends the connection for DOCA: no DOCA call may name it from now on, and its queued records are its last. The caller holds
 * the lock. Any thread.
 */
void bridge_connection_cut(struct bridge_connection *connection);

/**
 * Does the work of bridge_connection_cut(), and frees the connection for re-use when no record of it is queued. Owner, without
 * the lock.
 */
void bridge_connection_end(struct bridge_connection *connection);

/** Counts one of its queued records as delivered. Owner, without the lock. */
void bridge_connection_delivered(struct bridge_connection *connection);

/** Ends all connections of a context that has become IDLE. Owner, without the lock. */
void bridge_connections_end(struct bridge_context *context);

/** Frees the table; no context is attached any more. */
void bridge_connections_fini(struct dpubridge *bridge);

#endif
