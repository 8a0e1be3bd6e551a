/*
 * Entries that wait for a task of their kind: a bounded queue in front of each pool. pump.h submits them.
 *
 *   submission ring --take--> [a task is free?] --> doca_task_submit
 *                                  | no    ^
 *                                  v       | a task ends: its callback submits the next entry
 *                                queue ----'
 *
 * A batch always goes through the queue, and stays at its head until all of its tasks are submitted. The completion ring reserves
 * room for the records of waiting entries, as for entries in flight. Owner's thread.
 */
#ifndef BRIDGE_QUEUE_H
#define BRIDGE_QUEUE_H

#include "queue/order.h"
#include "queue/retry_budget.h"
#include "task/task.h"

/** Treatment of an ordering key in the rest of a pass, after its first entry. */
struct bridge_pass_order {
	uint64_t pass;				/**< number of the pass that wrote this; else invalid */
	uint64_t order;
	int32_t status;				/**< error to refuse the entries with; DOCA_SUCCESS: they stay */
};

struct bridge_queue {
	struct bridge_pool pool;		/**< first: bridge_queue_of() */
	struct bridge_hold *hold;		/**< of the context */
	struct bridge_retry_budget *retry_budget; /**< NULL: a refused entry becomes a record at once */
	struct dpubridge_entry *entries;
	struct bridge_pass_order *orders;	/**< hash table with open addressing, twice as large as the queue */
	uint64_t pass;				/**< number of the current or last pass; see pass.h */
	uint32_t mask;				/**< size - 1; the size is a power of two */
	uint32_t capacity;			/**< maximum number of waiting entries */
	uint32_t head, count;
	bool is_pumping;			/**< a caller further up submits entries: only it may change the queue */
	bool is_recalled;			/**< recalled while is_pumping */
};
static_assert(offsetof(struct bridge_queue, pool) == 0, "a pool is the beginning of its queue");

/** Returns the queue in front of a pool. */
static inline struct bridge_queue *bridge_queue_of(struct bridge_pool *pool)
{
	return (struct bridge_queue *)pool;
}

/** Returns the index-th waiting entry. */
static inline struct dpubridge_entry *bridge_queue_at(struct bridge_queue *queue, uint32_t index)
{
	return &queue->entries[(queue->head + index) & queue->mask];
}

/** Appends an entry. @return whether there was room */
static inline bool bridge_queue_push(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	if (queue->count == queue->capacity)
		return false;
	*bridge_queue_at(queue, queue->count++) = *entry;
	return true;
}

/** Removes the first entry; there must be one. */
static inline struct dpubridge_entry bridge_queue_pop(struct bridge_queue *queue)
{
	struct dpubridge_entry entry = *bridge_queue_at(queue, 0);

	queue->head++;
	queue->count--;
	return entry;
}

/** Removes the index-th entry; those behind it move up. */
struct dpubridge_entry bridge_queue_take_out(struct bridge_queue *queue, uint32_t index);

/** Allocates the queue; it must be empty. @return 0, or NO_MEMORY */
int32_t bridge_queue_configure(struct bridge_queue *queue, uint32_t capacity);

/** Frees everything except the pool. */
void bridge_queue_fini(struct bridge_queue *queue);

/** Answers an entry that is not in flight. */
void bridge_refuse(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status);

/** Does the work of bridge_refuse() for an entry with reserved room in the completion ring. */
void bridge_refuse_kept(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status);

#endif
