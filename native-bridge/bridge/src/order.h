/*
 * Order of entries. Once an entry is held back, later entries of its ordering key get the same answer, until the caller has
 * read it.
 */
#ifndef BRIDGE_ORDER_H
#define BRIDGE_ORDER_H

#include "context.h"

/** Returns the ordering key of an entry. Entries of different keys may overtake each other. */
uint64_t bridge_order_of(const struct bridge_context *context, const struct dpubridge_entry *entry);

/** Returns the answer to an entry whose key is held back; DOCA_SUCCESS if it is not. */
int32_t bridge_order_held(const struct bridge_context *context, const struct dpubridge_entry *entry);

/**
 * Notes the status that the next record reports for an entry.
 * @return whether the status holds back later entries of its key
 */
bool bridge_order_note(struct bridge_context *context, const struct dpubridge_entry *entry, int32_t status);

#endif
