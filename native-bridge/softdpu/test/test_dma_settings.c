/* Properties and settings of a DMA context, in each state. */
#include "dma.h"

static uint8_t memory[64];

static void capabilities(const char *profile, uint64_t size, uint32_t list_len)
{
	struct doca_dev *dev = rig_open_device("03:00.0"), *host = rig_open_device("81:00.0");
	const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
	uint32_t len;
	uint64_t max;

	CHECK_OK(softdpu_set_profile(profile));
	CHECK_OK(doca_dma_cap_task_memcpy_is_supported(info));
	CHECK_OK(doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(host)));
	CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &max));
	CHECK_EQ(max, size);
	CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &len));
	CHECK_EQ(len, list_len);
	CHECK_ERROR(doca_dma_cap_task_memcpy_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &max), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_cap_task_memcpy_get_max_buf_size(info, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dev_close(dev));
	CHECK_OK(doca_dev_close(host));
}

/* A copy of exactly the largest size succeeds; one more byte fails. */
static void largest(void)
{
	struct doca_dev *dev = rig_open_device("03:00.0");
	struct doca_mmap *map;
	static struct dma dma;
	uint64_t max;
	uint8_t *area;

	CHECK_OK(softdpu_set_profile("bluefield2"));
	CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(dev), &max));
	area = malloc(2 * max + 2);
	CHECK(area != NULL);
	dma_fill(area, max + 1, 5);
	dma_open(&dma, dev, 1);
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, area, 2 * max + 2));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(dma_copy(&dma, dma_source(&dma, map, area, max), dma_room(&dma, map, area + max + 1, max + 1)));
	CHECK(memcmp(area, area + max + 1, max) == 0);
	CHECK_EQ(dma_copy(&dma, dma_source(&dma, map, area, max + 1), dma_room(&dma, map, area + max + 1, max + 1)),
		 DOCA_ERROR_IO_FAILED);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	CHECK_OK(softdpu_set_profile("full"));
	free(area);
}

static void arguments(struct doca_dev *dev)
{
	struct doca_dma *dma;
	struct doca_gpu_dma *gpu;
	uint32_t most;

	CHECK_ERROR(doca_dma_create(NULL, &dma), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK(doca_dma_as_ctx(NULL) == NULL);
	CHECK_OK(doca_dma_create(dev, &dma));
	CHECK_ERROR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_dma_cap_get_max_num_tasks(dma, &most));
	CHECK_ERROR(doca_dma_cap_get_max_num_tasks(dma, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_task_memcpy_set_conf(dma, dma_completed, dma_failed, most + 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_task_memcpy_set_conf(dma, dma_completed, dma_failed, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_task_memcpy_set_conf(dma, NULL, dma_failed, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_task_memcpy_set_conf(dma, dma_completed, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_task_memcpy_set_conf(NULL, dma_completed, dma_failed, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dma_task_memcpy_set_conf(dma, dma_completed, dma_failed, most));
	CHECK_ERROR(doca_dma_set_ordered_completions(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_set_ordered_completions(dma, 2), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dma_set_ordered_completions(dma, 1));
	CHECK_ERROR(doca_dma_get_gpu_handle(dma, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_get_gpu_handle(dma, &gpu), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_NOT_CONNECTED);
	CHECK_OK(doca_dma_destroy(dma));
}

static void states(struct doca_dev *dev)
{
	static struct dma dma;
	struct doca_mmap *map;
	struct doca_dma_task_memcpy *task, *second;
	union doca_data data = { .u64 = 42 };
	struct doca_buf *src, *dst;

	dma_open(&dma, dev, 1);
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
	src = dma_source(&dma, map, memory, 8);
	dst = dma_room(&dma, map, memory + 8, 8);
	CHECK_ERROR(doca_dma_task_memcpy_alloc_init(dma.dma, src, dst, data, &task), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_ERROR(doca_dma_task_memcpy_set_conf(dma.dma, dma_completed, dma_failed, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_dma_set_ordered_completions(dma.dma, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_dma_task_memcpy_alloc_init(dma.dma, NULL, dst, data, &task), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dma_task_memcpy_alloc_init(dma.dma, src, NULL, data, &task), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dma_task_memcpy_alloc_init(dma.dma, src, dst, data, &task));
	CHECK_ERROR(doca_dma_task_memcpy_alloc_init(dma.dma, src, dst, data, &second), DOCA_ERROR_NO_MEMORY);
	CHECK_EQ(doca_task_get_user_data(doca_dma_task_memcpy_as_task(task)).u64, 42);
	doca_dma_task_memcpy_set_src(task, dst);
	doca_dma_task_memcpy_set_dst(task, src);
	CHECK(doca_dma_task_memcpy_get_src(task) == dst && doca_dma_task_memcpy_get_dst(task) == src);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	rig_drop(src);
	rig_drop(dst);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(map));
}

int main(void)
{
	struct doca_dev *dev;

	capabilities("bluefield2", 2 << 20, 64);
	capabilities("bluefield3", 2 << 20, 64);
	capabilities("full", 128 << 20, 128);
	largest();
	dev = rig_open_device("03:00.0");
	arguments(dev);
	states(dev);
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
