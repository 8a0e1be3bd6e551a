/* Properties of memory maps. See mmap_export.c for sharing a map. */
#include "mmap.h"
#include "sd_shape.h"

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

SD_GETTER(doca_mmap_get_num_bufs, const struct doca_mmap, uint32_t, object->num_bufs)
SD_GETTER(doca_mmap_get_user_data, const struct doca_mmap, union doca_data, object->user_data)
SD_GETTER(doca_mmap_get_max_num_devices, const struct doca_mmap, uint32_t, object->max_devs)
SD_GETTER(doca_mmap_get_exported, const struct doca_mmap, uint8_t, object->export != NULL)
SD_GETTER(doca_mmap_get_from_export, const struct doca_mmap, uint8_t, object->import != NULL)

doca_error_t mmap_check_registered(const struct doca_mmap *mmap, const struct doca_dev *dev)
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
	result = mmap_check_registered(mmap, dev);
	if (result == DOCA_SUCCESS)
		*mkey = mmap->key << 8; /* The user may set the low byte of such a key. */
	return result;
}

doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle)
{
	doca_error_t result;

	if (mmap == NULL || dev == NULL || dpa_mmap_handle == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = mmap_check_registered(mmap, dev);
	return result == DOCA_SUCCESS ? DOCA_ERROR_NOT_SUPPORTED : result;
}
