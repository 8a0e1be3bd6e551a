/* A pool divides a map into aligned elements, allocates each once, and can be stopped after all were returned. */
#include <stdalign.h>

#include "doca_buf_pool.h"
#include "objects.h"

static alignas(256) uint8_t memory[1024];

static struct doca_buf_pool *make_pool(struct doca_mmap *map, size_t num, size_t size, size_t alignment)
{
	struct doca_buf_pool *pool;

	CHECK_OK(doca_buf_pool_create(num, size, map, &pool));
	CHECK_OK(doca_buf_pool_set_element_alignment(pool, alignment));
	return pool;
}

static void check_element(struct doca_buf *buf, size_t offset, size_t expected_len)
{
	void *addr;
	size_t len;

	CHECK_OK(doca_buf_get_head(buf, &addr));
	CHECK_EQ((uint8_t *)addr - memory, offset);
	CHECK_OK(doca_buf_get_data(buf, &addr));
	CHECK_EQ((uint8_t *)addr - memory, offset);
	CHECK_OK(doca_buf_get_len(buf, &len));
	CHECK_EQ(len, expected_len);
	CHECK_OK(doca_buf_get_data_len(buf, &len));
	CHECK_EQ(len, 0);
}

/* The map begins 1 byte into aligned memory. */
static void test_layout(struct doca_mmap *map)
{
	struct doca_buf_pool *pool = make_pool(map, 3, 100, 64);
	struct doca_buf *bufs[3], *none;
	uint32_t num;
	int i;

	CHECK_ERROR(doca_buf_pool_buf_alloc(pool, &none), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_buf_pool_start(pool));
	for (i = 0; i < 3; i++) {
		CHECK_OK(doca_buf_pool_buf_alloc(pool, &bufs[i]));
		check_element(bufs[i], 64 + 128 * (size_t)i, 100);
	}
	CHECK_ERROR(doca_buf_pool_buf_alloc(pool, &none), DOCA_ERROR_EMPTY);
	CHECK_OK(doca_buf_pool_get_num_free_elements(pool, &num));
	CHECK_EQ(num, 0);
	CHECK_ERROR(doca_buf_pool_stop(pool), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_buf_pool_destroy(pool), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_buf_set_data(bufs[1], memory, 3));
	CHECK_ERROR(doca_buf_inventory_buf_reuse_by_addr(bufs[1], memory + 1, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_dec_refcount(bufs[1], NULL));
	CHECK_OK(doca_buf_pool_buf_alloc(pool, &bufs[1]));
	check_element(bufs[1], 192, 100);
	CHECK_OK(doca_buf_chain_list(bufs[0], bufs[1]));
	CHECK_OK(doca_buf_chain_list(bufs[0], bufs[2]));
	CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
	CHECK_OK(doca_buf_pool_get_num_elements(pool, &num));
	CHECK_EQ(num, 3);
	CHECK_OK(doca_buf_pool_stop(pool));
	CHECK_OK(doca_buf_pool_destroy(pool));
}

static void test_size(struct doca_mmap *map)
{
	struct doca_buf_pool *pool = make_pool(map, 8, 127, 1); /* 8 * 127 = 1016 of 1023 bytes */

	CHECK_OK(doca_buf_pool_start(pool));
	CHECK_OK(doca_buf_pool_destroy(pool));
	pool = make_pool(map, 8, 128, 1);
	CHECK_ERROR(doca_buf_pool_start(pool), DOCA_ERROR_INITIALIZATION);
	CHECK_OK(doca_buf_pool_destroy(pool));
	pool = make_pool(map, 3, 256, 256);
	CHECK_OK(doca_buf_pool_start(pool));
	CHECK_OK(doca_buf_pool_destroy(pool));
	pool = make_pool(map, 3, 257, 256);
	CHECK_ERROR(doca_buf_pool_start(pool), DOCA_ERROR_INITIALIZATION);
	CHECK_OK(doca_buf_pool_destroy(pool));
	pool = make_pool(map, 2, SIZE_MAX / 2 + 1, 1);
	CHECK_ERROR(doca_buf_pool_start(pool), DOCA_ERROR_INITIALIZATION);
	CHECK_OK(doca_buf_pool_destroy(pool));
}

static void test_settings(struct doca_dev *dev, struct doca_mmap *map)
{
	struct doca_mmap *unstarted = make_map(dev, memory, 10, 0);
	struct doca_buf_pool *pool;
	union doca_data data = { .u64 = 3 };
	size_t alignment;

	CHECK_ERROR(doca_buf_pool_create(0, 1, map, &pool), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_pool_create(1, 0, map, &pool), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_pool_create(1, 1, NULL, &pool), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_pool_create(1, 1, map, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_pool_create(1, 1, unstarted, &pool));
	CHECK_OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	CHECK_EQ(alignment, 1);
	CHECK_ERROR(doca_buf_pool_set_element_alignment(pool, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_pool_set_element_alignment(pool, 3), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_buf_pool_set_user_data(pool, data));
	CHECK_OK(doca_mmap_start(unstarted));
	CHECK_OK(doca_buf_pool_start(pool));
	CHECK_ERROR(doca_buf_pool_set_user_data(pool, data), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_buf_pool_set_element_alignment(pool, 2), DOCA_ERROR_BAD_STATE);
	data.u64 = 0;
	CHECK_OK(doca_buf_pool_get_user_data(pool, &data));
	CHECK_EQ(data.u64, 3);
	CHECK_OK(doca_buf_pool_destroy(pool));
	CHECK_ERROR(doca_buf_pool_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_destroy(unstarted));
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0");
	struct doca_mmap *map = start_map(dev, memory + 1, sizeof(memory) - 1);

	test_layout(map);
	test_size(map);
	test_settings(dev, map);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
