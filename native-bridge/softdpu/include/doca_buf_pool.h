/*
 * Buffer pools: a memory map divided into elements of equal size, each with a buffer.
 *
 * Thread: one thread at a time. A NULL argument is INVALID_VALUE.
 */
#ifndef DOCA_BUF_POOL_H_
#define DOCA_BUF_POOL_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_buf.h"
#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_pool;
struct doca_mmap;

/** @name Life */
/** @{ */
/** Creates a pool of num_elements elements of element_size bytes each in mmap. INVALID_VALUE: a number is 0; NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size, const struct doca_mmap *mmap,
				  struct doca_buf_pool **buf_pool);
/** Stops the pool if necessary, and destroys it. IN_USE: buffers are allocated, or tasks in flight use buffers. */
DOCA_STABLE
doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);
/** Starts the pool and places its elements. BAD_STATE: the map is not started; INITIALIZATION: the map is too small. */
DOCA_STABLE
doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);
/** Stops the pool: no more buffers can be allocated. IN_USE: as for destroy. */
DOCA_STABLE
doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);
/** @} */

/** Allocates a buffer: its window is one whole element, without content. BAD_STATE: not started; EMPTY: no buffer is free. */
DOCA_STABLE
doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf);

/** @name Settings and properties; setters need a pool that is not started (else BAD_STATE) */
/** @{ */
/** Sets the alignment of elements in bytes, a power of two (INVALID_VALUE if not); 1 by default. */
DOCA_STABLE
doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool, size_t element_alignment);
DOCA_STABLE
doca_error_t doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool, size_t *element_alignment);
/** Returns the number of elements, allocated ones included. */
DOCA_STABLE
doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool, uint32_t *num_of_elements);
/** Returns the number of free elements. */
DOCA_STABLE
doca_error_t doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements);
/** Sets a value for the program. */
DOCA_STABLE
doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data);
DOCA_STABLE
doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool, union doca_data *user_data);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
