/*
 * Buffers: windows into a memory map, with content.
 *
 *        head                data             data + data_len        head + len
 *         |---- unused -------|==== content ====|------- free room -----|
 *
 * A task reads the content of a source. A task writes into the free room of a destination, whose content grows. Buffers can be
 * chained to lists. The first element of a list is its head; the reference count of the head is that of the list.
 *
 * Thread: one thread at a time per inventory or pool. A NULL argument is INVALID_VALUE.
 */
#ifndef DOCA_BUF_H_
#define DOCA_BUF_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;

/** @name Reference count; 1 for a new buffer. NOT_PERMITTED: an element of a list, but not its head */
/** @{ */
/** Adds one reference. refcount receives the previous count and may be NULL. TOO_BIG: the count is 65535. */
DOCA_STABLE
doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);
/**
 * Removes one reference. At 0, the buffer and all elements of its list return to their inventory or pool. refcount receives the
 * previous count and may be NULL. BAD_STATE: the count is 0.
 */
DOCA_STABLE
doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);
/** Returns the count: 1 for an element that is not the head, 0 for a buffer that was returned. */
DOCA_STABLE
doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);
/** @} */

/** @name Window and content; lengths in bytes */
/** @{ */
DOCA_STABLE
doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);
DOCA_STABLE
doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);
DOCA_STABLE
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);
DOCA_STABLE
doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);
/** Sets the content without validation: content outside the window makes tasks fail. */
DOCA_STABLE
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);
/** Sets the length of the content without validation; the content keeps its start. */
DOCA_STABLE
doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);
/** Empties the content, which keeps its start. */
DOCA_STABLE
doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);
/** @} */

/** @name Lists */
/** @{ */
/**
 * Appends list2 to list1, in constant time; both are heads. INVALID_VALUE: the same list;
 * NOT_PERMITTED: an argument is not a head, or the reference count of list2 is not 1.
 */
DOCA_STABLE
doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2);
/** Does the same as doca_buf_chain_list(). list1_tail is the last element of list1 (INVALID_VALUE if not). */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head, struct doca_buf *list1_tail, struct doca_buf *list2);
/**
 * Splits list1 before its element list2, which becomes the head of a separate list with reference count 1. INVALID_VALUE: list2
 * is not in list1, or is its head; NOT_PERMITTED: list1 is not a head.
 */
DOCA_STABLE
doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2);
/** Returns the next element; NULL at the end. */
DOCA_STABLE
doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf);
/** Returns the last element; for a single buffer, the buffer itself. */
DOCA_STABLE
doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf);
/** Returns whether the buffer is an element of a list of at least two buffers: 1 or 0. */
DOCA_STABLE
doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);
DOCA_STABLE
doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first);
DOCA_STABLE
doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last);
/** Returns the number of elements; 1 for a single buffer. NOT_PERMITTED: not the head. */
DOCA_STABLE
doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
