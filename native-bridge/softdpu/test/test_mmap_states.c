/*
 * A started map refuses changes, a map in use cannot be stopped or destroyed; a stopped one can be changed and started again.
 */
#include "objects.h"

static uint8_t memory[4096];

static void free_nothing(void *addr, size_t len, void *cookie)
{
	(void)addr;
	(void)len;
	(void)cookie;
}

static void test_start_needs(struct doca_dev *dev)
{
	struct doca_mmap *mmap;

	CHECK_ERROR(doca_mmap_start(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_create(&mmap));
	CHECK_ERROR(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE); /* no memory, no device */
	CHECK_OK(doca_mmap_add_dev(mmap, dev));
	CHECK_ERROR(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_rm_dev(mmap, dev));
	CHECK_ERROR(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_add_dev(mmap, dev));
	CHECK_OK(doca_mmap_start(mmap));
	CHECK_OK(doca_mmap_start(mmap));
	CHECK_OK(doca_mmap_destroy(mmap));
}

static void test_started(struct doca_dev *dev, struct doca_dev *other)
{
	struct doca_mmap *mmap = start_map(dev, memory, sizeof(memory));
	union doca_data data = { .u64 = 7 };

	CHECK_ERROR(doca_mmap_set_memrange(mmap, memory, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_mmap_set_dmabuf_memrange(mmap, 3, memory, 0, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_mmap_set_permissions(mmap, 0), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_mmap_set_free_cb(mmap, free_nothing, NULL), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_mmap_set_user_data(mmap, data), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_mmap_add_dev(mmap, other), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_rm_dev(mmap, dev), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_set_max_num_devices(mmap, 8), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_enable_thread_safety(mmap), DOCA_ERROR_NOT_PERMITTED);

	CHECK_OK(doca_mmap_stop(mmap));
	CHECK_OK(doca_mmap_stop(mmap));
	CHECK_ERROR(doca_mmap_set_memrange(mmap, memory, 1), DOCA_ERROR_NOT_PERMITTED); /* once per map */
	CHECK_ERROR(doca_mmap_set_max_num_devices(mmap, 8), DOCA_ERROR_NOT_PERMITTED);	/* before the first start */
	CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
	CHECK_OK(doca_mmap_set_user_data(mmap, data));
	CHECK_OK(doca_mmap_add_dev(mmap, other));
	CHECK_OK(doca_mmap_rm_dev(mmap, dev));
	CHECK_OK(doca_mmap_start(mmap));
	data.u64 = 0;
	CHECK_OK(doca_mmap_get_user_data(mmap, &data));
	CHECK_EQ(data.u64, 7);
	CHECK_OK(doca_mmap_destroy(mmap));
}

static void test_used(struct doca_dev *dev)
{
	struct doca_mmap *mmap = start_map(dev, memory, sizeof(memory));
	struct doca_buf_inventory *inventory = start_inventory(2);
	struct doca_buf *a, *b;
	uint32_t num;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 10, &a));
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 10, 10, &b));
	CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
	CHECK_EQ(num, 2);
	CHECK_ERROR(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_buf_dec_refcount(a, NULL));
	CHECK_ERROR(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_buf_dec_refcount(b, NULL));
	CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
	CHECK_EQ(num, 0);
	CHECK_OK(doca_mmap_stop(mmap));
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 10, &a), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_mmap_destroy(mmap));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* Memory may be freed between stop and destroy. */
static void test_memory_goes_first(struct doca_dev *dev)
{
	void *heap = malloc(100);
	struct doca_mmap *mmap = start_map(dev, heap, 100);

	CHECK_OK(doca_mmap_stop(mmap));
	free(heap);
	CHECK_OK(doca_mmap_destroy(mmap));
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0"), *other = open_device("03:00.1");

	test_start_needs(dev);
	test_started(dev, other);
	test_used(dev);
	test_memory_goes_first(dev);
	CHECK_OK(doca_dev_close(dev));
	CHECK_OK(doca_dev_close(other));
	check_census_empty();
	return 0;
}
