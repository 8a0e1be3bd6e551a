/*
 * One pass over the entries behind a refused one, so that it holds up no other ordering key. The pass removes each entry once,
 * and appends the entries that stay, so that the order is kept. Owner's thread.
 */
#ifndef BRIDGE_PASS_H
#define BRIDGE_PASS_H

#include "queue/queue.h"

/** Submits an entry, or the next tasks of a batch. Returns whether nothing of the entry is left to submit. */
typedef bool bridge_submit(struct bridge_queue *queue, const struct dpubridge_entry *entry);

/**
 * Submits the first entry of each ordering key, except the key of the queue's first entry. Continues with the entries of the
 * key until one is refused. Takes time linear in the number of entries. The pass alone may change the queue.
 */
void bridge_pass(struct bridge_queue *queue, bridge_submit *submit);

#endif
