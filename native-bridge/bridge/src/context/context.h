/* Attached contexts: a table of slots. A handle is generation << 16 | index; generations are never 0. */
#ifndef BRIDGE_CONTEXT_H
#define BRIDGE_CONTEXT_H

#include "queue/queue.h"

enum {
	BRIDGE_SHARED_QUEUE = DPUBRIDGE_KIND_COUNT,	/**< index of the queue of the kinds that share one */
	BRIDGE_NUM_QUEUES
};

enum bridge_role { BRIDGE_NO_ROLE, BRIDGE_SERVER, BRIDGE_CLIENT, BRIDGE_PEER /**< of RDMA */ };

struct bridge_context {
	struct dpubridge *bridge;
	void *object;				/**< struct doca_compress *, ... */
	struct doca_ctx *ctx;			/**< the same object */
	uint64_t user_data;
	uint32_t handle;			/**< 0 while the slot is unused */
	uint32_t state;				/**< as of the last state change seen */
	uint32_t index;
	uint16_t generation;
	enum bridge_role role;
	struct bridge_connection *connections;	/**< live connections; under the lock of the overflow queue */
	void (*end_connections)(struct bridge_context *context); /**< called when the context is IDLE; NULL without a role */
	struct bridge_queue queues[BRIDGE_NUM_QUEUES];	/**< by kind, then the shared one */
	struct bridge_overflow_item spare;	/**< item for state changes without memory; deliver is NULL while unused */
	struct bridge_context *next_unused;
};

/** Returns the context behind a handle; NULL when there is none (any more). */
static inline struct bridge_context *bridge_context_find(const struct dpubridge *bridge, uint32_t handle)
{
	uint32_t index = handle & 0xffffu;
	struct bridge_context *context;

	if (index >= bridge->contexts.num_slots)
		return NULL;
	context = bridge->contexts.slots[index];
	return handle != 0 && context->handle == handle ? context : NULL;
}

/**
 * Returns the context behind a handle for a function of the caller. Otherwise returns NULL, with the reason in status: NOT_PERMITTED
 * on a foreign thread, or NOT_FOUND; and sets the error.
 */
struct bridge_context *bridge_context_require(struct dpubridge *bridge, uint32_t handle, const char *function, int32_t *status);

/** Frees the table; no context is attached any more. */
void bridge_contexts_fini(struct dpubridge *bridge);

#endif
