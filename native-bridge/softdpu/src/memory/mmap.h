/*
 * Memory maps, as buffers and latches see them.
 */
#ifndef MMAP_H
#define MMAP_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_dev.h"
#include "doca_mmap.h"

struct export;
struct sd_import;

struct doca_mmap {
	uint8_t *addr;				/**< NULL: no memory set */
	size_t len;
	uint32_t permissions;			/**< bits of enum doca_access_flag */
	_Atomic uint8_t started;		/**< read by all threads that make buffers */
	uint8_t was_started;
	uint8_t is_thread_safe;
	_Atomic uint32_t num_bufs;		/**< buffers that count; none of a thread-safe map do */
	_Atomic uint32_t num_latches;		/**< pieces that tasks in flight hold */
	struct doca_dev **devs;
	uint32_t num_devs, max_devs;
	uint32_t key;				/**< differs between maps */
	doca_mmap_memrange_free_cb_t *free_cb;
	void *free_cookie;
	uint8_t free_armed;			/**< was started since free_cb was set */
	union doca_data user_data;
	struct export *export;			/**< NULL: not exported since its start */
	struct sd_import *import;		/**< NULL: memory of this process */
};

/** Whether [addr, addr + len) lies inside the map's memory. */
uint8_t mmap_contains(const struct doca_mmap *mmap, const void *addr, size_t len);

/** What a device needs to be told about a map: NOT_PERMITTED unless started, NOT_FOUND unless dev is one of its own. */
doca_error_t mmap_check_registered(const struct doca_mmap *mmap, const struct doca_dev *dev);

/** A new map, as doca_mmap_create() makes it; NULL without memory. */
struct doca_mmap *mmap_new(void);

/** Whether dev may reach the map. */
uint8_t mmap_has_dev(const struct doca_mmap *mmap, const struct doca_dev *dev);

#endif
