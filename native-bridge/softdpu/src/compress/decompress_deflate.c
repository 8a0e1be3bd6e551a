/* Public functions of deflate decompression. */
#include "sd_compress.h"

doca_error_t doca_compress_cap_task_decompress_deflate_is_supported(const struct doca_devinfo *devinfo)
{
	return sd_compress_is_supported(devinfo, &sd_decompress_deflate);
}

doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size)
{
	return sd_compress_max_buf_size(devinfo, &sd_decompress_deflate, max_buffer_size);
}

doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len)
{
	return sd_compress_max_list_len(devinfo, &sd_decompress_deflate, max_buf_list_len);
}

doca_error_t doca_compress_task_decompress_deflate_set_conf(
	struct doca_compress *compress, doca_compress_task_decompress_deflate_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_deflate_completion_cb_t task_error_cb, uint32_t num_tasks)
{
	return sd_compress_set_conf(compress, &sd_decompress_deflate, (doca_task_completion_cb_t)task_completion_cb,
				    (doca_task_completion_cb_t)task_error_cb, num_tasks);
}

doca_error_t doca_compress_task_decompress_deflate_alloc_init(
	struct doca_compress *compress, const struct doca_buf *src_buff, struct doca_buf *dst_buff,
	union doca_data user_data, struct doca_compress_task_decompress_deflate **task)
{
	return sd_compress_alloc(compress, &sd_decompress_deflate, src_buff, dst_buff, user_data, (struct doca_task **)task);
}

struct doca_task *doca_compress_task_decompress_deflate_as_task(struct doca_compress_task_decompress_deflate *task)
{
	return task == NULL ? NULL : &task->task.base;
}

void doca_compress_task_decompress_deflate_set_src(struct doca_compress_task_decompress_deflate *task,
	const struct doca_buf *src_buff)
{
	if (task != NULL)
		task->task.src = src_buff;
}

const struct doca_buf *doca_compress_task_decompress_deflate_get_src(
	const struct doca_compress_task_decompress_deflate *task)
{
	return task == NULL ? NULL : task->task.src;
}

void doca_compress_task_decompress_deflate_set_dst(struct doca_compress_task_decompress_deflate *task, struct doca_buf *dst_buff)
{
	if (task != NULL)
		task->task.dst = dst_buff;
}

struct doca_buf *doca_compress_task_decompress_deflate_get_dst(const struct doca_compress_task_decompress_deflate *task)
{
	return task == NULL ? NULL : task->task.dst;
}

uint32_t doca_compress_task_decompress_deflate_get_crc_cs(const struct doca_compress_task_decompress_deflate *task)
{
	return task == NULL ? 0 : task->task.crc;
}

uint32_t doca_compress_task_decompress_deflate_get_adler_cs(const struct doca_compress_task_decompress_deflate *task)
{
	return task == NULL ? 0 : task->task.checksum;
}
