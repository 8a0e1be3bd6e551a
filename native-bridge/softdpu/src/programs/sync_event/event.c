/* Public functions for the lifetime of events. */
#include <stdlib.h>

#include "export.h"
#include "import.h"
#include "mmap.h"
#include "sd_calls.h"
#include "sd_fault.h"
#include "sd_memory.h"
#include "sd_shape.h"
#include "sd_sync_event.h"

static uint8_t is_located(const struct doca_sync_event *event)
{
	return event->import != NULL ||
	       (event->publisher != SYNC_EVENT_NOWHERE && event->subscriber != SYNC_EVENT_NOWHERE);
}

static doca_error_t start(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = (struct doca_sync_event *)ctx;
	doca_error_t result;

	if (event->life != SYNC_EVENT_NEW || !is_located(event))
		return DOCA_ERROR_BAD_STATE;
	event->has_service = 0;
	if (!sync_event_can_wait(event))
		return DOCA_SUCCESS;
	result = sd_service_acquire();
	event->has_service = result == DOCA_SUCCESS;
	return result;
}

static void stop(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = (struct doca_sync_event *)ctx;

	sync_event_unwatch(event);
	sync_event_flush_waiting(event);
	sync_event_flush_backlog(event);
}

static void stopped(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = (struct doca_sync_event *)ctx;

	event->life = SYNC_EVENT_SPENT;
	if (event->has_service)
		sd_service_release();
	event->has_service = 0;
}

static uint8_t poll(struct doca_ctx *ctx, uint32_t budget)
{
	struct doca_sync_event *event = (struct doca_sync_event *)ctx;

	(void)budget; /* there is only one value to read */
	if (event->waiting_head == NULL)
		return 0;
	sync_event_unwatch(event);
	sync_event_check(event);
	return event->waiting_head != NULL;
}

static void rest(struct doca_ctx *ctx)
{
	struct doca_sync_event *event = (struct doca_sync_event *)ctx;

	if (event->waiting_head != NULL)
		sync_event_watch(event);
}

static const struct sd_context_ops sync_event_ops = {
	.name = "sync-event",
	.start = start,
	.stop = stop,
	.stopped = stopped,
	.poll = poll,
	.rest = rest,
};

doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
	struct doca_sync_event *created;
	doca_error_t result;

	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = sd_fault_calloc("alloc-context", sizeof(*created), &result);
	if (created == NULL)
		return result;
	sd_context_init(&created->ctx, &sync_event_ops, NULL);
	created->number = &created->own_number;
	*event = created;
	return DOCA_SUCCESS;
}

static void release(struct doca_sync_event *event)
{
	for (int i = 0; i < 2; i++) {
		if (event->devs[i] != NULL)
			sd_dev_release(event->devs[i]);
	}
	if (event->map != NULL)
		event->map->num_latches--;
	if (event->import != NULL)
		import_close(event->import);
}

doca_error_t doca_sync_event_destroy(struct doca_sync_event *event)
{
	if (sd_calls_refuse(__func__, event))
		return DOCA_ERROR_BAD_STATE;
	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (event->life == SYNC_EVENT_BLOCKING || event->ctx.state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_IN_USE;
	if (event->export != NULL && export_close(event->export) != DOCA_SUCCESS)
		return DOCA_ERROR_IN_USE;
	sd_context_fini(&event->ctx);
	release(event);
	free(event);
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_start(struct doca_sync_event *event)
{
	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (event->life != SYNC_EVENT_NEW || event->ctx.state != DOCA_CTX_STATE_IDLE || !is_located(event))
		return DOCA_ERROR_BAD_STATE;
	event->life = SYNC_EVENT_BLOCKING;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_stop(struct doca_sync_event *event)
{
	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (event->life != SYNC_EVENT_BLOCKING)
		return DOCA_ERROR_BAD_STATE;
	event->life = SYNC_EVENT_SPENT;
	return DOCA_SUCCESS;
}

SD_PART(doca_sync_event_as_ctx, struct doca_sync_event, struct doca_ctx, ctx)
