/*
 * Memory maps: memory that devices may reach.
 *
 *   create -> set_memrange -> add_dev (one or more) -> set_permissions -> start -> buffers -> stop -> destroy
 *
 * Settings belong to the time before start: afterwards BAD_STATE, and NOT_PERMITTED for devices. A map that buffers point
 * into, or that tasks in flight use, can neither be stopped nor destroyed (NOT_PERMITTED). Memory must stay mapped from start
 * to stop; it may be freed between stop and destroy.
 *
 * Thread: one thread at a time, except after doca_mmap_enable_thread_safety(). A NULL argument is INVALID_VALUE.
 */
#ifndef DOCA_MMAP_H_
#define DOCA_MMAP_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_devinfo;
struct doca_dpa;
struct doca_mmap;

/** A memory map as the data-path accelerator names it. */
typedef uint32_t doca_dpa_dev_mmap_t;

/** Called by doca_mmap_destroy() with the map's range and the cookie of doca_mmap_set_free_cb(). */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len, void *cookie);

/** @name Life */
/** @{ */
/** A new map without memory or devices, local read only. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_mmap_create(struct doca_mmap **mmap);
/** Stop if necessary, and destroy; calls the free callback if the map was ever started with it.
 *  NOT_PERMITTED: buffers or tasks are left. */
DOCA_STABLE
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);
/** Make the memory reachable. INVALID_VALUE: no memory or no device set; NOT_PERMITTED: exported or imported map;
 *  NO_MEMORY. Starting a started map changes nothing. */
DOCA_STABLE
doca_error_t doca_mmap_start(struct doca_mmap *mmap);
/** Take the memory away from the devices; exports become void, whoever is accessing the memory is waited for. NOT_PERMITTED: buffers
 *  or tasks are left, or an importing process does not come to an end; the exports are void all the same. */
DOCA_STABLE
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);
/** @} */

/** @name Settings */
/** @{ */
/** The memory: len bytes from addr, any alignment. Once per map (then NOT_PERMITTED). INVALID_VALUE: len 0, overflow. */
DOCA_STABLE
doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);
/** Memory behind a dmabuf, which is mapped at addr. NOT_SUPPORTED by the software DPU. */
DOCA_STABLE
doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset,
					   size_t len);
/** Memory of the data-path accelerator. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa, uint64_t dpa_addr, size_t len);
/** Who may do what: bits of enum doca_access_flag, LOCAL_READ_WRITE until set. INVALID_VALUE: unknown bits, or both PCI access bits. */
DOCA_STABLE
doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);
/** Function that frees the memory when the map is destroyed; opaque is its cookie and may be NULL. */
DOCA_STABLE
doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque);
/** Value of the program's own. */
DOCA_STABLE
doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data);
/** Largest number of devices, 1 or more. NOT_PERMITTED: was started before. */
DOCA_STABLE
doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices);
/** Let several threads make and release buffers of the map. From then on buffers are not counted, and stop and destroy do
 *  not check for them. NOT_PERMITTED: started, or buffers exist. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);
/** Let a device reach the memory. The device stays in use until rm_dev or destroy. NOT_PERMITTED: started or imported;
 *  ALREADY_EXIST; NO_MEMORY: beyond the largest number. */
DOCA_STABLE
doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);
/** Undo doca_mmap_add_dev(). NOT_FOUND; NOT_PERMITTED: started or imported. */
DOCA_STABLE
doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);
/** @} */

/** @name Questions */
/** @{ */
/** The memory. BAD_STATE: not set. */
DOCA_STABLE
doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len);
/** Buffers that point into the map; 0 with thread safety, which does not count. */
DOCA_STABLE
doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs);
DOCA_STABLE
doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data);
DOCA_STABLE
doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices);
/** Whether the map was exported since its start: 1 or 0. */
DOCA_STABLE
doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported);
/** Whether the map was made from an export: 1 or 0. */
DOCA_STABLE
doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export);
/** Key by which a device knows a started map. NOT_FOUND: not one of its devices; NOT_PERMITTED: not started. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_get_mkey(struct doca_mmap *mmap, struct doca_dev *dev, uint32_t *mkey);
/** Handle for the data-path accelerator. NOT_FOUND; NOT_PERMITTED; otherwise NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle);
/** @} */

/** @name Sharing with the other side of the card or with RDMA peers */
/** @{ */
/** Whether a device promises to export to, and import from, the other side of the card: 1 or 0. The host exports, the DPU imports. (The
 *  other direction works as well on the software DPU.) */
DOCA_STABLE
doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *mmap_export);
DOCA_STABLE
doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *from_export);
/** Description of a started map for the other side of the card; belongs to the map, until stop.
 *  NOT_FOUND: dev is none of the map's; NOT_PERMITTED: not started, no PCI permission, or imported; NO_MEMORY; DRIVER: the reason is in
 *  the log. */
DOCA_STABLE
doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				  size_t *export_desc_len);
/** Description of a started map for RDMA peers; as doca_mmap_export_pci(). NOT_SUPPORTED by the software DPU. */
DOCA_STABLE
doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				   size_t *export_desc_len);
/** A map, started at once, of memory that somebody else exported. Its addresses are the exporter's; tasks that can reach it fail when
 *  the exporter has stopped its map or is gone. It cannot be configured, started again or exported. user_data may be NULL.
 *  INVALID_VALUE: not a description, or not of an export that stands; NOT_SUPPORTED: dev is on the exporter's own side; NO_MEMORY;
 *  DRIVER: the reason is in the log. */
DOCA_STABLE
doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
