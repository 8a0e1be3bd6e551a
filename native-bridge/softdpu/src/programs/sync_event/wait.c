/* Tasks that wait: they stay with their event until the value satisfies their condition. Thread: program's. */
#include "sync_event_wait.h"

#include "sd_config.h"
#include "sd_list.h"

/* Returns whether mask is adjacent bytes of 0xff, of a size that a processor can read. */
static uint8_t is_mask(uint64_t mask)
{
	int count = 0;

	while (mask != 0 && (mask & 0xff) == 0)
		mask >>= 8;
	while ((mask & 0xff) == 0xff) {
		mask >>= 8;
		count++;
	}
	return mask == 0 && (count & (count - 1)) == 0;
}

static doca_error_t validate(struct doca_task *base)
{
	return is_mask(((struct sync_event_task *)base)->mask) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void begin(struct doca_task *task)
{
	struct doca_sync_event *event = (struct doca_sync_event *)task->ctx;

	if (sd_config()->null_device) {
		sd_task_queue(task);
		return;
	}
	SD_APPEND(event->waiting_head, event->waiting_tail, task, next);
	sync_event_check(event);
	if (event->waiting_head != NULL)
		sd_context_visit(&event->ctx);
	if (event->waiting_head != NULL && !sd_context_is_polled(&event->ctx))
		sync_event_watch(event);
}

uint8_t sync_event_can_wait(const struct doca_sync_event *event)
{
	for (const struct sd_task_pool *pool = event->ctx.pools; pool != NULL; pool = pool->next) {
		if (pool->operation == &sync_event_wait_eq || pool->operation == &sync_event_wait_neq)
			return 1;
	}
	return 0;
}

const struct sd_task_operation sync_event_wait_eq = {
	.name = "sync-event-wait-eq",
	.task_size = sizeof(struct doca_sync_event_task_wait_eq),
	.validate = validate,
	.latch = sync_event_latch,
	.begin = begin,
};

const struct sd_task_operation sync_event_wait_neq = {
	.name = "sync-event-wait-neq",
	.task_size = sizeof(struct doca_sync_event_task_wait_neq),
	.validate = validate,
	.latch = sync_event_latch,
	.begin = begin,
};
