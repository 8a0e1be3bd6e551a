/* Public functions for tasks that wait for a value. */
#include "sync_event_wait.h"

static doca_error_t alloc_wait(struct doca_sync_event *event, const struct sd_task_operation *operation, uint64_t wait_val,
			       uint64_t mask, union doca_data user_data, struct sync_event_task **task)
{
	doca_error_t result = sync_event_alloc(event, operation, user_data, task);

	if (result != DOCA_SUCCESS)
		return result;
	(*task)->operand = wait_val;
	(*task)->mask = mask;
	(*task)->waits_for_equal = operation == &sync_event_wait_eq;
	return DOCA_SUCCESS;
}

/* Defines the functions of one task type. */
#define WAIT_TASK(kind)                                                                                              \
	SYNC_EVENT_TASK(kind, &sync_event_##kind)                                                                     \
	doca_error_t doca_sync_event_task_##kind##_alloc_init(struct doca_sync_event *event, uint64_t wait_val,      \
							      uint64_t mask, union doca_data user_data,              \
							      struct doca_sync_event_task_##kind **task)             \
	{                                                                                                            \
		return alloc_wait(event, &sync_event_##kind, wait_val, mask, user_data, (struct sync_event_task **)task); \
	}                                                                                                            \
	SYNC_EVENT_MEMBER(kind, wait_val, uint64_t, 0, operand)                                                     \
	SYNC_EVENT_MEMBER(kind, mask, uint64_t, 0, mask)

WAIT_TASK(wait_eq)
WAIT_TASK(wait_neq)
