/* Public functions for tasks that read the value. */
#include "sd_sync_event.h"

static doca_error_t validate(struct doca_task *base)
{
	return ((struct sync_event_task *)base)->result == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

static doca_error_t execute(struct doca_task *base, void *unit)
{
	(void)unit;
	return sync_event_load((struct doca_sync_event *)base->ctx, &((struct sync_event_task *)base)->fetched);
}

static const struct sd_task_operation get_operation = {
	.name = "sync-event-get",
	.task_size = sizeof(struct doca_sync_event_task_get),
	.validate = validate,
	.latch = sync_event_latch,
	.execute = execute,
	.begin = sync_event_begin_in_order,
	.is_held_up = sync_event_is_held_up,
	.complete = sync_event_complete_in_order,
	.corrupt = sync_event_corrupt,
};

SYNC_EVENT_TASK(get, &get_operation)

doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
						 struct doca_sync_event_task_get **task)
{
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	if (ret_val_ptr != NULL)
		result = sync_event_alloc(event, &get_operation, user_data, (struct sync_event_task **)task);
	if (result == DOCA_SUCCESS)
		(*task)->task.result = ret_val_ptr;
	return result;
}

SYNC_EVENT_MEMBER(get, ret_val_ptr, uint64_t *, NULL, result)
