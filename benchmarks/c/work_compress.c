#include <doca_compress.h>

#include "work_kind.h"

static void read_crc(const struct doca_compress_task_compress_deflate *task, struct work_buffers *buffers)
{
	buffers->crc = doca_compress_task_compress_deflate_get_crc_cs(task);
}

static doca_error_t alloc_task(void *object, void *operand, const struct work_buffers *buffers, union doca_data user_data,
			       struct doca_compress_task_compress_deflate **task)
{
	(void)operand;
	return doca_compress_task_compress_deflate_alloc_init(object, buffers->src, buffers->dst, user_data, task);
}

static bool suits(const struct doca_devinfo *info)
{
	return doca_compress_cap_task_compress_deflate_is_supported(info) == DOCA_SUCCESS;
}

WORK_KIND(doca_compress, compress_deflate, src, dst, WORK_SAME, read_crc)

const struct work_kind work_compress = { .name = "compress", .wanted = "a device that deflates", .suits = suits,
					 .dst_len = work_deflate_bound, WORK_ROW };
