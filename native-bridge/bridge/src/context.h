/* Contexts behind the bridge: a table of slots; a handle is generation << 16 | index, and generations are never 0. */
#ifndef BRIDGE_CONTEXT_H
#define BRIDGE_CONTEXT_H

#include "bridge.h"
#include "task.h"

enum bridge_role { BRIDGE_NO_ROLE, BRIDGE_SERVER, BRIDGE_CLIENT };

enum { BRIDGE_MAX_HELD = 64 };

/** Entries were held back; what follows them in their order must not overtake them. */
struct bridge_hold {
	uint64_t until;				/**< records up to and with the last of theirs: once these are read, nothing is held */
	uint32_t count;
	bool is_full;				/**< more orders than there is room for: all that follows is held */
	uint64_t orders[BRIDGE_MAX_HELD];
	int32_t statuses[BRIDGE_MAX_HELD];	/**< what the first of the order was answered */
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
	struct bridge_connection *connections;	/**< that have not ended; under the lock of the aside queue */
	struct bridge_pool pools[DPUBRIDGE_KIND_COUNT];
	struct bridge_aside spare;		/**< for state changes when memory runs out; context is NULL while unused */
	struct bridge_context *next_unused;
};

/** The context behind a handle; NULL when there is none, or no longer. */
static inline struct bridge_context *bridge_context_find(const struct dpubridge *bridge, uint32_t handle)
{
	uint32_t index = handle & 0xffffu;
	struct bridge_context *context;

	if (index >= bridge->contexts.num_slots)
		return NULL;
	context = bridge->contexts.slots[index];
	return handle != 0 && context->handle == handle ? context : NULL;
}

/** Take note of a context's state. Owner. */
void bridge_context_changed(struct bridge_context *context, uint32_t state);

/** Free the table; nothing is attached any more. */
void bridge_contexts_fini(struct dpubridge *bridge);

#endif
