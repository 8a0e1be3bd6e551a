/*
 * Positions of the two rings and of the message cells, and their room. Positions are in the shared header, run freely over 32
 * bits, and wrap.
 *
 *   completion ring    | unread | reserved for outstanding tasks | free ... | quarter for unsolicited records |
 *
 * enter takes an entry from the submission ring only while unread + outstanding < task_room, so the record of a finished
 * task always has room. State changes, connections, messages and consumers are unsolicited. The records of these events may use
 * all remaining room, and otherwise wait in the overflow queue.
 */
#ifndef BRIDGE_RING_H
#define BRIDGE_RING_H

#include "ring/bridge.h"

/** Returns the number of records that the caller has not consumed. */
static inline uint32_t bridge_ring_unread(const struct dpubridge *bridge)
{
	return bridge->header->completion_tail - bridge->header->completion_head;
}

/** Returns the number of entries that wait for submission. */
static inline uint32_t bridge_ring_waiting(const struct dpubridge *bridge)
{
	return bridge->header->submission_tail - bridge->header->submission_head;
}

static inline bool bridge_ring_has_task_room(const struct dpubridge *bridge)
{
	return bridge_ring_unread(bridge) + bridge->outstanding < bridge->task_room;
}

static inline bool bridge_ring_has_unsolicited_room(const struct dpubridge *bridge)
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

/** Returns whether there is room for an unsolicited record, and a free cell if it is a message. */
static inline bool bridge_ring_has_room(const struct dpubridge *bridge, const struct dpubridge_record *record)
{
	return bridge_ring_has_unsolicited_room(bridge) &&
	       (record->type != DPUBRIDGE_RECORD_MESSAGE || bridge_ring_has_cell(bridge));
}

/** Returns the next free message cell; there must be one. */
static inline uint8_t *bridge_ring_cell(const struct dpubridge *bridge)
{
	uint32_t index = bridge->header->message_tail & (bridge->header->message_cells - 1);

	return bridge->cells + (size_t)index * bridge->header->message_bytes;
}

/** Returns the place of the next record, to write before bridge_ring_push(); there must be room. */
static inline struct dpubridge_record *bridge_ring_next(const struct dpubridge *bridge)
{
	return &bridge->records[bridge->header->completion_tail & (bridge->header->completion_capacity - 1)];
}

/** Appends the record at bridge_ring_next(). */
static inline void bridge_ring_push(struct dpubridge *bridge)
{
	bridge->header->completion_tail++;
}

/** Appends a record; there must be room. */
static inline void bridge_ring_put(struct dpubridge *bridge, const struct dpubridge_record *record)
{
	*bridge_ring_next(bridge) = *record;
	bridge_ring_push(bridge);
}

#endif
