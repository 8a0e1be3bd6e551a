/* Life cycle and settings of memory maps. */
#include "mmap.h"

#include <stdlib.h>

#include "dev.h"
#include "export.h"
#include "import.h"
#include "sd_calls.h"
#include "sd_census.h"
#include "sd_fault.h"
#include "sd_log.h"
#include "sd_memory.h"
#include "sd_shape.h"

enum { DEFAULT_MAX_DEVS = 64 };

static const uint32_t known_permissions =
	DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
	DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE |
	DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING;

static const uint32_t exclusive_permissions = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;

struct doca_mmap *mmap_new(void)
{
	static _Atomic uint32_t last_key;
	struct doca_mmap *m = calloc(1, sizeof(*m));

	if (m == NULL)
		return NULL;
	m->max_devs = DEFAULT_MAX_DEVS;
	m->key = ++last_key;
	sd_census_add(SD_CENSUS_MAPS, 1);
	sd_calls_created("mmap", m);
	return m;
}

doca_error_t doca_mmap_create(struct doca_mmap **mmap)
{
	struct doca_mmap *created;
	doca_error_t result;

	if (mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_fault_alloc("alloc-map");
	if (result != DOCA_SUCCESS)
		return result;
	created = mmap_new();
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	*mmap = created;
	return DOCA_SUCCESS;
}

static doca_error_t require_unused(const struct doca_mmap *mmap, const char *what)
{
	if (mmap->num_bufs == 0 && mmap->num_latches == 0)
		return DOCA_SUCCESS;
	SD_LOG_INFO("a memory map cannot be %s: %u buffers point into it, tasks in flight use %u pieces of it", what,
		    mmap->num_bufs, mmap->num_latches);
	return DOCA_ERROR_NOT_PERMITTED;
}

/* Withdraws the export. After success no other process accesses the memory. */
static doca_error_t withdraw_export(struct doca_mmap *mmap)
{
	if (mmap->export == NULL)
		return DOCA_SUCCESS;
	if (export_close(mmap->export) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_PERMITTED;
	mmap->export = NULL;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
	uint32_t i;

	if (sd_calls_refuse(__func__, mmap))
		return DOCA_ERROR_BAD_STATE;
	if (mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (require_unused(mmap, "destroyed") != DOCA_SUCCESS || withdraw_export(mmap) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_PERMITTED;
	if (mmap->import != NULL)
		import_close(mmap->import);
	for (i = 0; i < mmap->num_devs; i++)
		sd_dev_release(mmap->devs[i]);
	if (mmap->free_cb != NULL && mmap->free_armed)
		mmap->free_cb(mmap->addr, mmap->len, mmap->free_cookie);
	free(mmap->devs);
	sd_calls_destroyed(mmap);
	free(mmap);
	sd_census_add(SD_CENSUS_MAPS, -1);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
	if (sd_calls_refuse(__func__, mmap))
		return DOCA_ERROR_BAD_STATE;
	if (mmap == NULL || mmap->addr == NULL || mmap->num_devs == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->import != NULL || mmap->export != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	mmap->started = 1;
	mmap->was_started = 1;
	mmap->free_armed = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
	if (sd_calls_refuse(__func__, mmap))
		return DOCA_ERROR_BAD_STATE;
	if (mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (require_unused(mmap, "stopped") != DOCA_SUCCESS || withdraw_export(mmap) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_PERMITTED;
	mmap->started = 0;
	return DOCA_SUCCESS;
}

/* Checks for all functions that set a map's memory, in this order: arguments, state, no memory set before. */
static doca_error_t check_memrange(const struct doca_mmap *mmap, uint64_t addr, size_t len)
{
	uint64_t end;

	if (mmap == NULL || addr == 0 || len == 0 || __builtin_add_overflow(addr, len, &end))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->started)
		return DOCA_ERROR_BAD_STATE;
	if (mmap->addr != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len)
{
	doca_error_t result = check_memrange(mmap, (uintptr_t)addr, len);

	if (result != DOCA_SUCCESS)
		return result;
	mmap->addr = addr;
	mmap->len = len;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset,
					   size_t len)
{
	doca_error_t result = check_memrange(mmap, (uintptr_t)addr, len);
	size_t end;

	if (result != DOCA_SUCCESS)
		return result;
	if (dmabuf_fd < 0 || __builtin_add_overflow(dmabuf_offset, len, &end))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa, uint64_t dpa_addr, size_t len)
{
	doca_error_t result = check_memrange(mmap, dpa_addr, len);

	if (result != DOCA_SUCCESS)
		return result;
	return dpa == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask)
{
	if (mmap == NULL || (access_mask & ~known_permissions) != 0 ||
	    (access_mask & exclusive_permissions) == exclusive_permissions)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->started)
		return DOCA_ERROR_BAD_STATE;
	if (mmap->import != NULL)
		return DOCA_ERROR_NOT_PERMITTED; /* only the exporter can set permissions */
	mmap->permissions = access_mask;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque)
{
	if (mmap == NULL || free_cb == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->started)
		return DOCA_ERROR_BAD_STATE;
	mmap->free_cb = free_cb;
	mmap->free_cookie = opaque;
	mmap->free_armed = 0;
	return DOCA_SUCCESS;
}

SD_STORE_IF(doca_mmap_set_user_data, struct doca_mmap, union doca_data, 1, !object->started, DOCA_ERROR_BAD_STATE, user_data)
SD_STORE_IF(doca_mmap_set_max_num_devices, struct doca_mmap, uint32_t, value > 0 && value >= object->num_devs,
	!object->was_started, DOCA_ERROR_NOT_PERMITTED, max_devs)

doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap)
{
	if (mmap == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->started || mmap->num_bufs > 0)
		return DOCA_ERROR_NOT_PERMITTED;
	mmap->is_thread_safe = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	struct doca_dev **devs;

	if (mmap == NULL || dev == NULL || !dev_is_open(dev))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->started || mmap->import != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	if (mmap_has_dev(mmap, dev))
		return DOCA_ERROR_ALREADY_EXIST;
	if (mmap->num_devs == mmap->max_devs)
		return DOCA_ERROR_NO_MEMORY;
	devs = realloc(mmap->devs, (mmap->num_devs + 1) * sizeof(*devs));
	if (devs == NULL)
		return DOCA_ERROR_NO_MEMORY;
	devs[mmap->num_devs++] = dev;
	mmap->devs = devs;
	sd_dev_hold(dev);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
	uint32_t i;

	if (mmap == NULL || dev == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->started || mmap->import != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	for (i = 0; i < mmap->num_devs && mmap->devs[i] != dev; i++)
		;
	if (i == mmap->num_devs)
		return DOCA_ERROR_NOT_FOUND;
	mmap->devs[i] = mmap->devs[--mmap->num_devs];
	sd_dev_release(dev);
	return DOCA_SUCCESS;
}

uint8_t mmap_contains(const struct doca_mmap *mmap, const void *addr, size_t len)
{
	uintptr_t begin = (uintptr_t)mmap->addr, at = (uintptr_t)addr;

	return at >= begin && at - begin <= mmap->len && len <= mmap->len - (at - begin);
}

uint8_t mmap_has_dev(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
	uint32_t i;

	for (i = 0; i < mmap->num_devs; i++)
		if (mmap->devs[i] == dev)
			return 1;
	return 0;
}
