#include <stdlib.h>

#include "doca_buf_inventory.h"
#include "sd_calls.h"
#include "sd_census.h"
#include "sd_fault.h"
#include "sd_shape.h"
#include "stock.h"

struct doca_buf_inventory {
	struct stock *stock;
	uint8_t started;
	union doca_data user_data;
};

doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory)
{
	struct doca_buf_inventory *i;
	doca_error_t result;

	if (num_elements == 0 || num_elements > UINT32_MAX || inventory == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	i = sd_fault_calloc("alloc-pool", sizeof(*i), &result);
	if (i == NULL)
		return result;
	i->stock = stock_create(STOCK_INVENTORY, (uint32_t)num_elements);
	if (i->stock == NULL) {
		free(i);
		return DOCA_ERROR_NO_MEMORY;
	}
	sd_census_add(SD_CENSUS_INVENTORIES, 1);
	sd_calls_created("inventory", i);
	*inventory = i;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
	if (sd_calls_refuse(__func__, inventory))
		return DOCA_ERROR_BAD_STATE;
	if (inventory == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (stock_is_used(inventory->stock))
		return DOCA_ERROR_IN_USE;
	stock_destroy(inventory->stock);
	sd_calls_destroyed(inventory);
	free(inventory);
	sd_census_add(SD_CENSUS_INVENTORIES, -1);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
	if (sd_calls_refuse(__func__, inventory))
		return DOCA_ERROR_BAD_STATE;
	if (inventory == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	inventory->started = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
	if (sd_calls_refuse(__func__, inventory))
		return DOCA_ERROR_BAD_STATE;
	if (inventory == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	inventory->started = 0;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements)
{
	if (inventory == NULL || num_elements == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (!inventory->started)
		return DOCA_ERROR_BAD_STATE;
	return stock_expand(inventory->stock, num_elements);
}

doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr,
						size_t len, void *data, size_t data_len, struct doca_buf **buf)
{
	doca_error_t result;
	struct doca_buf *b;

	if (inventory == NULL || mmap == NULL || buf == NULL || addr == NULL || data == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!inventory->started || !mmap->started)
		return DOCA_ERROR_BAD_STATE;
	if (!mmap_contains(mmap, addr, len) || !window_contains(addr, len, data, data_len))
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_fault_alloc("alloc-buf");
	if (result != DOCA_SUCCESS)
		return result;
	b = stock_take(inventory->stock, mmap, addr, len);
	if (b == NULL)
		return DOCA_ERROR_NO_MEMORY;
	b->data = data;
	b->data_len = data_len;
	*buf = b;
	return DOCA_SUCCESS;
}

static doca_error_t check_dup(const struct doca_buf_inventory *inventory, const struct doca_buf *src_buf)
{
	const struct doca_buf *b;

	if (!src_buf->is_head)
		return DOCA_ERROR_NOT_PERMITTED;
	if (!inventory->started || src_buf->refcount == 0)
		return DOCA_ERROR_BAD_STATE;
	for (b = src_buf; b != NULL; b = b->next)
		if (!b->mmap->started)
			return DOCA_ERROR_BAD_STATE;
	return inventory->stock->num_free < src_buf->list_len ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory, const struct doca_buf *src_buf,
					struct doca_buf **dst_buf)
{
	struct doca_buf *head = NULL, *copy;
	const struct doca_buf *b;
	doca_error_t result;

	if (inventory == NULL || src_buf == NULL || dst_buf == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_dup(inventory, src_buf);
	if (result != DOCA_SUCCESS)
		return result;
	for (b = src_buf; b != NULL; b = b->next) {
		copy = stock_take(inventory->stock, b->mmap, b->head, b->len);
		copy->data = b->data;
		copy->data_len = b->data_len;
		if (head == NULL)
			head = copy;
		else
			doca_buf_chain_list(head, copy);
	}
	*dst_buf = head;
	return DOCA_SUCCESS;
}

static doca_error_t point_elsewhere(struct doca_buf *buf, void *addr, size_t len, size_t data_len)
{
	if (buf == NULL || addr == NULL || buf->stock->kind != STOCK_INVENTORY)
		return DOCA_ERROR_INVALID_VALUE;
	if (!buf->is_head || buf->next != NULL)
		return DOCA_ERROR_NOT_PERMITTED;
	if (buf->refcount == 0 || !buf->mmap->started)
		return DOCA_ERROR_BAD_STATE;
	if (!mmap_contains(buf->mmap, addr, len))
		return DOCA_ERROR_INVALID_VALUE;
	buf->head = buf->data = addr;
	buf->len = len;
	buf->data_len = data_len;
	buf->generation++; /* a task in flight must not commit its output to the new window */
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len)
{
	return point_elsewhere(buf, addr, len, 0);
}

doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data, size_t data_len)
{
	return point_elsewhere(buf, data, data_len, data_len);
}

SD_GETTER(doca_buf_inventory_get_num_elements, const struct doca_buf_inventory, uint32_t, object->stock->num_elements)
SD_GETTER(doca_buf_inventory_get_num_free_elements, const struct doca_buf_inventory, uint32_t, object->stock->num_free)
SD_STORE(doca_buf_inventory_set_user_data, struct doca_buf_inventory, union doca_data, user_data)
SD_GETTER(doca_buf_inventory_get_user_data, const struct doca_buf_inventory, union doca_data, object->user_data)
