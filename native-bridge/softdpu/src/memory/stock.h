/*
 * A stock of buffers: what inventories and pools have in common. It stays while tasks in flight remember one of its buffers,
 * so that they can find out that the buffer was returned.
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
	_Atomic uint32_t num_latches;		/**< tasks in flight that remember a buffer, returned or not */
};

struct doca_buf {
	uint8_t *head;			/**< window */
	size_t len;
	uint8_t *data;			/**< content */
	size_t data_len;
	struct doca_mmap *mmap;
	struct doca_buf *next;		/**< in its list, or in the stock's free list */
	struct doca_buf *last;		/**< of the list; valid in its head */
	uint32_t list_len;		/**< elements; valid in the head */
	uint16_t refcount;		/**< 0: in stock */
	uint8_t is_head;		/**< of a list, of one element at least */
	uint8_t is_counted;		/**< the map knows of it */
	uint64_t generation;		/**< grows when the buffer is returned or pointed elsewhere */
	struct stock *stock;
};

/** A stock with count buffers; NULL without memory. */
struct stock *stock_create(enum stock_kind kind, uint32_t count);

/** Add count buffers. INVALID_VALUE: too many; NO_MEMORY. */
doca_error_t stock_expand(struct stock *stock, uint32_t count);

void stock_destroy(struct stock *stock);

/** Take a buffer with this window and no content, reference count 1; NULL when none is left. */
struct doca_buf *stock_take(struct stock *stock, struct doca_mmap *mmap, uint8_t *head, size_t len);

/** Give back a buffer, whatever list it was in. */
void stock_return(struct doca_buf *buf);

/** Whether buffers are out, or tasks in flight remember buffers. */
uint8_t stock_is_used(const struct stock *stock);

/** Whether the content [data, data + data_len) lies in the window [head, head + len). */
uint8_t window_contains(const uint8_t *head, size_t len, const uint8_t *data, size_t data_len);

#endif
