/* Shares maps with RDMA peers. Importer and exporter are the same process. */
#include <unistd.h>

#include "export_desc.h"
#include "mmap_exchange.h"
#include "remote_desc.h"
#include "sd_log.h"

static void describe(struct export_note *note, const struct export *export)
{
	uint16_t vhca_id = 0;

	(void)doca_devinfo_get_vhca_id(doca_dev_as_devinfo(note->dev), &vhca_id);
	remote_desc_write(note->desc, export, vhca_id);
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				   size_t *export_desc_len)
{
	static const struct mmap_desc_type type = {
		.permissions = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		.len = sizeof(struct remote_desc),
		.describe = describe,
	};

	return mmap_export(mmap, dev, &type, export_desc, export_desc_len);
}

doca_error_t mmap_import_remote(const void *bytes, size_t len, struct doca_dev *dev, struct doca_mmap **mmap)
{
	const struct export_identity *identity = export_identity();
	struct export_desc claim;
	struct remote_desc desc;
	doca_error_t result;

	if (!remote_desc_read(&desc, bytes, len))
		return DOCA_ERROR_INVALID_VALUE;
	if (desc.pid != (uint32_t)getpid()) {
		SD_LOG_WARNING("cannot import memory that process %u exported for RDMA: the software DPU connects contexts of one "
			       "process only", desc.pid);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (identity == NULL || !export_has_key(desc.slot, desc.generation, desc.key))
		return DOCA_ERROR_INVALID_VALUE;
	claim = (struct export_desc){
		.pid = desc.pid,
		.start_time = identity->start_time,
		.cookie = identity->cookie,
		.generation = desc.generation,
		.addr = desc.addr,
		.len = desc.len,
		.slot = desc.slot,
		.permissions = desc.permissions,
	};
	result = mmap_import(&claim, dev, mmap);
	if (result != DOCA_SUCCESS)
		return result;
	(*mmap)->is_remote = 1;
	(*mmap)->remote_vhca_id = (uint16_t)desc.vhca_id;
	return DOCA_SUCCESS;
}
