/* Batches: many tasks in one entry, with one record. */
#ifndef BRIDGE_BATCH_H
#define BRIDGE_BATCH_H

#include "kinds.h"

static inline bool bridge_batch_is(const struct bridge_shape *shape, const struct dpubridge_entry *entry)
{
	return shape->checksums != NULL && entry->flags == DPUBRIDGE_FLAG_BATCH;
}

static inline struct dpubridge_batch *bridge_batch_of(const struct dpubridge_entry *entry)
{
	return (struct dpubridge_batch *)(uintptr_t)entry->src_addr;
}

static inline const struct dpubridge_entry *bridge_batch_entry(const struct dpubridge_batch *batch, uint32_t number)
{
	return (const struct dpubridge_entry *)(batch + 1) + number;
}

static inline struct dpubridge_result *bridge_batch_result(struct dpubridge_batch *batch, uint32_t number)
{
	struct dpubridge_entry *entries = (struct dpubridge_entry *)(batch + 1);

	return (struct dpubridge_result *)(entries + batch->count) + number;
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

/** A task has come to its end without having been submitted. */
static inline void bridge_batch_fail(struct dpubridge_batch *batch, uint32_t number, int32_t status)
{
	*bridge_batch_result(batch, number) = (struct dpubridge_result){ .status = status };
	batch->ended++;
	batch->failures++;
}

/** All tasks that were not submitted come to their end. */
static inline void bridge_batch_fail_rest(struct dpubridge_batch *batch, int32_t status)
{
	while (batch->next < batch->count)
		bridge_batch_fail(batch, batch->next++, status);
}

/** A submitted task has come to its end, and its result is there. */
static inline void bridge_batch_ended(struct dpubridge_batch *batch, const struct dpubridge_result *result)
{
	batch->ended++;
	batch->failures += result->status != DOCA_SUCCESS;
}

#endif
