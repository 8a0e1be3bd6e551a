/*
 * One pass over a queue with a retry budget. The pass removes each entry once, and appends the entries that stay, so
 * that the order is kept. A refused ordering key stays queued and holds up no other key. Owner's thread.
 */
#ifndef BRIDGE_PASS_H
#define BRIDGE_PASS_H

#include "queue/queue.h"

/** Submits the entries that can go now, in time linear in the number of entries. The pass alone may change the queue. */
void bridge_pass(struct bridge_queue *queue);

#endif
