/*
 * Order of entries. Once an entry is held back, later entries of its ordering key get the same answer, until the caller has
 * read it.
 */
#ifndef BRIDGE_ORDER_H
#define BRIDGE_ORDER_H

#include "ring/bridge.h"
#include "task/kind.h"

enum { BRIDGE_MAX_HELD = 64 };

/** Ordering keys of a context with held back entries; later entries of these keys must not overtake them. */
struct bridge_hold {
	uint64_t until;				/**< position after the last held back record: once the caller has read up to it, no key is held */
	uint32_t count;
	bool is_full;				/**< more keys than room: all later entries are held back */
	uint64_t orders[BRIDGE_MAX_HELD];
	int32_t statuses[BRIDGE_MAX_HELD];	/**< answer to the first entry of each key */
};

/** Returns the ordering key of an entry. Entries of different keys may overtake each other. kind: NULL if it is not configured. */
static inline uint64_t bridge_order_of(const struct bridge_kind *kind, const struct dpubridge_entry *entry)
{
	return kind != NULL && kind->shape->is_ordered_by_argument ? entry->argument : 0;
}

/** Returns the answer to an entry whose key is held back; DOCA_SUCCESS if it is not. */
int32_t bridge_order_held(const struct dpubridge *bridge, const struct bridge_hold *hold, const struct bridge_kind *kind,
			  const struct dpubridge_entry *entry);

/**
 * Notes the status that the next record reports for an entry.
 * @return whether the status holds back later entries of its key
 */
bool bridge_order_note(const struct dpubridge *bridge, struct bridge_hold *hold, const struct bridge_kind *kind,
		       const struct dpubridge_entry *entry, int32_t status);

#endif
