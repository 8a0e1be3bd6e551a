/*
 * DOCA's callbacks of finished tasks. On the owner's thread a callback puts the record into the ring, keeps or frees the task, and
 * submits waiting entries. On another thread it writes the record and puts the task into the overflow queue. A task of a batch
 * has a result in place of a record; the last task puts the record of the batch into the ring.
 *
 * The callback of a task that is not in flight is a second one. It changes nothing. On the owner's thread it adds another record, if
 * the ring has room for an unsolicited one.
 */
#ifndef BRIDGE_COMPLETION_H
#define BRIDGE_COMPLETION_H

#include "base/doca_abi.h"

void bridge_task_done(void *object, union doca_data task_user_data, union doca_data ctx_user_data);
void bridge_task_failed(void *object, union doca_data task_user_data, union doca_data ctx_user_data);

#endif
