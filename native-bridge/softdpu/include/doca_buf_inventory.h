/*
 * Buffer inventories: a stock of buffers that can be pointed at any place of any started memory map.
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
/** A stock of num_elements buffers, 1 or more. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory);
/** Stop if necessary, and destroy. IN_USE: buffers are out, or tasks in flight were given buffers. */
DOCA_STABLE
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);
/** Start to give out buffers. */
DOCA_STABLE
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);
/** Give out no more buffers; those that are out stay valid. */
DOCA_STABLE
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);
/** Add num_elements buffers to a started stock. BAD_STATE: not started; NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements);
/** @} */

/** @name Buffers */
/** @{ */
/**
 * Take a buffer with window [addr, addr + len) and content [data, data + data_len).
 * @return INVALID_VALUE: the window is not inside the map, or the content not inside the window;
 *         BAD_STATE: inventory or map is not started; NO_MEMORY: the stock is used up.
 */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr,
						size_t len, void *data, size_t data_len, struct doca_buf **buf);

/** Take a buffer with window [addr, addr + len) and no content: a destination. Errors as above. */
static inline doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
							      struct doca_mmap *mmap, void *addr, size_t len,
							      struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, 0, buf);
}

/** Take a buffer whose window is all content, [data, data + data_len): a source. Errors as above. */
static inline doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
							      struct doca_mmap *mmap, void *data, size_t data_len,
							      struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, mmap, data, data_len, data, data_len, buf);
}

/** Take buffers that describe the same memory and content as the list src_buf. NOT_PERMITTED: src_buf is no head;
 *  BAD_STATE: inventory or a map is not started; NO_MEMORY: not enough left, nothing is taken. */
DOCA_STABLE
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory, const struct doca_buf *src_buf,
					struct doca_buf **dst_buf);

/** Point a buffer that stands alone to another window of the same map, without content, instead of returning it and
 *  taking another. INVALID_VALUE: window outside the map, or buf is not of an inventory; BAD_STATE: the map is not started;
 *  NOT_PERMITTED: buf is in a list. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len);
/** As above; the new window is all content. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data, size_t data_len);
/** @} */

/** @name Questions */
/** @{ */
/** Size of the stock, buffers that are out included. */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory, uint32_t *num_of_elements);
/** Buffers left in the stock. */
DOCA_STABLE
doca_error_t doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory,
						      uint32_t *num_of_free_elements);
/** Value of the program's own; may be set at any time. */
DOCA_STABLE
doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory, union doca_data user_data);
DOCA_STABLE
doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory, union doca_data *user_data);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
