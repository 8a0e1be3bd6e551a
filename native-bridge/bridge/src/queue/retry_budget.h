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

#include "ring/bridge.h"

struct bridge_queue;

enum { BRIDGE_MAX_STALLS = 32 };

/** An ordering key that the device has refused. */
struct bridge_stall {
	uint64_t order;
	uint64_t until_ns;			/**< deadline of the retries, on the monotonic clock */
	bool is_over;				/**< the deadline has passed */
};

struct bridge_retry_budget {
	struct dpubridge *bridge;
	struct bridge_queue *queue;
	uint64_t ns;				/**< time of the retries of a key */
	uint32_t num_stalls;
	struct bridge_stall stalls[BRIDGE_MAX_STALLS];
	bool is_listed;				/**< in bridge->stalled: the queue has entries to submit again */
	struct bridge_retry_budget *next;
};

/** Creates the retry budget of a queue in *budget, which it frees before; ns 0: NULL, no retries. @return 0, or NO_MEMORY */
int32_t bridge_retry_configure(struct bridge_retry_budget **budget, struct dpubridge *bridge, struct bridge_queue *queue,
			       uint64_t ns);

/** Frees a budget; NULL has no effect. */
void bridge_retry_free(struct bridge_retry_budget *budget);

/** Notes the answer to the first entry of a key. @return whether the entry stays queued for a retry */
bool bridge_retry_keeps(struct bridge_retry_budget *budget, uint64_t order, int32_t status);

/** Returns whether entries of a queue are waiting for a retry. budget: NULL if it has none. */
static inline bool bridge_retry_is_listed(const struct bridge_retry_budget *budget)
{
	return budget != NULL && budget->is_listed;
}

/** Returns whether entries of any queue are waiting for a retry. */
static inline bool bridge_retry_waits(const struct dpubridge *bridge)
{
	return bridge->stalled != NULL;
}

#endif
