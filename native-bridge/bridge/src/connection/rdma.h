/*
 * Connections of RDMA contexts. The user data of these connections in DOCA is their handle. The owner begins and ends them:
 *
 *   requested by a peer      request callback: REQUESTED --accept of the caller--> established callback: CONNECTED
 *   to an address            dpubridge_rdma_connect() --established callback--> CONNECTED
 *   exported                 dpubridge_rdma_adopt()
 *   end                      failure or disconnection callback: DISCONNECTED; dpubridge_rdma_disconnect() in any state
 *
 * DISCONNECTED does not end the handle: a receive that completed before may name the connection. dpubridge_rdma_disconnect() does.
 */
#ifndef BRIDGE_CONNECTION_RDMA_H
#define BRIDGE_CONNECTION_RDMA_H

#include "connection/connection.h"

/** Returns the connection of a pool's context for a task; NULL if it is not established or has ended. Owner. */
struct doca_rdma_connection *bridge_rdma_peer(const struct bridge_pool *pool, uint32_t handle);

#endif
