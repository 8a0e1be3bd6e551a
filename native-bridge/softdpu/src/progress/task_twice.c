/* Fault "twice": the second report of a task. It goes through the device as a task without work. */
#include <stdlib.h>

#include "sd_engine.h"
#include "sd_log.h"
#include "sd_task.h"

struct second_report {
	struct doca_task base;
	struct sd_task_pool pool;
	struct doca_task *task;
};

static doca_error_t do_nothing(struct doca_task *task, void *unit)
{
	(void)task;
	(void)unit;
	return DOCA_SUCCESS;
}

static const struct sd_task_operation operation = {
	.name = "second-report",
	.task_size = sizeof(struct second_report),
	.execute = do_nothing,
};

static uint8_t call_again(struct sd_event *event)
{
	struct second_report *report = (struct second_report *)event;
	struct doca_task *task = report->task;
	uint8_t is_kept = task->state == SD_TASK_OWNED && task->fault.twice;

	sd_task_count_inflight(&report->base, -1);
	free(report);
	if (is_kept) {
		task->fault.twice = 0;
		sd_task_call_back(task);
	}
	return is_kept;
}

void sd_task_report_again(struct doca_task *task)
{
	struct second_report *report = calloc(1, sizeof(*report));

	if (report == NULL) {
		SD_LOG_ERROR("no memory for the second report of task %p (%s)", (void *)task, task->pool->operation->name);
		return;
	}
	report->task = task;
	report->pool.operation = &operation;
	report->pool.ctx = task->ctx;
	report->base.pool = &report->pool;
	report->base.ctx = task->ctx;
	report->base.event.ctx = task->ctx;
	report->base.event.run = call_again;
	sd_task_count_inflight(&report->base, 1);
	sd_device_queue(&report->base);
}
