/*
 * DOCA's callbacks of finished tasks. On the owner's thread a callback puts the record into the ring, keeps or frees the task, and
 * submits waiting entries. On another thread it writes the record and puts the task into the overflow queue. The callback of
 * a task that is not in flight is a second one: it changes nothing, and adds another record.
 */
#ifndef BRIDGE_COMPLETION_H
#define BRIDGE_COMPLETION_H

#include "base/doca_abi.h"

void bridge_task_done(void *object, union doca_data task_user_data, union doca_data ctx_user_data);
void bridge_task_failed(void *object, union doca_data task_user_data, union doca_data ctx_user_data);

#endif
