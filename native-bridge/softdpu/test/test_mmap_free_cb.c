/* The free callback runs when the map is destroyed, if the map was ever started with it. */
#include "objects.h"

static uint8_t memory[64];
static int num_calls;

static void count_call(void *addr, size_t len, void *cookie)
{
	CHECK(addr == memory && len == sizeof(memory) && cookie == &num_calls);
	num_calls++;
}

static struct doca_mmap *make(struct doca_dev *dev)
{
	struct doca_mmap *mmap = make_map(dev, memory, sizeof(memory), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);

	CHECK_OK(doca_mmap_set_free_cb(mmap, count_call, &num_calls));
	return mmap;
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0");
	struct doca_mmap *mmap = make(dev);

	CHECK_ERROR(doca_mmap_set_free_cb(mmap, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_destroy(mmap)); /* never started */
	CHECK_EQ(num_calls, 0);

	mmap = make(dev);
	CHECK_OK(doca_mmap_start(mmap));
	CHECK_OK(doca_mmap_stop(mmap));
	CHECK_EQ(num_calls, 0);
	CHECK_OK(doca_mmap_destroy(mmap));
	CHECK_EQ(num_calls, 1);

	mmap = make(dev);
	CHECK_OK(doca_mmap_start(mmap));
	CHECK_OK(doca_mmap_stop(mmap));
	CHECK_OK(doca_mmap_set_free_cb(mmap, count_call, &num_calls)); /* set again, not started since */
	CHECK_OK(doca_mmap_destroy(mmap));
	CHECK_EQ(num_calls, 1);

	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
