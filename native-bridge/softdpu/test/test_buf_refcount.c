/* Removing the last reference returns a buffer, or a whole list through its head. */
#include "objects.h"

static uint8_t memory[100];

static uint32_t num_free(const struct doca_buf_inventory *inventory)
{
	uint32_t num;

	CHECK_OK(doca_buf_inventory_get_num_free_elements(inventory, &num));
	return num;
}

static void test_one(struct doca_buf_inventory *inventory, struct doca_mmap *map)
{
	struct doca_buf *buf;
	uint16_t count = 99;
	int i;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 10, &buf));
	CHECK_OK(doca_buf_get_refcount(buf, &count));
	CHECK_EQ(count, 1);
	CHECK_OK(doca_buf_inc_refcount(buf, &count));
	CHECK_EQ(count, 1); /* the previous count */
	CHECK_OK(doca_buf_inc_refcount(buf, NULL));
	CHECK_OK(doca_buf_dec_refcount(buf, &count));
	CHECK_EQ(count, 3);
	for (i = 2; i < UINT16_MAX; i++)
		CHECK_OK(doca_buf_inc_refcount(buf, NULL));
	CHECK_ERROR(doca_buf_inc_refcount(buf, &count), DOCA_ERROR_TOO_BIG);
	for (i = 1; i < UINT16_MAX; i++)
		CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_EQ(num_free(inventory), 2);
	CHECK_OK(doca_buf_dec_refcount(buf, &count));
	CHECK_EQ(count, 1);
	CHECK_EQ(num_free(inventory), 3);
	CHECK_ERROR(doca_buf_dec_refcount(buf, &count), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_buf_inc_refcount(buf, &count), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_buf_get_refcount(buf, &count));
	CHECK_EQ(count, 0);
	CHECK_EQ(num_free(inventory), 3);
}

static void test_list(struct doca_buf_inventory *inventory, struct doca_mmap *map)
{
	struct doca_buf *bufs[3];
	struct softdpu_census census;
	uint32_t num;
	int i;

	for (i = 0; i < 3; i++)
		CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 10, &bufs[i]));
	CHECK_OK(doca_buf_chain_list(bufs[0], bufs[1]));
	CHECK_OK(doca_buf_chain_list(bufs[0], bufs[2]));
	CHECK_ERROR(doca_buf_inc_refcount(bufs[1], NULL), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_buf_dec_refcount(bufs[2], NULL), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_buf_inc_refcount(bufs[0], NULL));
	CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
	softdpu_census(&census);
	CHECK_EQ(census.buffers, 3);
	CHECK_EQ(num_free(inventory), 0);
	CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
	CHECK_EQ(num_free(inventory), 3);
	CHECK_OK(doca_mmap_get_num_bufs(map, &num));
	CHECK_EQ(num, 0);
	CHECK_ERROR(doca_buf_dec_refcount(bufs[1], NULL), DOCA_ERROR_BAD_STATE);
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0");
	struct doca_mmap *map = start_map(dev, memory, sizeof(memory));
	struct doca_buf_inventory *inventory = start_inventory(3);

	CHECK_ERROR(doca_buf_inc_refcount(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_dec_refcount(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	test_one(inventory, map);
	test_list(inventory, map);
	CHECK_OK(doca_buf_inventory_destroy(inventory));
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
