/*
 * Passes tasks to the device and to the program. In inline execution only the program's thread may call the device, so an event
 * carries the task there. See sd_rdma.h.
 */
#include "sd_config.h"
#include "sd_rdma.h"

static struct rdma_task *task_of(struct sd_event *event)
{
	return SD_OWNER(event, struct rdma_task, step);
}

static uint8_t run_proceed(struct sd_event *event)
{
	sd_task_queue(&task_of(event)->base);
	return 0;
}

static uint8_t run_delay(struct sd_event *event)
{
	sd_task_delay(&task_of(event)->base);
	return 0;
}

void rdma_proceed(struct rdma_task *task)
{
	if (sd_config()->execution == SOFTDPU_EXECUTION_INLINE)
		sd_context_post_event(task->base.ctx, &task->step, run_proceed);
	else
		sd_task_queue(&task->base);
}

void rdma_end_task(struct rdma_task *task, doca_error_t status)
{
	task->base.status = status;
	if (status == DOCA_SUCCESS && task->base.fault.delay_ns > 0)
		sd_context_post_event(task->base.ctx, &task->step, run_delay);
	else
		sd_task_executed(&task->base);
}
