#include <doca_dma.h>

#include "work_kind.h"

static doca_error_t alloc_task(void *object, void *operand, const struct work_buffers *buffers, union doca_data user_data,
			       struct doca_dma_task_memcpy **task)
{
	(void)operand;
	return doca_dma_task_memcpy_alloc_init(object, buffers->src, buffers->dst, user_data, task);
}

static bool suits(const struct doca_devinfo *info)
{
	return doca_dma_cap_task_memcpy_is_supported(info) == DOCA_SUCCESS;
}

static size_t dst_len(size_t src_len)
{
	return src_len;
}

WORK_KIND(doca_dma, memcpy, src, dst, WORK_SAME, WORK_NO_RESULT)

const struct work_kind work_dma = { .name = "dma", .wanted = "a device that copies", .suits = suits, .dst_len = dst_len, WORK_ROW };
