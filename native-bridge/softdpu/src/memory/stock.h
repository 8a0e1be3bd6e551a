/*
 * A stock of buffers, which inventories and pools share. The stock stays while tasks in flight refer to one of its buffers, so
 * that they can detect a returned buffer.
 */
#ifndef STOCK_H
#define STOCK_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_buf.h"
#include "mmap.h"

enum stock_kind { STOCK_INVENTORY, STOCK_POOL };

struct stock_block;

struct stock {
	enum stock_kind kind;
	struct stock_block *blocks;
	struct doca_buf *free_list;
	uint32_t num_elements, num_free;
	_Atomic uint32_t num_latches;		/**< tasks in flight that refer to a buffer, also to a returned one */
};

struct doca_buf {
	uint8_t *head;			/**< window */
	size_t len;
	uint8_t *data;			/**< content */
	size_t data_len;
	struct doca_mmap *mmap;
	struct doca_buf *next;		/**< next in its list, or in the stock's free list */
	struct doca_buf *last;		/**< last of the list; valid in its head */
	uint32_t list_len;		/**< number of elements; valid in the head */
	uint16_t refcount;		/**< 0: in the stock */
	uint8_t is_head;		/**< head of a list of at least one element */
	uint8_t is_counted;		/**< counted in the map's num_bufs */
	uint64_t generation;		/**< grows when the buffer is returned or gets another window */
	struct stock *stock;
};

/** Creates a stock of count buffers; NULL without memory. */
struct stock *stock_create(enum stock_kind kind, uint32_t count);

/** Adds count buffers. INVALID_VALUE: the sum exceeds 32 bits; NO_MEMORY. */
doca_error_t stock_expand(struct stock *stock, uint32_t count);

void stock_destroy(struct stock *stock);

/** Takes a buffer with this window, no content and reference count 1. Returns NULL if the stock is empty. */
struct doca_buf *stock_take(struct stock *stock, struct doca_mmap *mmap, uint8_t *head, size_t len);

/** Returns a buffer to its stock; ignores its list. */
void stock_return(struct doca_buf *buf);

/** Returns true if programs hold buffers, or tasks in flight refer to buffers. */
uint8_t stock_is_used(const struct stock *stock);

/** Returns true if the content [data, data + data_len) lies in the window [head, head + len). */
uint8_t window_contains(const uint8_t *head, size_t len, const uint8_t *data, size_t data_len);

#endif
