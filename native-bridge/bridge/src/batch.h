/*
 * Batches: many tasks in one entry, with one record.
 *
 * What DOCA was told in one run stays told for the next: a source keeps its content (batch->prepared), and a task that serves the
 * same number again, as it does while the batch fits into the window, keeps its buffers (task->tag). What is left then is to empty
 * the destination and to submit.
 */
#ifndef BRIDGE_BATCH_H
#define BRIDGE_BATCH_H

#include "kinds.h"
#include "task.h"

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

/** The number that a task of a batch serves. */
static inline uint32_t bridge_batch_number(const struct bridge_task *task)
{
	return (uint32_t)(task->tag & (DPUBRIDGE_BATCH_TASKS - 1));
}

/** Whether a batch is one that can be entered. */
static inline bool bridge_batch_is_valid(const struct dpubridge_batch *batch)
{
	return batch != NULL && (uintptr_t)batch % sizeof(uint64_t) == 0 && batch->count > 0 &&
	       batch->count <= DPUBRIDGE_BATCH_TASKS && batch->next < batch->count && batch->ended <= batch->next;
}

/** Whether the device has any of it. */
static inline bool bridge_batch_is_in_flight(const struct dpubridge_batch *batch)
{
	return batch->ended < batch->next;
}

static inline bool bridge_batch_has_ended(const struct dpubridge_batch *batch)
{
	return batch->ended == batch->count;
}

/** A valid batch was entered, by this user data. */
void bridge_batch_enter(struct dpubridge_batch *batch, uint64_t user_data);

/** Submit what comes next, as far as tasks are free. @return 0, or AGAIN: the device takes no more */
int32_t bridge_batch_submit(struct bridge_pool *pool, struct dpubridge_batch *batch);

/** All tasks that were not submitted come to their end. */
void bridge_batch_fail_rest(struct dpubridge_batch *batch, int32_t status);

/** A task of a batch has finished: write its result, which nobody looks at before the batch has ended, and answer. Any thread. */
void bridge_batch_finished(struct bridge_task *task, bool has_failed);

/** What bridge_task_answer() does for a task of a batch: the last one puts the record into the ring. Owner. */
void bridge_batch_answer(struct bridge_task *task);

/** Put the record of a batch, all of whose tasks have their result, into the ring. Owner. */
void bridge_batch_end(struct bridge_pool *pool, const struct dpubridge_batch *batch);

#endif
