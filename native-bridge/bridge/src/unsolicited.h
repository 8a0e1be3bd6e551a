/*
 * Unsolicited events of comch contexts: connections, messages, consumers. The callback, on any thread, puts the event
 *
 *   into the ring                  on the owner's thread, if the overflow queue is empty and there is room (for a message:
 *                                  also a free cell)
 *   into the overflow queue        otherwise, with a copy of a message's bytes
 */
#ifndef BRIDGE_UNSOLICITED_H
#define BRIDGE_UNSOLICITED_H

#include "context.h"

/** Registers the callbacks of a role on an idle context. @return doca_error_t */
int bridge_unsolicited_register(const struct bridge_context *context, enum bridge_role role);

/** Returns whether there is room for an unsolicited record. Owner. */
bool bridge_unsolicited_has_room(const struct dpubridge *bridge, const struct dpubridge_record *record);

/**
 * Puts a record into the ring, which has room. Owner.
 * @param connection its handle goes into the record; NULL for a failed attempt
 * @param bytes of a message, record->produced bytes; copied into a cell
 */
void bridge_unsolicited_put(struct dpubridge *bridge, struct bridge_connection *connection, struct dpubridge_record *record,
			    const uint8_t *bytes);

#endif
