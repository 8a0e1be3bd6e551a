/*
 * The table of kinds. The shapes of the kinds:
 *
 *   transform.c    compress, DMA and SHA: from a source to a destination
 *   object.c       the same with a key or a matrix
 *   session.c      the same with a state that lasts over several submissions
 *   control.c      comch server and client: a message to a connection
 *   data.c         comch consumer and producer: a buffer and immediate data
 *   event.c        sync events: a number
 *   rdma.c         RDMA: buffers of both sides of a connection
 */
#ifndef BRIDGE_KINDS_H
#define BRIDGE_KINDS_H

#include "task/kind.h"

/** Returns the row of an available kind; NULL when the number is unknown or no loaded library has the kind. */
const struct bridge_kind *bridge_kind_find(uint16_t kind);

/** Resolves all kinds that a library has completely; returns their number. */
uint32_t bridge_kinds_resolve(void *library);

/** Makes all kinds unavailable. */
void bridge_kinds_forget(void);

#endif
