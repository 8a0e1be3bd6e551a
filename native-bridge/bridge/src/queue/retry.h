/*
 * Retry of refused entries. An entry that DOCA refuses with AGAIN stays in its queue, in front of the later entries of its
 * ordering key. The bridge submits it again when a task of its kind completes. While no task of its kind is in flight, and
 * always if tasks of its kind may last (bridge_shape.may_last), it also submits it with each enter, and in dpubridge_wait():
 *
 *   refused --> prompt: without sleep --BRIDGE_PROMPT_NS--> every BRIDGE_RETRY_NS --many retries--> every BRIDGE_SLOW_RETRY_NS
 *
 * An entry waits until DOCA accepts it or refuses it with another error, until the caller withdraws it, or until its context
 * drains. Owner's thread.
 */
#ifndef BRIDGE_RETRY_H
#define BRIDGE_RETRY_H

#include "task/task.h"

enum {
	BRIDGE_PROMPT_NS = 1000000,		/**< a peer that is about to post does so in this time */
	BRIDGE_RETRY_NS = 100000,
	BRIDGE_SLOW_RETRY_NS = 1000000,
	BRIDGE_FREQUENT_RETRIES = 2000		/**< number of retries before the slow ones. Not a time: a simulation repeats it */
};

struct bridge_queue;

/** Returns whether DOCA may accept an entry later that it refuses with this status. */
static inline bool bridge_retry_is_due(const struct bridge_pool *pool, int32_t status)
{
	return (status == DOCA_ERROR_AGAIN || (status == DOCA_ERROR_NO_MEMORY && pool->kind->shape->is_comch)) &&
	       !pool->is_draining;
}

/** Notes that DOCA has refused an entry that stays in the queue. */
void bridge_retry_later(struct bridge_queue *queue);

/** Removes a queue that ends from the list. */
void bridge_retry_forget(struct bridge_queue *queue);

/** Returns whether a queue has an entry to submit again. */
static inline bool bridge_retry_waits(const struct dpubridge *bridge)
{
	return bridge->refused != NULL;
}

/** Returns whether a queue has an entry to submit again without sleep. now_ns: bridge_now_ns() */
static inline bool bridge_retry_is_prompt(const struct dpubridge *bridge, uint64_t now_ns)
{
	return bridge_retry_waits(bridge) && now_ns - bridge->refused_ns < BRIDGE_PROMPT_NS;
}

#endif
