/* Common functions of the task types; order of the tasks that the device executes. Thread: program's. */
#include "import.h"
#include "sd_list.h"
#include "sd_sync_event.h"

doca_error_t sync_event_configure(struct doca_sync_event *event, const struct sd_task_operation *operation,
				  doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks)
{
	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (event->ctx.state != DOCA_CTX_STATE_IDLE || event->life != SYNC_EVENT_NEW)
		return DOCA_ERROR_NOT_PERMITTED;
	return sd_task_pool_configure(&event->ctx, operation, completed, failed, num_tasks);
}

doca_error_t sync_event_alloc(struct doca_sync_event *event, const struct sd_task_operation *operation,
			      union doca_data user_data, struct sync_event_task **task)
{
	struct doca_task *allocated;
	doca_error_t result;

	if (event == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&event->ctx, operation, user_data, &allocated);
	if (result == DOCA_SUCCESS)
		*task = (struct sync_event_task *)allocated;
	return result;
}

doca_error_t sync_event_latch(struct doca_task *base)
{
	struct sync_event_task *task = (struct sync_event_task *)base;

	task->latched_operand = task->operand;
	task->latched_mask = task->mask;
	task->latched_result = task->result;
	task->fetched = 0;
	if (base->pool->operation->validate != NULL && base->pool->operation->validate(base) != DOCA_SUCCESS)
		return DOCA_ERROR_IO_FAILED; /* the device detects the error */
	return DOCA_SUCCESS;
}

void sync_event_begin_in_order(struct doca_task *base)
{
	struct doca_sync_event *event = (struct doca_sync_event *)base->ctx;

	if (event->executing == NULL) {
		event->executing = base;
		sd_task_queue(base);
		return;
	}
	SD_APPEND(event->backlog_head, event->backlog_tail, base, next);
}

uint8_t sync_event_is_held_up(const struct doca_task *base)
{
	const struct sd_import *import = ((const struct doca_sync_event *)base->ctx)->import;

	return import != NULL && import_is_held_up(import);
}

static void begin_next(struct doca_sync_event *event)
{
	struct doca_task *next = event->backlog_head;

	event->executing = next;
	if (next == NULL)
		return;
	event->backlog_head = next->next;
	sd_task_queue(next);
}

void sync_event_complete_in_order(struct doca_task *base)
{
	struct doca_sync_event *event = (struct doca_sync_event *)base->ctx;
	struct sync_event_task *task = (struct sync_event_task *)base;

	/* A freed task does not write its result. */
	if (base->status == DOCA_SUCCESS && task->latched_result != NULL && base->state != SD_TASK_DROPPED)
		*task->latched_result = task->fetched;
	if (event->executing == base) /* a task that a fault keeps from execution is not in the order */
		begin_next(event);
}

void sync_event_corrupt(struct doca_task *base)
{
	((struct sync_event_task *)base)->fetched ^= 1;
}

void sync_event_flush_backlog(struct doca_sync_event *event)
{
	while (event->backlog_head != NULL) {
		struct doca_task *task = event->backlog_head;

		event->backlog_head = task->next;
		task->status = DOCA_ERROR_IO_FAILED;
		sd_task_ended(task);
	}
}
