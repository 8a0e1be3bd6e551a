/* Submission of entries: at once if a task is free, else through the queue. Owner's thread. */
#ifndef BRIDGE_PUMP_H
#define BRIDGE_PUMP_H

#include "queue/queue.h"

/** Submits an entry of the pool's kind, or queues it. @return 0, or the doca_error_t for the entry's REFUSED record */
int32_t bridge_queue_take(struct bridge_pool *pool, const struct dpubridge_entry *entry);

/** Submits waiting entries while tasks are free. */
void bridge_queue_pump(struct bridge_queue *queue);

/** Submits the refused entries of all queues again, once. */
void bridge_queues_retry(struct dpubridge *bridge);

/** Answers all waiting entries with BAD_STATE, and the rest of a batch that has begun with SHUTDOWN: the context accepts no more. */
void bridge_queue_recall(struct bridge_queue *queue);

/**
 * Removes the waiting entry with this user data. The rest of a batch that has begun gets the status as its result, and its
 * record follows.
 * @return true if the entry was removed and no record follows
 */
bool bridge_queue_withdraw(struct bridge_queue *queue, uint64_t user_data, int32_t status);

/** Removes the waiting entry with this user data if it waits behind another entry of its ordering key. Returns whether it did. */
bool bridge_queue_reclaim(struct bridge_queue *queue, uint64_t user_data);

#endif
