/*
 * Entries that wait for a task of their kind: a bounded queue in front of each pool.
 *
 *   submission ring --take--> [a task is free?] --> doca_task_submit
 *                                  | no    ^
 *                                  v       | a task ends: its callback lets the next one in
 *                                queue ----'
 *
 * A batch is always taken through the queue, and stays at its head until all of its tasks were submitted. Room for the record of
 * what waits is kept in the completion ring, as for what is in flight. Owner's thread.
 */
#ifndef BRIDGE_QUEUE_H
#define BRIDGE_QUEUE_H

#include "bridge.h"

struct bridge_context;
struct bridge_pool;

/** What becomes of the entries of an order in the rest of a pass, once the first of them has its answer. */
struct bridge_pass_order {
	uint64_t pass;				/**< that it was written in; else it says nothing */
	uint64_t order;
	int32_t status;				/**< they are refused with this; DOCA_SUCCESS: they stay */
};

struct bridge_queue {
	struct dpubridge_entry *entries;
	struct bridge_pass_order *orders;	/**< hash table with open addressing, twice as large as the queue */
	uint64_t pass;				/**< number of the present or last pass; see pass.h */
	uint32_t mask;				/**< there is room for one more, a power of two */
	uint32_t capacity;			/**< that may be used */
	uint32_t head, count;
	bool is_pumping;			/**< somebody further up lets entries in: nobody else changes the queue meanwhile */
	bool is_recalled;			/**< meanwhile */
};

/** The index-th entry that waits. */
static inline struct dpubridge_entry *bridge_queue_at(struct bridge_queue *queue, uint32_t index)
{
	return &queue->entries[(queue->head + index) & queue->mask];
}

/** Put an entry behind the others. @return whether there was room */
static inline bool bridge_queue_push(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	if (queue->count == queue->capacity)
		return false;
	*bridge_queue_at(queue, queue->count++) = *entry;
	return true;
}

/** Take the first entry out; there must be one. */
static inline struct dpubridge_entry bridge_queue_pop(struct bridge_queue *queue)
{
	struct dpubridge_entry entry = *bridge_queue_at(queue, 0);

	queue->head++;
	queue->count--;
	return entry;
}

/** Submit an entry, or let it wait. @return 0, or the doca_error_t for the entry's REFUSED record */
int32_t bridge_queue_take(struct dpubridge *bridge, struct bridge_context *context, const struct dpubridge_entry *entry);

/** Submit what waits, as far as tasks are free. */
void bridge_queue_pump(struct bridge_pool *pool);

/** Answer all that waits, and of a batch that was begun the rest, with BAD_STATE: the context takes no more. */
void bridge_queue_recall(struct bridge_pool *pool);

/**
 * Take out the entry of this user data, if it waits. The rest of a batch that was begun has this status as its result, and its
 * record follows.
 * @return whether no record follows
 */
bool bridge_queue_withdraw(struct bridge_pool *pool, uint64_t user_data, int32_t status);

/** Have room for so many. @return 0, or NO_MEMORY. Nothing may wait. */
int32_t bridge_queue_configure(struct bridge_queue *queue, uint32_t capacity);

/** Free its memory. */
void bridge_queue_fini(struct bridge_queue *queue);

/** Answer an entry that is not in flight. */
void bridge_refuse(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status);

/** The same for an entry that room in the completion ring was kept for. */
void bridge_refuse_kept(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status);

#endif
