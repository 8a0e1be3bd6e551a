/* Public functions for tasks that change the value. */
#include "sd_sync_event.h"

static doca_error_t execute_set(struct doca_task *base, void *unit)
{
	struct sync_event_task *task = (struct sync_event_task *)base;

	(void)unit;
	return sync_event_set((struct doca_sync_event *)base->ctx, task->latched_operand, &task->fetched);
}

static doca_error_t execute_add(struct doca_task *base, void *unit)
{
	struct sync_event_task *task = (struct sync_event_task *)base;

	(void)unit;
	return sync_event_add((struct doca_sync_event *)base->ctx, task->latched_operand, &task->fetched);
}

static const struct sd_task_operation set_operation = {
	.name = "sync-event-notify-set",
	.task_size = sizeof(struct doca_sync_event_task_notify_set),
	.latch = sync_event_latch,
	.execute = execute_set,
	.begin = sync_event_begin_in_order,
	.is_held_up = sync_event_is_held_up,
	.complete = sync_event_complete_in_order,
};

static const struct sd_task_operation add_operation = {
	.name = "sync-event-notify-add",
	.task_size = sizeof(struct doca_sync_event_task_notify_add),
	.latch = sync_event_latch,
	.execute = execute_add,
	.begin = sync_event_begin_in_order,
	.is_held_up = sync_event_is_held_up,
	.complete = sync_event_complete_in_order,
	.corrupt = sync_event_corrupt,
};

SYNC_EVENT_TASK(notify_set, &set_operation)

doca_error_t doca_sync_event_task_notify_set_alloc_init(struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
							struct doca_sync_event_task_notify_set **task)
{
	struct sync_event_task *allocated;
	doca_error_t result;

	if (event == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sync_event_alloc(event, &set_operation, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	allocated->operand = set_val;
	allocated->result = NULL;
	*task = (struct doca_sync_event_task_notify_set *)allocated;
	return DOCA_SUCCESS;
}

SD_SETTER(doca_sync_event_task_notify_set_set_set_val, struct doca_sync_event_task_notify_set, uint64_t, task.operand)
SD_PROPERTY(doca_sync_event_task_notify_set_get_set_val, const struct doca_sync_event_task_notify_set, uint64_t, 0,
	object->task.operand)

SYNC_EVENT_TASK(notify_add, &add_operation)

doca_error_t doca_sync_event_task_notify_add_alloc_init(struct doca_sync_event *event, uint64_t inc_val,
							uint64_t *fetched_val_ptr, union doca_data user_data,
							struct doca_sync_event_task_notify_add **task)
{
	struct sync_event_task *allocated;
	doca_error_t result;

	if (event == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sync_event_alloc(event, &add_operation, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	allocated->operand = inc_val;
	allocated->result = fetched_val_ptr;
	*task = (struct doca_sync_event_task_notify_add *)allocated;
	return DOCA_SUCCESS;
}

SD_SETTER(doca_sync_event_task_notify_add_set_inc_val, struct doca_sync_event_task_notify_add, uint64_t, task.operand)
SD_PROPERTY(doca_sync_event_task_notify_add_get_inc_val, const struct doca_sync_event_task_notify_add, uint64_t, 0,
	object->task.operand)
SD_SETTER(doca_sync_event_task_notify_add_set_fetched_val_ptr, struct doca_sync_event_task_notify_add, uint64_t *,
	task.result)
SD_PROPERTY(doca_sync_event_task_notify_add_get_fetched_val_ptr, const struct doca_sync_event_task_notify_add, uint64_t *,
	NULL, object->task.result)
