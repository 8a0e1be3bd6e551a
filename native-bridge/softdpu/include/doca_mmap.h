/*
 * Memory maps: memory that devices can access.
 *
 *   create -> set_memrange -> add_dev (one or more) -> set_permissions -> start -> buffers -> stop -> destroy
 *
 * Settings must precede the start; afterwards setters return BAD_STATE, and those for devices NOT_PERMITTED. A map with buffers
 * or with tasks in flight can neither be stopped nor destroyed (NOT_PERMITTED). Memory must stay mapped from start to stop; it
 * may be freed between stop and destroy.
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

/** Handle of a memory map on the data-path accelerator. */
typedef uint32_t doca_dpa_dev_mmap_t;

/** Called by doca_mmap_destroy() with the map's range and the cookie of doca_mmap_set_free_cb(). */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len, void *cookie);

/** @name Life */
/** @{ */
/** Creates a map without memory or devices, with LOCAL_READ_WRITE. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_mmap_create(struct doca_mmap **mmap);
/**
 * Stops the map if necessary, and destroys it. Calls the free callback if the map was ever started with it. NOT_PERMITTED:
 * buffers or tasks exist.
 */
DOCA_STABLE
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);
/**
 * Starts the map: devices can access the memory. INVALID_VALUE: no memory or no device set; NOT_PERMITTED: exported or imported
 * map; NO_MEMORY. Starting a started map does nothing.
 */
DOCA_STABLE
doca_error_t doca_mmap_start(struct doca_mmap *mmap);
/**
 * Stops the map: exports become invalid, and this call waits for running accesses. NOT_PERMITTED: buffers or tasks exist, or an
 * importing process does not end its access; the exports are invalid even then.
 */
DOCA_STABLE
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);
/** @} */

/** @name Settings */
/** @{ */
/** Sets the memory: len bytes from addr, any alignment. Once per map (then NOT_PERMITTED). INVALID_VALUE: len 0, overflow. */
DOCA_STABLE
doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);
/** Sets memory behind a dmabuf, which is mapped at addr. NOT_SUPPORTED by the software DPU. */
DOCA_STABLE
doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset,
					   size_t len);
/** Sets memory of the data-path accelerator. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa, uint64_t dpa_addr, size_t len);
/**
 * Sets the permissions: bits of enum doca_access_flag, by default LOCAL_READ_WRITE. INVALID_VALUE: unknown bits, or both PCI
 * access bits.
 */
DOCA_STABLE
doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);
/** Sets a function that frees the memory when the map is destroyed; opaque is its cookie and may be NULL. */
DOCA_STABLE
doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque);
/** Sets a value for the program. */
DOCA_STABLE
doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data);
/** Sets the largest number of devices, 1 or more. NOT_PERMITTED: was started before. */
DOCA_STABLE
doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices);
/**
 * Allows several threads to create and release buffers of the map. From then on the map does not count buffers, and stop and
 * destroy do not check for them. NOT_PERMITTED: started, or buffers exist.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);
/**
 * Allows a device to access the memory. The device stays in use until rm_dev or destroy. NOT_PERMITTED: started or imported;
 * ALREADY_EXIST; NO_MEMORY: above the largest number of devices.
 */
DOCA_STABLE
doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);
/** Removes a device. NOT_FOUND; NOT_PERMITTED: started or imported. */
DOCA_STABLE
doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);
/** @} */

/** @name Properties */
/** @{ */
/** Returns the memory range. BAD_STATE: not set. */
DOCA_STABLE
doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len);
/** Returns the number of buffers of the map; 0 after doca_mmap_enable_thread_safety(), which ends the count. */
DOCA_STABLE
doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs);
DOCA_STABLE
doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data);
DOCA_STABLE
doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices);
/** Returns whether the map was exported since its start: 1 or 0. */
DOCA_STABLE
doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported);
/** Returns whether the map was created from an export: 1 or 0. */
DOCA_STABLE
doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export);
/** Returns the key of a started map for a device. NOT_FOUND: not a device of the map; NOT_PERMITTED: not started. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_get_mkey(struct doca_mmap *mmap, struct doca_dev *dev, uint32_t *mkey);
/** Returns the handle for the data-path accelerator. NOT_FOUND; NOT_PERMITTED; otherwise NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
					  doca_dpa_dev_mmap_t *dpa_mmap_handle);
/** @} */

/** @name Sharing with the other side of the card or with RDMA peers */
/** @{ */
/**
 * Returns whether a device can export to, and import from, the other side of the card: 1 or 0. The host exports, the DPU
 * imports. (The software DPU supports the other direction as well.)
 */
DOCA_STABLE
doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *mmap_export);
DOCA_STABLE
doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo, uint8_t *from_export);
/**
 * Returns a description of a started map for the other side of the card. The map owns it, until stop. NOT_FOUND: dev is not a
 * device of the map; NOT_PERMITTED: not started, no PCI permission, imported, or an earlier export is invalid already (stop the
 * map); NO_MEMORY; DRIVER: the log has the reason.
 */
DOCA_STABLE
doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				  size_t *export_desc_len);
/**
 * Returns a description of a started map for RDMA peers: 120 bytes. As doca_mmap_export_pci(), but NOT_PERMITTED without an RDMA
 * permission.
 */
DOCA_STABLE
doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc,
				   size_t *export_desc_len);
/**
 * Creates and starts a map of memory that another process exported. The addresses of the map are the exporter's. Tasks on it
 * fail after the exporter stopped its map or ended. The map cannot be configured, started again or exported. user_data may be
 * NULL. Only RDMA tasks access the map of a description for RDMA peers. INVALID_VALUE: not a description, or its export is not
 * valid any more; NOT_SUPPORTED: dev is on the exporter's side; NO_MEMORY; DRIVER: the log has the reason.
 */
DOCA_STABLE
doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
					  size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
