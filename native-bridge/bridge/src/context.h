/* Attached contexts: a table of slots. A handle is generation << 16 | index; generations are never 0. */
#ifndef BRIDGE_CONTEXT_H
#define BRIDGE_CONTEXT_H

#include "bridge.h"
#include "task.h"

enum bridge_role { BRIDGE_NO_ROLE, BRIDGE_SERVER, BRIDGE_CLIENT };

enum { BRIDGE_MAX_HELD = 64 };

/** Ordering keys with held back entries; later entries of these keys must not overtake them. */
struct bridge_hold {
	uint64_t until;				/**< position after the last held back record: once the caller has read up to it, no key is held */
	uint32_t count;
	bool is_full;				/**< more keys than room: all later entries are held back */
	uint64_t orders[BRIDGE_MAX_HELD];
	int32_t statuses[BRIDGE_MAX_HELD];	/**< answer to the first entry of each key */
};

struct bridge_context {
	struct dpubridge *bridge;
	void *object;				/**< struct doca_compress *, ... */
	uint64_t user_data;
	uint32_t handle;			/**< 0 while the slot is unused */
	struct bridge_hold hold;
	uint32_t state;				/**< as of the last state change seen */
	uint32_t index;
	uint16_t generation;
	bool is_draining;			/**< tasks are freed as they complete */
	enum bridge_role role;
	struct bridge_connection *connections;	/**< live connections; under the lock of the overflow queue */
	struct bridge_pool pools[DPUBRIDGE_KIND_COUNT];
	struct bridge_overflow_item spare;	/**< item for state changes without memory; its context is NULL while unused */
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

/** Handles a new state of a context. Owner. */
void bridge_context_changed(struct bridge_context *context, uint32_t state);

/** Frees the table; no context is attached any more. */
void bridge_contexts_fini(struct dpubridge *bridge);

#endif
