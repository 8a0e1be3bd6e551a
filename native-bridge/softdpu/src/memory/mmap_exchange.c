#include "mmap_exchange.h"

#include "export_desc.h"
#include "import.h"
#include "sd_fault.h"

static doca_error_t check_export(const struct doca_mmap *mmap, const struct doca_dev *dev, uint32_t one_of_permissions)
{
	doca_error_t result;

	if (mmap->import != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	result = mmap_check_registered(mmap, dev);
	if (result != DOCA_SUCCESS)
		return result;
	return (mmap->permissions & one_of_permissions) == 0 ? DOCA_ERROR_NOT_PERMITTED : DOCA_SUCCESS;
}

static doca_error_t open_export(struct doca_mmap *mmap)
{
	const struct export_range range = { .addr = mmap->addr, .len = mmap->len, .permissions = mmap->permissions };
	doca_error_t result;

	if (mmap->export != NULL)
		return export_is_void(mmap->export) ? DOCA_ERROR_NOT_PERMITTED : DOCA_SUCCESS; /* the map must stop first */
	result = export_open(&range, &mmap->export);
	return result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_DRIVER;
}

doca_error_t mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev, const struct export_desc_type *type,
			 uint32_t one_of_permissions, const void **export_desc, size_t *export_desc_len)
{
	const void *desc;
	doca_error_t result;

	if (mmap == NULL || dev == NULL || export_desc == NULL || export_desc_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_export(mmap, dev, one_of_permissions);
	if (result == DOCA_SUCCESS)
		result = open_export(mmap);
	if (result != DOCA_SUCCESS)
		return result;
	desc = export_describe(mmap->export, dev, type);
	if (desc == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*export_desc = desc;
	*export_desc_len = type->len;
	return DOCA_SUCCESS;
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

doca_error_t mmap_import(const struct export_desc *desc, const struct remote_desc *remote, struct doca_dev *dev,
			 struct doca_mmap **mmap)
{
	struct sd_import *import;
	doca_error_t result = sd_fault_alloc("alloc-map");

	if (result != DOCA_SUCCESS)
		return result;
	result = import_open(desc, remote, &import);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_DRIVER : result;
	result = make_map(desc, dev, import, mmap);
	if (result != DOCA_SUCCESS)
		import_close(import);
	return result;
}
