/* Ends of tasks that this library executes without the device. Any thread. */
#include "sd_comch_data.h"
#include "sd_comch_socket.h"

static uint8_t run_delay(struct sd_event *event)
{
	sd_task_delay(((struct comch_delay *)event)->task);
	return 0;
}

void comch_task_ended(struct doca_task *task, doca_error_t outcome, struct comch_delay *delay)
{
	task->status = outcome;
	if (outcome != DOCA_SUCCESS || task->fault.delay_ns == 0) {
		sd_task_executed(task);
		return;
	}
	/* The device delays completions, but accepts tasks only from the program's thread. */
	delay->task = task;
	sd_context_post_event(task->ctx, &delay->event, run_delay);
}

void comch_send_ended(struct doca_comch_task_send *task, doca_error_t outcome)
{
	comch_task_ended(&task->base, outcome, &task->delay);
}

void comch_post_recv_ended(struct doca_comch_consumer_task_post_recv *task, doca_error_t outcome)
{
	if (task->base.fault.corrupt && outcome == DOCA_SUCCESS && task->data_len > 0)
		task->latch.segments[0].addr[task->data_len / 2] ^= 1;
	comch_task_ended(&task->base, outcome, &task->delay);
}
