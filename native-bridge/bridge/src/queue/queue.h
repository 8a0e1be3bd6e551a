/*
 * Entries that wait for a task of their kind, or until DOCA accepts them. Each pool has a bounded queue, or several pools share
 * one to keep the order of their entries. pump.h submits them.
 *
 *   submission ring --take--> [a task is free?] --> doca_task_submit --AGAIN--.
 *                                  | no    ^                                 |
 *                                  v       | a task ends: its callback       |
 *                                queue ----' submits the next entry          |
 *                                  ^                                         |
 *                                  '------ in front of its ordering key -----'
 *
 * A batch always goes through the queue, and stays at its head until all of its tasks are submitted. Entries of other ordering
 * keys pass a batch at its limit. The completion ring reserves room for the records of waiting entries, as for entries in flight. Owner's thread.
 */
#ifndef BRIDGE_QUEUE_H
#define BRIDGE_QUEUE_H

#include "task/task.h"

/** An ordering key whose entries stay for the rest of a pass. */
struct bridge_pass_key {
	uint64_t pass;				/**< number of the pass that wrote this; else invalid */
	uint64_t key;
};

struct bridge_queue {
	struct bridge_pool pool;		/**< first: bridge_queue_of(). Of a shared queue: without tasks */
	struct bridge_queue *kinds;		/**< of a shared queue: the queues of the context by kind, whose pools it serves; else NULL */
	struct dpubridge_entry *entries;
	struct bridge_pass_key *keys;		/**< hash table with open addressing, twice as large as the queue */
	uint64_t pass;				/**< number of the current or last pass; see pass.h */
	uint32_t mask;				/**< size - 1; the size is a power of two */
	uint32_t num_tasks;			/**< size of the pools */
	uint32_t capacity;			/**< maximum number of entries that wait or are in flight */
	uint32_t head, count;
	bool is_pumping;			/**< a caller further up submits entries: only it may change the queue */
	bool is_recalled;			/**< recalled while is_pumping */
	bool is_refused;			/**< DOCA has accepted no entry since it refused one; see retry.h */
	bool is_listed;				/**< in bridge->refused */
	struct bridge_queue *next_refused;
};
static_assert(offsetof(struct bridge_queue, pool) == 0, "a pool is the beginning of its queue");

/** Returns the queue in front of a configured pool. */
static inline struct bridge_queue *bridge_queue_of(struct bridge_pool *pool)
{
	return (struct bridge_queue *)pool->head;
}

/** Returns the pool of an entry of the queue. */
static inline struct bridge_pool *bridge_queue_pool(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	return queue->kinds != NULL ? &queue->kinds[entry->kind].pool : &queue->pool;
}

/** Returns the ordering key of an entry. Entries of different keys may overtake each other. */
static inline uint64_t bridge_queue_key(const struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	return entry->argument & queue->pool.kind->shape->key_mask;
}

/** Returns the index-th waiting entry. */
static inline struct dpubridge_entry *bridge_queue_at(struct bridge_queue *queue, uint32_t index)
{
	return &queue->entries[(queue->head + index) & queue->mask];
}

/** Returns whether another entry may wait or be in flight. A batch needs one place, and its tasks need none. */
static inline bool bridge_queue_has_room(const struct bridge_queue *queue, bool is_batch)
{
	return queue->pool.inflight + queue->count < queue->capacity || (is_batch && queue->count == 0);
}

/** Appends an entry; there must be room. */
static inline void bridge_queue_push(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	*bridge_queue_at(queue, queue->count++) = *entry;
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

/**
 * Allocates the places of an empty queue.
 * @param num_tasks size of the pool
 * @param num_waiting maximum number of entries that wait while all tasks are in flight
 * @return 0, or NO_MEMORY, which leaves the queue unchanged
 */
int32_t bridge_queue_configure(struct bridge_queue *queue, uint32_t num_tasks, uint32_t num_waiting);

/** Frees everything except the pool. */
void bridge_queue_fini(struct bridge_queue *queue);

/** Answers an entry that is not in flight. */
void bridge_refuse(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status);

/** Does the work of bridge_refuse() for an entry with reserved room in the completion ring. */
void bridge_refuse_kept(struct dpubridge *bridge, const struct dpubridge_entry *entry, int32_t status);

#endif
