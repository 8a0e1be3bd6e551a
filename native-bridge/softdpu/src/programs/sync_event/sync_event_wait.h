/* The two types of tasks that wait. */
#ifndef SYNC_EVENT_WAIT_H
#define SYNC_EVENT_WAIT_H

#include "sd_sync_event.h"

extern const struct sd_task_operation sync_event_wait_eq;
extern const struct sd_task_operation sync_event_wait_neq;

#endif
