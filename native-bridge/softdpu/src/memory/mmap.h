/* Memory maps, for buffers and latches. */
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
	_Atomic uint8_t started;		/**< all threads that create buffers read it */
	uint8_t was_started;
	uint8_t is_thread_safe;
	_Atomic uint32_t num_bufs;		/**< counted buffers; a thread-safe map counts none */
	_Atomic uint32_t num_latches;		/**< segments that tasks in flight hold */
	struct doca_dev **devs;
	uint32_t num_devs, max_devs;
	uint32_t key;				/**< unique among maps */
	doca_mmap_memrange_free_cb_t *free_cb;
	void *free_cookie;
	uint8_t free_armed;			/**< the map started after free_cb was set */
	union doca_data user_data;
	struct export *export;			/**< NULL: not exported since its start */
	struct sd_import *import;		/**< NULL: memory of this process */
	uint8_t is_remote;			/**< imported memory of an RDMA peer: only RDMA tasks access it */
	uint16_t remote_vhca_id;		/**< of the device that exported it */
};

/** Returns true if [addr, addr + len) lies inside the map's memory. */
uint8_t mmap_contains(const struct doca_mmap *mmap, const void *addr, size_t len);

/** Checks that dev can use the map. NOT_PERMITTED: the map is not started; NOT_FOUND: dev is not one of the map's devices. */
doca_error_t mmap_check_registered(const struct doca_mmap *mmap, const struct doca_dev *dev);

/** Creates a map without permissions; NULL without memory. */
struct doca_mmap *mmap_new(void);

/** Returns true if dev is one of the map's devices. */
uint8_t mmap_has_dev(const struct doca_mmap *mmap, const struct doca_dev *dev);

#endif
