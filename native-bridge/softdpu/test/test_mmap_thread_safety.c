/*
 * After thread safety was enabled, several threads may create and release buffers of one map, each with a separate inventory.
 */
#include <pthread.h>

#include "objects.h"

enum { THREADS = 4, ROUNDS = 2000 };

static uint8_t memory[4096];

static void *make_buffers(void *map)
{
	struct doca_buf_inventory *inventory = start_inventory(2);
	struct doca_buf *a, *b;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 10, &a));
		CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, memory, 10, &b));
		CHECK_OK(doca_buf_chain_list(a, b));
		CHECK_OK(doca_buf_dec_refcount(a, NULL));
	}
	CHECK_OK(doca_buf_inventory_destroy(inventory));
	return NULL;
}

static void test_threads(struct doca_mmap *mmap)
{
	pthread_t threads[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, make_buffers, mmap), 0);
	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0");
	struct doca_mmap *mmap = make_map(dev, memory, sizeof(memory), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	struct doca_buf_inventory *inventory = start_inventory(1);
	struct doca_buf *buf;
	uint32_t num = 7;

	CHECK_ERROR(doca_mmap_enable_thread_safety(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_enable_thread_safety(mmap));
	CHECK_OK(doca_mmap_start(mmap));
	test_threads(mmap);

	/* Buffers are not counted, so the map may be destroyed before them. */
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 10, &buf));
	CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
	CHECK_EQ(num, 0);
	CHECK_OK(doca_mmap_stop(mmap));
	CHECK_OK(doca_mmap_destroy(mmap));
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
