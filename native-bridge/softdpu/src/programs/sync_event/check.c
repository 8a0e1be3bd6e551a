/* Checks of the value for waiting tasks. Thread: program's. */
#include "sd_list.h"
#include "sd_sync_event.h"

static void finish(struct doca_task *task, doca_error_t status)
{
	task->status = status;
	if (status == DOCA_SUCCESS && task->fault.delay_ns > 0)
		sd_task_delay(task);
	else
		sd_task_ended(task);
}

static uint8_t has_come(const struct doca_task *base, uint64_t number)
{
	const struct sync_event_task *task = (const struct sync_event_task *)base;
	uint8_t is_equal = (number & task->latched_mask) == task->latched_operand;

	return task->waits_for_equal ? is_equal : !is_equal;
}

void sync_event_check(struct doca_sync_event *event)
{
	struct doca_task *task = event->waiting_head;
	doca_error_t result;
	uint64_t number = 0;
	uint8_t is_known;

	if (task == NULL)
		return;
	result = sync_event_peek(event, &number);
	if (result == DOCA_ERROR_AGAIN)
		return; /* the next check may have the value */
	is_known = result == DOCA_SUCCESS || sync_event_load_last(event, &number) == DOCA_SUCCESS;
	atomic_store(&event->last_seen, number);
	event->waiting_head = NULL;
	while (task != NULL) {
		struct doca_task *next = task->next;

		if (is_known && has_come(task, number)) {
			finish(task, DOCA_SUCCESS);
		} else if (result != DOCA_SUCCESS) {
			finish(task, result);
		} else {
			SD_APPEND(event->waiting_head, event->waiting_tail, task, next);
		}
		task = next;
	}
}

void sync_event_flush_waiting(struct doca_sync_event *event)
{
	while (event->waiting_head != NULL) {
		struct doca_task *task = event->waiting_head;

		event->waiting_head = task->next;
		task->status = DOCA_ERROR_IO_FAILED;
		sd_task_ended(task);
	}
}
