/* Public functions for the locations of an event and of its value. */
#include "mmap.h"
#include "sd_log.h"
#include "sd_memory.h"
#include "sd_sync_event.h"
#include "stock.h"

enum { ALIGNMENT = 8 };

static const uint32_t buf_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
					DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;

static doca_error_t check_settable(const struct doca_sync_event *event)
{
	if (event->import != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	return event->life == SYNC_EVENT_NEW && event->ctx.state == DOCA_CTX_STATE_IDLE ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE;
}

static void add_dev(struct doca_sync_event *event, struct doca_dev *dev)
{
	event->devs[event->devs[0] != NULL] = dev;
	sd_dev_hold(dev);
	if (event->ctx.dev != NULL)
		return;
	event->ctx.dev = dev; /* a loss of this device stops the context */
	sd_dev_hold(dev);
}

/* place: the event's publisher or subscriber. */
static doca_error_t add_location(struct doca_sync_event *event, enum sync_event_location *place,
				 enum sync_event_location location, struct doca_dev *dev)
{
	doca_error_t result = check_settable(event);

	if (result != DOCA_SUCCESS)
		return result;
	if (*place != SYNC_EVENT_NOWHERE)
		return DOCA_ERROR_BAD_STATE;
	*place = location;
	if (dev != NULL)
		add_dev(event, dev);
	return DOCA_SUCCESS;
}

/* Refuses processors that the card does not have. */
static doca_error_t refuse_location(const struct doca_sync_event *event, const char *location)
{
	doca_error_t result = check_settable(event);

	if (result != DOCA_SUCCESS)
		return result;
	SD_LOG_INFO("a sync event cannot be published or subscribed to on %s: the software DPU has none", location);
	return DOCA_ERROR_NOT_SUPPORTED;
}

/* Defines the functions for one role: publisher or subscriber. */
#define ROLE(role)                                                                                                   \
	doca_error_t doca_sync_event_add_##role##_location_cpu(struct doca_sync_event *event, struct doca_dev *dev)  \
	{                                                                                                            \
		return event == NULL || dev == NULL ? DOCA_ERROR_INVALID_VALUE :                                     \
						      add_location(event, &event->role, SYNC_EVENT_CPU, dev);        \
	}                                                                                                            \
	doca_error_t doca_sync_event_add_##role##_location_remote_pci(struct doca_sync_event *event)                 \
	{                                                                                                            \
		return event == NULL ? DOCA_ERROR_INVALID_VALUE :                                                    \
				       add_location(event, &event->role, SYNC_EVENT_REMOTE_PCI, NULL);               \
	}                                                                                                            \
	doca_error_t doca_sync_event_add_##role##_location_dpa(struct doca_sync_event *event, struct doca_dpa *dpa)  \
	{                                                                                                            \
		return event == NULL || dpa == NULL ? DOCA_ERROR_INVALID_VALUE : refuse_location(event, "a DPA");    \
	}                                                                                                            \
	doca_error_t doca_sync_event_add_##role##_location_gpu(struct doca_sync_event *event, struct doca_gpu *gpu)  \
	{                                                                                                            \
		return event == NULL || gpu == NULL ? DOCA_ERROR_INVALID_VALUE : refuse_location(event, "a GPU");    \
	}

ROLE(publisher)
ROLE(subscriber)

doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event)
{
	return event == NULL ? DOCA_ERROR_INVALID_VALUE :
			       add_location(event, &event->publisher, SYNC_EVENT_REMOTE_NET, NULL);
}

/* map: the map of the memory, or NULL. */
static void set_number(struct doca_sync_event *event, void *number, struct doca_mmap *map)
{
	if (map != NULL)
		map->num_latches++;
	if (event->map != NULL)
		event->map->num_latches--;
	event->number = number;
	event->map = map;
}

doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr)
{
	doca_error_t result;

	if (event == NULL || addr == NULL || (uintptr_t)addr % ALIGNMENT != 0)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_settable(event);
	if (result == DOCA_SUCCESS)
		set_number(event, addr, NULL);
	return result;
}

static uint8_t is_suitable(const struct doca_buf *buf)
{
	return buf->refcount > 0 && buf->is_head && buf->next == NULL && buf->data_len == sizeof(uint64_t) &&
	       (uintptr_t)buf->data % ALIGNMENT == 0 && window_contains(buf->head, buf->len, buf->data, buf->data_len) &&
	       buf->mmap->started && buf->mmap->import == NULL &&
	       (buf->mmap->permissions & buf_permissions) == buf_permissions;
}

doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf)
{
	doca_error_t result;

	if (event == NULL || buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_settable(event);
	if (result != DOCA_SUCCESS)
		return result;
	if (!is_suitable(buf))
		return DOCA_ERROR_NOT_PERMITTED;
	set_number(event, buf->data, buf->mmap);
	return DOCA_SUCCESS;
}
