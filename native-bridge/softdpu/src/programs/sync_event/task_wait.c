/* Public functions for tasks that wait for a value. */
#include "sd_shape.h"
#include "sync_event_wait.h"

static doca_error_t alloc_wait(struct doca_sync_event *event, const struct sd_task_operation *operation, uint64_t wait_val,
			       uint64_t mask, union doca_data user_data, struct sync_event_task **task)
{
	doca_error_t result;

	if (event == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sync_event_alloc(event, operation, user_data, task);
	if (result != DOCA_SUCCESS)
		return result;
	(*task)->operand = wait_val;
	(*task)->mask = mask;
	(*task)->waits_for_equal = operation == &sync_event_wait_eq;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_task_wait_eq_set_conf(struct doca_sync_event *event,
						   doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
						   doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks)
{
	return sync_event_configure(event, &sync_event_wait_eq, (doca_task_completion_cb_t)completion_cb,
				    (doca_task_completion_cb_t)error_cb, num_tasks);
}

doca_error_t doca_sync_event_task_wait_eq_alloc_init(struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,
						     union doca_data user_data, struct doca_sync_event_task_wait_eq **task)
{
	return alloc_wait(event, &sync_event_wait_eq, wait_val, mask, user_data, (struct sync_event_task **)task);
}

SD_PART(doca_sync_event_task_wait_eq_as_doca_task, struct doca_sync_event_task_wait_eq, struct doca_task, task.base)
SD_SETTER(doca_sync_event_task_wait_eq_set_wait_val, struct doca_sync_event_task_wait_eq, uint64_t, task.operand)

SD_PROPERTY(doca_sync_event_task_wait_eq_get_wait_val, const struct doca_sync_event_task_wait_eq, uint64_t, 0,
	object->task.operand)

SD_SETTER(doca_sync_event_task_wait_eq_set_mask, struct doca_sync_event_task_wait_eq, uint64_t, task.mask)

SD_PROPERTY(doca_sync_event_task_wait_eq_get_mask, const struct doca_sync_event_task_wait_eq, uint64_t, 0, object->task.mask)

doca_error_t doca_sync_event_task_wait_neq_set_conf(struct doca_sync_event *event,
						    doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
						    doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks)
{
	return sync_event_configure(event, &sync_event_wait_neq, (doca_task_completion_cb_t)completion_cb,
				    (doca_task_completion_cb_t)error_cb, num_tasks);
}

doca_error_t doca_sync_event_task_wait_neq_alloc_init(struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,
						      union doca_data user_data, struct doca_sync_event_task_wait_neq **task)
{
	return alloc_wait(event, &sync_event_wait_neq, wait_val, mask, user_data, (struct sync_event_task **)task);
}

SD_PART(doca_sync_event_task_wait_neq_as_doca_task, struct doca_sync_event_task_wait_neq, struct doca_task, task.base)
SD_SETTER(doca_sync_event_task_wait_neq_set_wait_val, struct doca_sync_event_task_wait_neq, uint64_t, task.operand)

SD_PROPERTY(doca_sync_event_task_wait_neq_get_wait_val, const struct doca_sync_event_task_wait_neq, uint64_t, 0,
	object->task.operand)

SD_SETTER(doca_sync_event_task_wait_neq_set_mask, struct doca_sync_event_task_wait_neq, uint64_t, task.mask)

SD_PROPERTY(doca_sync_event_task_wait_neq_get_mask, const struct doca_sync_event_task_wait_neq, uint64_t, 0,
	object->task.mask)
