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
	doca_error_t result = sync_event_alloc(event, &set_operation, user_data, (struct sync_event_task **)task);

	if (result != DOCA_SUCCESS)
		return result;
	(*task)->task.operand = set_val;
	(*task)->task.result = NULL;
	return DOCA_SUCCESS;
}

SYNC_EVENT_MEMBER(notify_set, set_val, uint64_t, 0, operand)

SYNC_EVENT_TASK(notify_add, &add_operation)

doca_error_t doca_sync_event_task_notify_add_alloc_init(struct doca_sync_event *event, uint64_t inc_val,
							uint64_t *fetched_val_ptr, union doca_data user_data,
							struct doca_sync_event_task_notify_add **task)
{
	doca_error_t result = sync_event_alloc(event, &add_operation, user_data, (struct sync_event_task **)task);

	if (result != DOCA_SUCCESS)
		return result;
	(*task)->task.operand = inc_val;
	(*task)->task.result = fetched_val_ptr;
	return DOCA_SUCCESS;
}

SYNC_EVENT_MEMBER(notify_add, inc_val, uint64_t, 0, operand)
SYNC_EVENT_MEMBER(notify_add, fetched_val_ptr, uint64_t *, NULL, result)
