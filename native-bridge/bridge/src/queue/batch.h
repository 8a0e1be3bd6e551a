/*
 * Batches: many tasks in one entry, with one record.
 *
 * A run reuses settings of the previous run. A source keeps its content (batch->prepared). A task that serves the same number
 * again keeps its buffers (task->tag); this is the case while the batch fits into the window. The bridge then only empties
 * the destination and submits.
 */
#ifndef BRIDGE_BATCH_H
#define BRIDGE_BATCH_H

#include "queue/queue.h"

static inline bool bridge_batch_is(const struct bridge_shape *shape, const struct dpubridge_entry *entry)
{
	return shape->takes_batches && entry->flags == DPUBRIDGE_FLAG_BATCH;
}

static inline struct dpubridge_batch *bridge_batch_of(const struct dpubridge_entry *entry)
{
	return (struct dpubridge_batch *)(uintptr_t)entry->src_addr;
}

static inline struct dpubridge_entry *bridge_batch_entry(struct dpubridge_batch *batch, uint32_t number)
{
	return (struct dpubridge_entry *)(batch + 1) + number;
}

static inline struct dpubridge_result *bridge_batch_result(struct dpubridge_batch *batch, uint32_t number)
{
	struct dpubridge_entry *entries = (struct dpubridge_entry *)(batch + 1);

	return (struct dpubridge_result *)(entries + batch->count) + number;
}

/** Returns the number that a task of a batch serves. */
static inline uint32_t bridge_batch_number(const struct bridge_task *task)
{
	return (uint32_t)(task->tag & (DPUBRIDGE_BATCH_TASKS - 1));
}

/** Returns whether a batch can be entered. */
static inline bool bridge_batch_is_valid(const struct dpubridge_batch *batch)
{
	return batch != NULL && (uintptr_t)batch % sizeof(uint64_t) == 0 && batch->count > 0 &&
	       batch->count <= DPUBRIDGE_BATCH_TASKS && batch->next < batch->count && batch->ended <= batch->next;
}

/** Begins a run of a valid batch. */
void bridge_batch_enter(struct dpubridge_batch *batch, uint64_t user_data);

/** Submits the next tasks while tasks are free. @return 0, or the status with which DOCA accepts no more for now */
int32_t bridge_batch_submit(struct bridge_queue *queue, struct bridge_pool *pool, struct dpubridge_batch *batch);

/** Ends all tasks that were not submitted, with the status as their result. */
void bridge_batch_fail_rest(struct dpubridge_batch *batch, int32_t status);

/**
 * Writes the result of a finished task. No thread reads the result before the batch has ended. Any thread.
 * @return whether the task has failed
 */
bool bridge_batch_describe(const struct bridge_task *task, bool has_failed);

/** Puts the record of a batch into the ring. All its tasks have their results. Owner. */
void bridge_batch_end(const struct bridge_pool *pool, const struct dpubridge_batch *batch);

static inline void bridge_batch_end_if_complete(const struct bridge_pool *pool, const struct dpubridge_batch *batch)
{
	if (batch->ended == batch->count)
		bridge_batch_end(pool, batch);
}

#endif
