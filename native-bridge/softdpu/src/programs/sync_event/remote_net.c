/* Public functions that share events with RDMA peers. Thread: program's. */
#include <stdlib.h>

#include "export.h"
#include "export_desc.h"
#include "import.h"
#include "remote_desc.h"
#include "sd_calls.h"
#include "sd_dev.h"
#include "sd_remote_event.h"
#include "sd_sync_event.h"

static void describe(void *desc, const struct export *export, const struct doca_dev *dev)
{
	(void)dev;
	remote_desc_write(desc, REMOTE_DESC_EVENT, export, 0);
}

doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event, const uint8_t **data, size_t *sz)
{
	static const struct export_desc_type type = { .len = sizeof(struct remote_desc), .describe = describe };
	doca_error_t result;

	if (event == NULL || data == NULL || sz == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sync_event_check_exportable(event);
	if (result == DOCA_SUCCESS && event->publisher != SYNC_EVENT_REMOTE_NET)
		result = DOCA_ERROR_NOT_PERMITTED;
	return result == DOCA_SUCCESS ? sync_event_export(event, NULL, &type, data, sz) : result;
}

static doca_error_t open_import(const struct remote_desc *desc, struct doca_sync_event_remote_net *event)
{
	const struct export_desc claim = remote_desc_claim(desc);
	doca_error_t result = import_open(&claim, desc, &event->import);

	return result == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_DRIVER : result;
}

doca_error_t doca_sync_event_remote_net_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t sz,
							   struct doca_sync_event_remote_net **event)
{
	struct doca_sync_event_remote_net *created;
	struct remote_desc desc;
	doca_error_t result;

	if (dev == NULL || data == NULL || sz == 0 || event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!remote_desc_read(&desc, REMOTE_DESC_EVENT, data, sz) || desc.len != sizeof(uint64_t) ||
	    desc.addr % sizeof(uint64_t) != 0)
		return DOCA_ERROR_INVALID_VALUE;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = open_import(&desc, created);
	if (result != DOCA_SUCCESS) {
		free(created);
		return result;
	}
	created->dev = dev;
	sd_dev_hold(dev);
	sd_calls_created("remote-event", created);
	*event = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
	if (sd_calls_refuse(__func__, event))
		return DOCA_ERROR_BAD_STATE;
	if (event == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (atomic_load(&event->num_tasks) > 0)
		return DOCA_ERROR_IN_USE;
	import_close(event->import);
	sd_dev_release(event->dev);
	sd_calls_destroyed(event);
	free(event);
	return DOCA_SUCCESS;
}
