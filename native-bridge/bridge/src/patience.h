/*
 * Patience: what the device answers with AGAIN, and what is behind it in its order, waits in its queue and is tried again by the
 * bridge, for some time, before it becomes a record.
 *
 *   (none) --AGAIN--> waited for --AGAIN, in time--> waited for
 *     ^                  | other              | AGAIN, too late
 *     |                  v                    v
 *     +------------------+------ other ----- over (each AGAIN becomes a record at once)
 *
 * Each order has its own time. Owner's thread.
 */
#ifndef BRIDGE_PATIENCE_H
#define BRIDGE_PATIENCE_H

#include "bridge.h"

struct bridge_pool;

enum { BRIDGE_MAX_STALLS = 32 };

/** An order that the device has refused. */
struct bridge_stall {
	uint64_t order;
	uint64_t until_ns;			/**< how long it is waited for, on the monotonic clock */
	bool is_over;				/**< in vain */
};

struct bridge_patience {
	uint64_t ns;				/**< how long an order is tried again */
	uint32_t num_stalls;
	struct bridge_stall stalls[BRIDGE_MAX_STALLS];
	bool is_listed;				/**< the bridge knows that something is to be tried again */
	struct bridge_pool *next;
};

/** Have so much of it with the entries of a pool that has a queue; 0: none. @return 0, or NO_MEMORY */
int32_t bridge_patience_configure(struct bridge_pool *pool, uint64_t ns);

/** The pool is no more. */
void bridge_patience_fini(struct bridge_pool *pool);

/** Take note of what the first entry of an order was answered. @return whether it stays, to be tried again */
bool bridge_patience_keeps(struct bridge_pool *pool, uint64_t order, int32_t status);

/** Whether something of a pool is to be tried again. */
bool bridge_patience_is_listed(const struct bridge_pool *pool);

/** Whether something is to be tried again. */
static inline bool bridge_patience_waits(const struct dpubridge *bridge)
{
	return bridge->stalled != NULL;
}

/** Try all of it once. */
void bridge_patience_retry(struct dpubridge *bridge);

#endif
