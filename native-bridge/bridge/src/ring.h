/*
 * Positions of the two rings and of the message cells, and room. Positions live in the shared header, run freely over 32 bits,
 * and wrap.
 *
 *   completion ring    | unread | kept for outstanding tasks | free ... | quarter for unasked records |
 *
 * An entry is taken from the submission ring only while unread + outstanding < task_room, so the record of a finished
 * task always finds room. State changes, connections, messages and consumers come unasked: they may use all that is left, and
 * wait aside when nothing is.
 */
#ifndef BRIDGE_RING_H
#define BRIDGE_RING_H

#include "bridge.h"

/** Records that the caller has not consumed. */
static inline uint32_t bridge_ring_unread(const struct dpubridge *bridge)
{
	return bridge->header->completion_tail - bridge->header->completion_head;
}

/** Records that the caller has consumed, ever. 64 bits: a position that was noted long ago cannot be mistaken for a new one. */
static inline uint64_t bridge_ring_num_read(const struct dpubridge *bridge)
{
	return bridge->num_records - bridge_ring_unread(bridge);
}

/** Entries that wait for submission. */
static inline uint32_t bridge_ring_waiting(const struct dpubridge *bridge)
{
	return bridge->header->submission_tail - bridge->header->submission_head;
}

static inline bool bridge_ring_has_task_room(const struct dpubridge *bridge)
{
	return bridge_ring_unread(bridge) + bridge->outstanding < bridge->task_room;
}

static inline bool bridge_ring_has_unasked_room(const struct dpubridge *bridge)
{
	return bridge_ring_unread(bridge) + bridge->outstanding < bridge->header->completion_capacity;
}

static inline bool bridge_ring_is_full(const struct dpubridge *bridge)
{
	return bridge_ring_unread(bridge) >= bridge->header->completion_capacity;
}

static inline const struct dpubridge_entry *bridge_ring_entry(const struct dpubridge *bridge, uint32_t position)
{
	return &bridge->entries[position & (bridge->header->submission_capacity - 1)];
}

static inline bool bridge_ring_has_cell(const struct dpubridge *bridge)
{
	return bridge->header->message_tail - bridge->header->message_head < bridge->header->message_cells;
}

/** The next free message cell; there must be one. */
static inline uint8_t *bridge_ring_cell(const struct dpubridge *bridge)
{
	uint32_t index = bridge->header->message_tail & (bridge->header->message_cells - 1);

	return bridge->cells + (size_t)index * bridge->header->message_bytes;
}

/** Where the next record is to be put together, before bridge_ring_push(); there must be room. */
static inline struct dpubridge_record *bridge_ring_next(const struct dpubridge *bridge)
{
	return &bridge->records[bridge->header->completion_tail & (bridge->header->completion_capacity - 1)];
}

/** Append what is at bridge_ring_next(). */
static inline void bridge_ring_push(struct dpubridge *bridge)
{
	bridge->header->completion_tail++;
	bridge->num_records++;
}

/** Append a record; there must be room. */
static inline void bridge_ring_put(struct dpubridge *bridge, const struct dpubridge_record *record)
{
	*bridge_ring_next(bridge) = *record;
	bridge_ring_push(bridge);
}

#endif
