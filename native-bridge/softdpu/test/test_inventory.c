/* An inventory provides its number of buffers, only while it is started, and can be destroyed after all were returned. */
#include "objects.h"

static uint8_t memory[100];

static void test_life(struct doca_mmap *map)
{
	struct doca_buf_inventory *inventory;
	struct doca_buf *a, *b, *c;
	union doca_data data = { .u64 = 5 };
	uint32_t num;

	CHECK_ERROR(doca_buf_inventory_create(0, &inventory), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_create(1, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_inventory_create(2, &inventory));
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 1, &a), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_buf_inventory_expand(inventory, 1), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_buf_inventory_set_user_data(inventory, data));
	CHECK_OK(doca_buf_inventory_start(inventory));
	data.u64 = 0;
	CHECK_OK(doca_buf_inventory_get_user_data(inventory, &data));
	CHECK_EQ(data.u64, 5);

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 1, &a));
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 1, &b));
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 1, &c), DOCA_ERROR_NO_MEMORY);
	CHECK_ERROR(doca_buf_inventory_expand(inventory, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_expand(inventory, UINT32_MAX), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_inventory_expand(inventory, 3));
	CHECK_OK(doca_buf_inventory_get_num_elements(inventory, &num));
	CHECK_EQ(num, 5);
	CHECK_OK(doca_buf_inventory_get_num_free_elements(inventory, &num));
	CHECK_EQ(num, 3);
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 1, &c));

	CHECK_OK(doca_buf_inventory_stop(inventory));
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 1, &b), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_buf_dec_refcount(a, NULL));
	CHECK_OK(doca_buf_dec_refcount(b, NULL));
	CHECK_ERROR(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_buf_dec_refcount(c, NULL));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
	CHECK_ERROR(doca_buf_inventory_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void test_dup(struct doca_mmap *map)
{
	struct doca_buf_inventory *inventory = start_inventory(2), *copies = start_inventory(3);
	struct doca_buf *a, *b, *copy, *second, *none = NULL;
	uint32_t num;
	size_t len;
	void *data;

	CHECK_OK(doca_buf_inventory_buf_get_by_args(inventory, map, memory, 50, memory + 5, 6, &a));
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory + 50, 50, &b));
	CHECK_OK(doca_buf_chain_list(a, b));
	CHECK_ERROR(doca_buf_inventory_buf_dup(copies, b, &copy), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_buf_inventory_buf_dup(copies, a, &copy));
	CHECK_OK(doca_buf_get_list_len(copy, &num));
	CHECK_EQ(num, 2);
	CHECK_OK(doca_buf_get_data(copy, &data));
	CHECK(data == memory + 5);
	CHECK_OK(doca_buf_get_data_len(copy, &len));
	CHECK_EQ(len, 6);
	CHECK_OK(doca_buf_get_next_in_list(copy, &second));
	CHECK_OK(doca_buf_get_head(second, &data));
	CHECK(data == memory + 50);
	CHECK_OK(doca_mmap_get_num_bufs(map, &num));
	CHECK_EQ(num, 4);

	/* Too few buffers are free: none is allocated. */
	CHECK_ERROR(doca_buf_inventory_buf_dup(copies, a, &none), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_buf_inventory_get_num_free_elements(copies, &num));
	CHECK_EQ(num, 1);
	CHECK_OK(doca_buf_dec_refcount(copy, NULL));
	CHECK_OK(doca_buf_inventory_stop(copies));
	CHECK_ERROR(doca_buf_inventory_buf_dup(copies, a, &none), DOCA_ERROR_BAD_STATE);
	CHECK(none == NULL);
	CHECK_OK(doca_buf_dec_refcount(a, NULL));
	CHECK_OK(doca_buf_inventory_destroy(copies));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0");
	struct doca_mmap *map = start_map(dev, memory, sizeof(memory));

	test_life(map);
	test_dup(map);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
