/*
 * What can be asked about a memory map, and the ways to share one. This software DPU does not share memory maps: the checks of the
 * interface come first, then NOT_SUPPORTED.
 */
#include "mmap.h"

doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len)
{
	if (mmap == NULL || addr == NULL || len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->addr == NULL)
		return DOCA_ERROR_BAD_STATE;
	*addr = mmap->addr;
	*len = mmap->len;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs)
{
	if (mmap == NULL || num_bufs == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*num_bufs = mmap->num_bufs;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data)
{
	if (mmap == NULL || user_data == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = mmap->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices)
{
	if (mmap == NULL || max_num_devices == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_devices = mmap->max_devs;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported)
{
	if (mmap == NULL || exported == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*exported = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export)
{
	if (mmap == NULL || from_export == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*from_export = 0;
	return DOCA_SUCCESS;
}

/* What a device needs to be told about a map: it is started, and the device is one of its own. */
static doca_error_t check_registered(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
	if (!mmap->started)
		return DOCA_ERROR_NOT_PERMITTED;
	return mmap_has_dev(mmap, dev) ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND;
}

doca_error_t doca_mmap_get_mkey(struct doca_mmap *mmap, struct doca_dev *dev, uint32_t *mkey)
{
	doca_error_t result;

	if (mmap == NULL || dev == NULL || mkey == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_registered(mmap, dev);
	if (result == DOCA_SUCCESS)
		*mkey = mmap->key << 8; /* The low byte of such keys is the user's to vary. */
	return result;
}

doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle)
{
	doca_error_t result;

	if (mmap == NULL || dev == NULL || dpa_mmap_handle == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_registered(mmap, dev);
	return result == DOCA_SUCCESS ? DOCA_ERROR_NOT_SUPPORTED : result;
}

static doca_error_t answer_no(const struct doca_devinfo *devinfo, uint8_t *answer)
{
	if (devinfo == NULL || answer == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*answer = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *mmap_export)
{
	return answer_no(devinfo, mmap_export);
}

doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *from_export)
{
	return answer_no(devinfo, from_export);
}

static doca_error_t export_map(const struct doca_mmap *mmap, const struct doca_dev *dev, uint32_t one_of_permissions,
			       const void **export_desc, const size_t *export_desc_len)
{
	doca_error_t result;

	if (mmap == NULL || dev == NULL || export_desc == NULL || export_desc_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_registered(mmap, dev);
	if (result != DOCA_SUCCESS)
		return result;
	return (mmap->permissions & one_of_permissions) == 0 ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				  size_t *export_desc_len)
{
	return export_map(mmap, dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE, export_desc,
			  export_desc_len);
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				   size_t *export_desc_len)
{
	return export_map(mmap, dev,
			  DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC,
			  export_desc, export_desc_len);
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
	(void)user_data; /* may be NULL */
	if (export_desc == NULL || export_desc_len == 0 || dev == NULL || mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_ERROR_NOT_SUPPORTED;
}
