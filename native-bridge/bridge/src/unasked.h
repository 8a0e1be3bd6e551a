/*
 * What comch contexts say unasked: connections, messages, consumers. In the callback, on whichever thread that is, it goes
 *
 *   into the ring     on the owner's thread, when nothing waits aside and there is room (for a message: also a free cell)
 *   aside             otherwise, a message with a copy of its bytes
 */
#ifndef BRIDGE_UNASKED_H
#define BRIDGE_UNASKED_H

#include "context.h"

/** Register the callbacks for a role on an idle context. @return doca_error_t */
int bridge_unasked_register(const struct bridge_context *context, enum bridge_role role);

/** Whether there is room for an unasked record. Owner. */
bool bridge_unasked_has_room(const struct dpubridge *bridge, const struct dpubridge_record *record);

/**
 * Put a record into the ring, which has room. Owner.
 * @param connection its handle goes into the record; NULL for a failed attempt
 * @param bytes of a message, record->produced of them; they are copied into a cell
 */
void bridge_unasked_put(struct dpubridge *bridge, struct bridge_connection *connection, struct dpubridge_record *record,
			const uint8_t *bytes);

#endif
