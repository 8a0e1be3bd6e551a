/* The order of entries: once one was held back, those that follow it in its order are answered as it was, until the caller has read that. */
#ifndef BRIDGE_ORDER_H
#define BRIDGE_ORDER_H

#include "context.h"

/** Entries of different orders may overtake each other. */
uint64_t bridge_order_of(const struct bridge_context *context, const struct dpubridge_entry *entry);

/** What an entry is answered because of one before it in its order; DOCA_SUCCESS when there is none. */
int32_t bridge_order_held(const struct bridge_context *context, const struct dpubridge_entry *entry);

/**
 * Take note of what an entry is answered by the next record.
 * @return whether that holds back what follows
 */
bool bridge_order_note(struct bridge_context *context, const struct dpubridge_entry *entry, int32_t status);

#endif
