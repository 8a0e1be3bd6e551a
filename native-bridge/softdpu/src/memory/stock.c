#include "stock.h"

#include <stdlib.h>

#include "sd_calls.h"
#include "sd_census.h"

/* A block of buffers. Buffers never move. */
struct stock_block {
	struct stock_block *next;
	struct doca_buf bufs[];
};

struct stock *stock_create(enum stock_kind kind, uint32_t count)
{
	struct stock *stock = calloc(1, sizeof(*stock));

	if (stock == NULL)
		return NULL;
	stock->kind = kind;
	if (stock_expand(stock, count) != DOCA_SUCCESS) {
		free(stock);
		return NULL;
	}
	return stock;
}

doca_error_t stock_expand(struct stock *stock, uint32_t count)
{
	struct stock_block *block;
	uint32_t i;

	if (count > UINT32_MAX - stock->num_elements)
		return DOCA_ERROR_INVALID_VALUE;
	block = calloc(1, sizeof(*block) + count * sizeof(block->bufs[0]));
	if (block == NULL)
		return DOCA_ERROR_NO_MEMORY;
	/* In reverse order, so that stock_take() returns buffers in the order of their addresses. */
	for (i = count; i-- > 0;) {
		block->bufs[i].stock = stock;
		block->bufs[i].next = stock->free_list;
		stock->free_list = &block->bufs[i];
	}
	block->next = stock->blocks;
	stock->blocks = block;
	stock->num_elements += count;
	stock->num_free += count;
	return DOCA_SUCCESS;
}

void stock_destroy(struct stock *stock)
{
	struct stock_block *block, *next;

	for (block = stock->blocks; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
	free(stock);
}

struct doca_buf *stock_take(struct stock *stock, struct doca_mmap *mmap, uint8_t *head, size_t len)
{
	struct doca_buf *buf = stock->free_list;

	if (buf == NULL)
		return NULL;
	stock->free_list = buf->next;
	stock->num_free--;
	buf->head = buf->data = head;
	buf->len = len;
	buf->data_len = 0;
	buf->mmap = mmap;
	buf->next = NULL;
	buf->last = buf;
	buf->list_len = 1;
	buf->refcount = 1;
	buf->is_head = 1;
	buf->is_counted = !mmap->is_thread_safe;
	if (buf->is_counted)
		mmap->num_bufs++;
	sd_census_add(SD_CENSUS_BUFFERS, 1);
	sd_calls_created("buf", buf);
	return buf;
}

void stock_return(struct doca_buf *buf)
{
	struct stock *stock = buf->stock;

	/* A thread-safe map may no longer exist. */
	if (buf->is_counted)
		buf->mmap->num_bufs--;
	buf->refcount = 0;
	buf->generation++;
	buf->next = stock->free_list;
	stock->free_list = buf;
	stock->num_free++;
	sd_census_add(SD_CENSUS_BUFFERS, -1);
	sd_calls_destroyed(buf);
}

uint8_t stock_is_used(const struct stock *stock)
{
	return stock->num_free < stock->num_elements || stock->num_latches > 0;
}

uint8_t window_contains(const uint8_t *head, size_t len, const uint8_t *data, size_t data_len)
{
	uintptr_t begin = (uintptr_t)head, at = (uintptr_t)data;

	return at >= begin && at - begin <= len && data_len <= len - (at - begin);
}
