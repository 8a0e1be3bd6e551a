/*
 * Unsolicited events of comch and RDMA contexts: connections, messages, consumers. The callback, on any thread, puts the event
 *
 *   into the ring                  on the owner's thread, if the overflow queue is empty and there is room (for a message:
 *                                  also a free cell)
 *   into the overflow queue        otherwise, with a copy of a message's bytes
 */
#ifndef BRIDGE_UNSOLICITED_H
#define BRIDGE_UNSOLICITED_H

#include "connection/connection.h"

/** Registers the callbacks of a role of comch on an idle context. @return doca_error_t */
int bridge_unsolicited_register(const struct bridge_context *context, enum bridge_role role);

/** Reports a change of an RDMA connection. Owner. */
void bridge_unsolicited_report(struct bridge_connection *connection, struct dpubridge_record *record);

#endif
