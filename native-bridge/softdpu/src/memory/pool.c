#include <stdlib.h>

#include "doca_buf_pool.h"
#include "sd_calls.h"
#include "sd_census.h"
#include "sd_fault.h"
#include "sd_shape.h"
#include "stock.h"

struct doca_buf_pool {
	struct stock *stock;
	struct doca_mmap *mmap;
	size_t element_size, alignment;
	uint8_t started;
	union doca_data user_data;
};

doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size, const struct doca_mmap *mmap,
				  struct doca_buf_pool **buf_pool)
{
	struct doca_buf_pool *p;
	doca_error_t result;

	if (num_elements == 0 || num_elements > UINT32_MAX || element_size == 0 || mmap == NULL || buf_pool == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	p = sd_fault_calloc("alloc-pool", sizeof(*p), &result);
	if (p == NULL)
		return result;
	p->stock = stock_create(STOCK_POOL, (uint32_t)num_elements);
	if (p->stock == NULL) {
		free(p);
		return DOCA_ERROR_NO_MEMORY;
	}
	p->mmap = (struct doca_mmap *)mmap; /* buffers change only the map's counters */
	p->element_size = element_size;
	p->alignment = 1;
	sd_census_add(SD_CENSUS_POOLS, 1);
	sd_calls_created("pool", p);
	*buf_pool = p;
	return DOCA_SUCCESS;
}

static doca_error_t stop(struct doca_buf_pool *buf_pool)
{
	if (stock_is_used(buf_pool->stock))
		return DOCA_ERROR_IN_USE;
	buf_pool->started = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool)
{
	if (sd_calls_refuse(__func__, buf_pool))
		return DOCA_ERROR_BAD_STATE;
	return buf_pool == NULL ? DOCA_ERROR_INVALID_VALUE : stop(buf_pool);
}

doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool)
{
	doca_error_t result;

	if (sd_calls_refuse(__func__, buf_pool))
		return DOCA_ERROR_BAD_STATE;
	if (buf_pool == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = stop(buf_pool);
	if (result != DOCA_SUCCESS)
		return result;
	stock_destroy(buf_pool->stock);
	sd_calls_destroyed(buf_pool);
	free(buf_pool);
	sd_census_add(SD_CENSUS_POOLS, -1);
	return DOCA_SUCCESS;
}

/* Divides the map into elements. Each free buffer of the stock gets one element, in the order of the free list. */
static doca_error_t lay_out(struct doca_buf_pool *pool)
{
	uint64_t mask = pool->alignment - 1, first, stride, needed;
	uint64_t begin = (uintptr_t)pool->mmap->addr;
	struct doca_buf *buf;

	if (__builtin_add_overflow(begin, mask, &first) || __builtin_add_overflow(pool->element_size, mask, &stride))
		return DOCA_ERROR_INITIALIZATION;
	first &= ~mask;
	stride &= ~mask;
	if (__builtin_mul_overflow(stride, (uint64_t)pool->stock->num_elements - 1, &needed) ||
	    __builtin_add_overflow(needed, first - begin, &needed) ||
	    __builtin_add_overflow(needed, pool->element_size, &needed) || needed > pool->mmap->len)
		return DOCA_ERROR_INITIALIZATION;
	for (buf = pool->stock->free_list; buf != NULL; buf = buf->next, first += stride)
		buf->head = (uint8_t *)(uintptr_t)first;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool)
{
	doca_error_t result;

	if (sd_calls_refuse(__func__, buf_pool))
		return DOCA_ERROR_BAD_STATE;
	if (buf_pool == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (buf_pool->started)
		return DOCA_SUCCESS;
	if (!buf_pool->mmap->started)
		return DOCA_ERROR_BAD_STATE;
	result = lay_out(buf_pool);
	buf_pool->started = result == DOCA_SUCCESS;
	return result;
}

doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf)
{
	struct stock *stock;
	doca_error_t result;

	if (buf_pool == NULL || buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!buf_pool->started || !buf_pool->mmap->started)
		return DOCA_ERROR_BAD_STATE;
	result = sd_fault_alloc("alloc-buf");
	if (result != DOCA_SUCCESS)
		return result;
	stock = buf_pool->stock;
	if (stock->free_list == NULL)
		return DOCA_ERROR_EMPTY;
	*buf = stock_take(stock, buf_pool->mmap, stock->free_list->head, buf_pool->element_size);
	return DOCA_SUCCESS;
}

SD_STORE_IF(doca_buf_pool_set_element_alignment, struct doca_buf_pool, size_t, value > 0 && (value & (value - 1)) == 0,
	!object->started, DOCA_ERROR_BAD_STATE, alignment)
SD_GETTER(doca_buf_pool_get_element_alignment, const struct doca_buf_pool, size_t, object->alignment)
SD_GETTER(doca_buf_pool_get_num_elements, const struct doca_buf_pool, uint32_t, object->stock->num_elements)
SD_GETTER(doca_buf_pool_get_num_free_elements, const struct doca_buf_pool, uint32_t, object->stock->num_free)
SD_STORE_IF(doca_buf_pool_set_user_data, struct doca_buf_pool, union doca_data, 1, !object->started, DOCA_ERROR_BAD_STATE,
	user_data)
SD_GETTER(doca_buf_pool_get_user_data, const struct doca_buf_pool, union doca_data, object->user_data)
