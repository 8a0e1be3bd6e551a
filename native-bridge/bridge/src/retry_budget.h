/*
 * Retry budgets. An entry that the device answers with AGAIN waits in its queue, with later entries of its ordering key. The
 * bridge submits it again until the budget is used up; then the entry becomes a record.
 *
 *   (none) --AGAIN--> waiting --AGAIN, in time--> waiting
 *     ^                  | other              | AGAIN, too late
 *     |                  v                    v
 *     +------------------+------ other ----- over (each AGAIN becomes a record at once)
 *
 * Each ordering key has a separate deadline. Owner's thread.
 */
#ifndef BRIDGE_RETRY_BUDGET_H
#define BRIDGE_RETRY_BUDGET_H

#include "bridge.h"

struct bridge_pool;

enum { BRIDGE_MAX_STALLS = 32 };

/** An ordering key that the device has refused. */
struct bridge_stall {
	uint64_t order;
	uint64_t until_ns;			/**< deadline of the retries, on the monotonic clock */
	bool is_over;				/**< the deadline has passed */
};

struct bridge_retry_budget {
	uint64_t ns;				/**< time of the retries of a key */
	uint32_t num_stalls;
	struct bridge_stall stalls[BRIDGE_MAX_STALLS];
	bool is_listed;				/**< the pool is on the bridge's list of pools with entries to submit again */
	struct bridge_pool *next;
};

/** Sets the retry budget of a pool that has a queue; 0: no retries. @return 0, or NO_MEMORY */
int32_t bridge_retry_configure(struct bridge_pool *pool, uint64_t ns);

/** Frees the budget of a pool that ends. */
void bridge_retry_fini(struct bridge_pool *pool);

/** Notes the answer to the first entry of a key. @return whether the entry stays queued for a retry */
bool bridge_retry_keeps(struct bridge_pool *pool, uint64_t order, int32_t status);

/** Returns whether entries of a pool are waiting for a retry. */
bool bridge_retry_is_listed(const struct bridge_pool *pool);

/** Returns whether entries of any pool are waiting for a retry. */
static inline bool bridge_retry_waits(const struct dpubridge *bridge)
{
	return bridge->stalled != NULL;
}

/** Submits all entries that wait for a retry, once. */
void bridge_retry_all(struct dpubridge *bridge);

#endif
