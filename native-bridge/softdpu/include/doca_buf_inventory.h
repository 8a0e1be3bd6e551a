/*
 * Buffer inventories: sets of buffers that can point to any place in any started memory map.
 *
 * Thread: one thread at a time. A NULL argument is INVALID_VALUE.
 */
#ifndef DOCA_BUF_INVENTORY_H_
#define DOCA_BUF_INVENTORY_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_buf.h"
#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_inventory;
struct doca_mmap;

/** @name Life */
/** @{ */
/** Creates an inventory of num_elements buffers, 1 or more. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory);
/** Stops the inventory if necessary, and destroys it. IN_USE: buffers are allocated, or tasks in flight use buffers. */
DOCA_STABLE
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);
/** Starts the inventory: buffers can be allocated. */
DOCA_STABLE
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);
/** Stops the inventory: no more buffers can be allocated; allocated buffers stay valid. */
DOCA_STABLE
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);
/** Adds num_elements buffers to a started inventory. BAD_STATE: not started; NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements);
/** @} */

/** @name Buffers */
/** @{ */
/**
 * Allocates a buffer with window [addr, addr + len) and content [data, data + data_len).
 * @return INVALID_VALUE: the window is not inside the map, or the content not inside the window;
 *         BAD_STATE: the inventory or the map is not started; NO_MEMORY: all buffers are allocated.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr,
						size_t len, void *data, size_t data_len, struct doca_buf **buf);

/** Allocates a destination: window [addr, addr + len) and no content. Errors as above. */
static inline doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
							      struct doca_mmap *mmap, void *addr, size_t len,
							      struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, 0, buf);
}

/** Allocates a source: window and content [data, data + data_len). Errors as above. */
static inline doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
							      struct doca_mmap *mmap, void *data, size_t data_len,
							      struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, mmap, data, data_len, data, data_len, buf);
}

/**
 * Allocates buffers with the windows and contents of the list src_buf. NOT_PERMITTED: src_buf is not a head; BAD_STATE: the
 * inventory or a map is not started; NO_MEMORY: too few buffers are free, and none is allocated.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory, const struct doca_buf *src_buf,
					struct doca_buf **dst_buf);

/**
 * Moves a single buffer to another window of the same map, without content. The move saves a release and an allocation.
 * INVALID_VALUE: the window is outside the map, or buf is not from an inventory; BAD_STATE: the map is not started;
 * NOT_PERMITTED: buf is in a list.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len);
/** Does the same; the whole new window is content. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data, size_t data_len);
/** @} */

/** @name Properties */
/** @{ */
/** Returns the number of buffers, allocated ones included. */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory, uint32_t *num_of_elements);
/** Returns the number of free buffers. */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory,
						      uint32_t *num_of_free_elements);
/** Sets a value for the program; allowed at any time. */
DOCA_STABLE
doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory, union doca_data user_data);
DOCA_STABLE
doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory, union doca_data *user_data);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
