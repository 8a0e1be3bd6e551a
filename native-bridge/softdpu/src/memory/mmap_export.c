/*
 * Shares maps with the other side of the card. The capabilities promise one direction: the host exports and the DPU imports.
 * The other direction works too, because programs on cards use it without asking for the capability.
 */
#include <stdlib.h>

#include "export_desc.h"
#include "import.h"
#include "mmap.h"
#include "sd_fault.h"
#include "sd_log.h"
#include "sd_memory.h"
#include "sd_shape.h"

static const uint32_t pci_permissions = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
static const uint32_t rdma_permissions =
	DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;

SD_GETTER(doca_mmap_cap_is_export_pci_supported, const struct doca_devinfo, uint8_t, !sd_devinfo_is_dpu_side(object))
SD_GETTER(doca_mmap_cap_is_create_from_export_pci_supported, const struct doca_devinfo, uint8_t,
	sd_devinfo_is_dpu_side(object))

static uint32_t side_of(const struct doca_dev *dev)
{
	return sd_devinfo_is_dpu_side(doca_dev_as_devinfo(dev)) ? EXPORT_DESC_KIND_DPU : EXPORT_DESC_KIND_HOST;
}

static doca_error_t check_export(const struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				 const size_t *export_desc_len, uint32_t one_of_permissions)
{
	doca_error_t result;

	if (mmap == NULL || dev == NULL || export_desc == NULL || export_desc_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->import != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	result = mmap_check_registered(mmap, dev);
	if (result != DOCA_SUCCESS)
		return result;
	return (mmap->permissions & one_of_permissions) == 0 ? DOCA_ERROR_NOT_PERMITTED : DOCA_SUCCESS;
}

/* Returns the description that an earlier export for dev returned, or NULL. */
static const struct export_note *find_note(const struct export *export, const struct doca_dev *dev)
{
	const struct export_note *note = export->notes;

	while (note != NULL && note->dev != dev)
		note = note->next;
	return note;
}

static const struct export_note *write_note(struct export *export, const struct doca_dev *dev)
{
	struct export_note *note = malloc(sizeof(*note));
	uint16_t vhca_id = 0;

	if (note == NULL)
		return NULL;
	note->desc = malloc(sizeof(*note->desc));
	if (note->desc == NULL) {
		free(note);
		return NULL;
	}
	(void)doca_devinfo_get_vhca_id(doca_dev_as_devinfo(dev), &vhca_id);
	export_desc_write(note->desc, export, side_of(dev), vhca_id);
	note->dev = dev;
	note->next = export->notes;
	export->notes = note;
	return note;
}

doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				  size_t *export_desc_len)
{
	doca_error_t result = check_export(mmap, dev, export_desc, export_desc_len, pci_permissions);
	const struct export_note *note;

	if (result != DOCA_SUCCESS)
		return result;
	if (mmap->export == NULL) {
		const struct export_range range = { .addr = mmap->addr, .len = mmap->len, .permissions = mmap->permissions };

		result = export_open(&range, &mmap->export);
		if (result != DOCA_SUCCESS)
			return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_DRIVER;
	}
	note = find_note(mmap->export, dev);
	if (note == NULL)
		note = write_note(mmap->export, dev);
	if (note == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*export_desc = note->desc;
	*export_desc_len = sizeof(*note->desc);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				   size_t *export_desc_len)
{
	doca_error_t result = check_export(mmap, dev, export_desc, export_desc_len, rdma_permissions);

	return result == DOCA_SUCCESS ? DOCA_ERROR_NOT_SUPPORTED : result;
}

static doca_error_t make_map(const struct export_desc *desc, struct doca_dev *dev, struct sd_import *import,
			     struct doca_mmap **mmap)
{
	struct doca_mmap *m = mmap_new();
	doca_error_t result;

	if (m == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = doca_mmap_add_dev(m, dev);
	if (result != DOCA_SUCCESS) {
		doca_mmap_destroy(m);
		return result;
	}
	m->addr = (uint8_t *)(uintptr_t)desc->addr;
	m->len = desc->len;
	m->permissions = desc->permissions;
	m->import = import;
	m->started = 1;
	m->was_started = 1;
	*mmap = m;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
	struct export_desc desc;
	struct sd_import *import;
	doca_error_t result;

	if (export_desc == NULL || export_desc_len == 0 || dev == NULL || mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!export_desc_read(&desc, export_desc, export_desc_len))
		return DOCA_ERROR_INVALID_VALUE;
	if (desc.kind == side_of(dev)) {
		SD_LOG_WARNING("cannot import memory that a device of the same side exported; set SOFTDPU_ROLE to host or dpu, "
			       "so that the program finds only devices of its side");
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	result = sd_fault_alloc("alloc-map");
	if (result != DOCA_SUCCESS)
		return result;
	result = import_open(&desc, &import);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_DRIVER : result;
	result = make_map(&desc, dev, import, mmap);
	if (result != DOCA_SUCCESS) {
		import_close(import);
		return result;
	}
	if (user_data != NULL)
		(*mmap)->user_data = *user_data;
	return DOCA_SUCCESS;
}
