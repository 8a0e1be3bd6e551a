/*
 * Shares maps with the other side of the card. The capabilities promise one direction: the host exports and the DPU imports.
 * The other direction works too, because programs on cards use it without asking for the capability.
 */
#include "export_desc.h"
#include "mmap.h"
#include "mmap_exchange.h"
#include "remote_desc.h"
#include "sd_dev.h"
#include "sd_log.h"
#include "sd_shape.h"

SD_GETTER(doca_mmap_cap_is_export_pci_supported, const struct doca_devinfo, uint8_t, !sd_devinfo_is_dpu_side(object))
SD_GETTER(doca_mmap_cap_is_create_from_export_pci_supported, const struct doca_devinfo, uint8_t,
	sd_devinfo_is_dpu_side(object))

static void describe(void *desc, const struct export *export, const struct doca_dev *dev)
{
	export_desc_write(desc, export, dev);
}

doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				  size_t *export_desc_len)
{
	static const struct export_desc_type type = { .len = sizeof(struct export_desc), .describe = describe };

	return mmap_export(mmap, dev, &type, DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE, export_desc,
			   export_desc_len);
}

static doca_error_t import_pci(const void *export_desc, size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
	struct export_desc desc;

	if (!export_desc_read(&desc, export_desc, export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	if (desc.kind == export_desc_kind_of(dev)) {
		SD_LOG_WARNING("cannot import memory that a device of the same side exported; set SOFTDPU_ROLE to host or dpu, "
			       "so that the program finds only devices of its side");
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	return mmap_import(&desc, NULL, dev, mmap);
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
	doca_error_t result;

	if (export_desc == NULL || export_desc_len == 0 || dev == NULL || mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = (remote_desc_is_map(export_desc, export_desc_len) ? mmap_import_remote : import_pci)(export_desc, export_desc_len,
												  dev, mmap);
	if (result == DOCA_SUCCESS && user_data != NULL)
		(*mmap)->user_data = *user_data;
	return result;
}
