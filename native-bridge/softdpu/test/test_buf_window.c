/* A buffer is a window into a map with content inside; content is set without validation. */
#include "objects.h"

static uint8_t memory[100];
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;

static void check_buf(const struct doca_buf *buf, size_t head, size_t len, size_t data, size_t data_len)
{
	void *ptr;
	size_t size;

	CHECK_OK(doca_buf_get_head(buf, &ptr));
	CHECK(ptr == memory + head);
	CHECK_OK(doca_buf_get_len(buf, &size));
	CHECK_EQ(size, len);
	CHECK_OK(doca_buf_get_data(buf, &ptr));
	CHECK(ptr == memory + data);
	CHECK_OK(doca_buf_get_data_len(buf, &size));
	CHECK_EQ(size, data_len);
}

static doca_error_t get(size_t head, size_t len, size_t data, size_t data_len, struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_args(inventory, map, memory + head, len, memory + data, data_len, buf);
}

static void test_get(void)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 100, &buf));
	check_buf(buf, 0, 100, 0, 0);
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, memory + 10, 20, &buf));
	check_buf(buf, 10, 20, 10, 20);
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_OK(get(10, 50, 20, 40, &buf));
	check_buf(buf, 10, 50, 20, 40);
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_OK(get(100, 0, 100, 0, &buf)); /* empty, at the end */
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));

	CHECK_ERROR(get(0, 101, 0, 0, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(get(50, 51, 50, 0, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(get(50, SIZE_MAX, 50, 0, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(get(10, 50, 9, 1, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(get(10, 50, 30, 31, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(get(10, 50, 30, SIZE_MAX, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(inventory, map, NULL, 1, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(NULL, map, memory, 1, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(inventory, NULL, memory, 1, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 1, NULL), DOCA_ERROR_INVALID_VALUE);
}

static void test_set(void)
{
	struct doca_buf *buf;

	CHECK_OK(get(10, 50, 10, 0, &buf));
	CHECK_OK(doca_buf_set_data(buf, memory + 20, 5));
	check_buf(buf, 10, 50, 20, 5);
	CHECK_OK(doca_buf_set_data_len(buf, 7));
	check_buf(buf, 10, 50, 20, 7);
	CHECK_OK(doca_buf_reset_data_len(buf));
	check_buf(buf, 10, 50, 20, 0);
	CHECK_OK(doca_buf_set_data(buf, memory + 90, 1000)); /* not validated */
	check_buf(buf, 10, 50, 90, 1000);
	CHECK_ERROR(doca_buf_set_data(NULL, memory, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_reset_data_len(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_get_head(buf, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

static void test_reuse(void)
{
	struct doca_buf *buf, *other;

	CHECK_OK(get(10, 50, 20, 5, &buf));
	CHECK_OK(doca_buf_inventory_buf_reuse_by_addr(buf, memory + 60, 40));
	check_buf(buf, 60, 40, 60, 0);
	CHECK_OK(doca_buf_inventory_buf_reuse_by_data(buf, memory, 30));
	check_buf(buf, 0, 30, 0, 30);
	CHECK_ERROR(doca_buf_inventory_buf_reuse_by_addr(buf, memory + 60, 41), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_reuse_by_addr(NULL, memory, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_reuse_by_data(buf, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	check_buf(buf, 0, 30, 0, 30);
	CHECK_OK(get(0, 1, 0, 0, &other));
	CHECK_OK(doca_buf_chain_list(buf, other));
	CHECK_ERROR(doca_buf_inventory_buf_reuse_by_addr(buf, memory, 1), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_buf_inventory_buf_reuse_by_addr(other, memory, 1), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_ERROR(doca_buf_inventory_buf_reuse_by_addr(buf, memory, 1), DOCA_ERROR_BAD_STATE);
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0");

	map = start_map(dev, memory, sizeof(memory));
	inventory = start_inventory(2);
	test_get();
	test_set();
	test_reuse();
	CHECK_OK(doca_buf_inventory_destroy(inventory));
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
