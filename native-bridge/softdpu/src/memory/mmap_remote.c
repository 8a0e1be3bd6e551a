/* Shares maps with RDMA peers. */
#include "export_desc.h"
#include "mmap_exchange.h"
#include "remote_desc.h"

static void describe(void *desc, const struct export *export, const struct doca_dev *dev)
{
	uint16_t vhca_id = 0;

	(void)doca_devinfo_get_vhca_id(doca_dev_as_devinfo(dev), &vhca_id);
	remote_desc_write(desc, REMOTE_DESC_MAP, export, vhca_id);
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				   size_t *export_desc_len)
{
	static const struct export_desc_type type = { .len = sizeof(struct remote_desc), .describe = describe };

	return mmap_export(mmap, dev, &type,
			   DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC, export_desc,
			   export_desc_len);
}

doca_error_t mmap_import_remote(const void *bytes, size_t len, struct doca_dev *dev, struct doca_mmap **mmap)
{
	struct export_desc claim;
	struct remote_desc desc;
	doca_error_t result;

	if (!remote_desc_read(&desc, REMOTE_DESC_MAP, bytes, len))
		return DOCA_ERROR_INVALID_VALUE;
	claim = remote_desc_claim(&desc);
	result = mmap_import(&claim, &desc, dev, mmap);
	if (result != DOCA_SUCCESS)
		return result;
	(*mmap)->is_remote = 1;
	(*mmap)->remote_vhca_id = (uint16_t)desc.vhca_id;
	return DOCA_SUCCESS;
}
