/* Public functions that share events with the other side of the card. Thread: program's. */
#include "export.h"

#include <string.h>

#include "export_desc.h"
#include "import.h"
#include "mmap.h"
#include "sd_log.h"
#include "sd_memory.h"
#include "sd_sync_event.h"

#define NOTE_MAGIC UINT64_C(0x315153504454464f)

/* Exported description. The size of the description differs from that of a memory map's description. */
struct description {
	uint64_t magic;
	struct export_desc export;
};

doca_error_t sync_event_export(struct doca_sync_event *event, const struct doca_dev *dev, const struct export_desc_type *type,
			       const uint8_t **data, size_t *sz)
{
	struct export_range range = {
		.addr = event->number,
		.len = sizeof(uint64_t),
		.permissions = DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		.is_number = 1,
	};
	doca_error_t result = DOCA_SUCCESS;
	const void *desc;

	if (event->publisher == SYNC_EVENT_REMOTE_NET)
		range.permissions |= DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	if (event->export == NULL)
		result = export_open(&range, &event->export);
	else if (export_is_void(event->export))
		return DOCA_ERROR_NOT_PERMITTED; /* the destroy withdraws the export */
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_DRIVER;
	desc = export_describe(event->export, dev, type);
	if (desc == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*data = desc;
	*sz = type->len;
	return DOCA_SUCCESS;
}

doca_error_t sync_event_check_exportable(const struct doca_sync_event *event)
{
	if (event->import != NULL)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (event->life != SYNC_EVENT_BLOCKING && event->ctx.state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	return DOCA_SUCCESS;
}

static doca_error_t check_export(const struct doca_sync_event *event)
{
	doca_error_t result = sync_event_check_exportable(event);

	if (result != DOCA_SUCCESS)
		return result;
	if (event->publisher == SYNC_EVENT_REMOTE_NET)
		return DOCA_ERROR_NOT_PERMITTED;
	if (event->map != NULL && (event->map->permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE) == 0)
		return DOCA_ERROR_NOT_PERMITTED;
	return DOCA_SUCCESS;
}

static void describe(void *desc, const struct export *export, const struct doca_dev *dev)
{
	struct description *description = desc;

	description->magic = NOTE_MAGIC;
	export_desc_write(&description->export, export, dev);
}

doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data,
						  size_t *sz)
{
	static const struct export_desc_type type = { .len = sizeof(struct description), .describe = describe };
	doca_error_t result;

	if (event == NULL || dev == NULL || data == NULL || sz == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_export(event);
	return result == DOCA_SUCCESS ? sync_event_export(event, dev, &type, data, sz) : result;
}

static uint8_t read_description(struct export_desc *desc, const uint8_t *data, size_t sz)
{
	struct description description;

	if (sz != sizeof(description))
		return 0;
	memcpy(&description, data, sizeof(description));
	return description.magic == NOTE_MAGIC &&
	       export_desc_read(desc, &description.export, sizeof(description.export)) && desc->len == sizeof(uint64_t) &&
	       desc->addr % sizeof(uint64_t) == 0;
}

static doca_error_t make_event(struct doca_dev *dev, struct sd_import *import, struct doca_sync_event **event)
{
	doca_error_t result = doca_sync_event_create(event);

	if (result != DOCA_SUCCESS)
		return result;
	(*event)->import = import;
	(*event)->number = NULL;
	(*event)->ctx.dev = dev;
	sd_dev_hold(dev);
	return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t sz,
						struct doca_sync_event **event)
{
	struct export_desc desc;
	struct sd_import *import;
	doca_error_t result;

	if (dev == NULL || data == NULL || sz == 0 || event == NULL || !read_description(&desc, data, sz))
		return DOCA_ERROR_INVALID_VALUE;
	if (desc.kind == export_desc_kind_of(dev)) {
		SD_LOG_WARNING("a device of the same side exported this sync event; does the program take the first device "
			       "there is? SOFTDPU_ROLE=host or dpu shows it those of one side alone");
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	result = import_open(&desc, NULL, &import);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_DRIVER : result;
	result = make_event(dev, import, event);
	if (result != DOCA_SUCCESS)
		import_close(import);
	return result;
}
