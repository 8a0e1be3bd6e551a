/* Public functions of the decompression of LZ4 frame blocks. */
#include <endian.h>

#include "sd_compress.h"

doca_error_t doca_compress_cap_task_decompress_lz4_stream_is_supported(const struct doca_devinfo *devinfo)
{
	return sd_compress_is_supported(devinfo, &sd_decompress_lz4_stream);
}

doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size)
{
	return sd_compress_max_buf_size(devinfo, &sd_decompress_lz4_stream, max_buffer_size);
}

doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len)
{
	return sd_compress_max_list_len(devinfo, &sd_decompress_lz4_stream, max_buf_list_len);
}

doca_error_t doca_compress_task_decompress_lz4_stream_set_conf(
	struct doca_compress *compress, doca_compress_task_decompress_lz4_stream_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_lz4_stream_completion_cb_t task_error_cb, uint32_t num_tasks)
{
	return sd_compress_set_conf(compress, &sd_decompress_lz4_stream, (doca_task_completion_cb_t)task_completion_cb,
				    (doca_task_completion_cb_t)task_error_cb, num_tasks);
}

doca_error_t doca_compress_task_decompress_lz4_stream_alloc_init(
	struct doca_compress *compress, uint8_t has_block_checksum, uint8_t are_blocks_independent,
	const struct doca_buf *src_buff, struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_lz4_stream **task)
{
	doca_error_t result =
		sd_compress_alloc(compress, &sd_decompress_lz4_stream, src_buff, dst_buff, user_data, (struct doca_task **)task);

	if (result != DOCA_SUCCESS)
		return result;
	(*task)->task.has_block_checksum = has_block_checksum;
	(*task)->task.are_blocks_independent = are_blocks_independent;
	return DOCA_SUCCESS;
}

struct doca_task *doca_compress_task_decompress_lz4_stream_as_task(struct doca_compress_task_decompress_lz4_stream *task)
{
	return task == NULL ? NULL : &task->task.base;
}

void doca_compress_task_decompress_lz4_stream_set_src(struct doca_compress_task_decompress_lz4_stream *task,
	const struct doca_buf *src_buff)
{
	if (task != NULL)
		task->task.src = src_buff;
}

const struct doca_buf *doca_compress_task_decompress_lz4_stream_get_src(
	const struct doca_compress_task_decompress_lz4_stream *task)
{
	return task == NULL ? NULL : task->task.src;
}

void doca_compress_task_decompress_lz4_stream_set_dst(struct doca_compress_task_decompress_lz4_stream *task, struct doca_buf *dst_buff)
{
	if (task != NULL)
		task->task.dst = dst_buff;
}

struct doca_buf *doca_compress_task_decompress_lz4_stream_get_dst(const struct doca_compress_task_decompress_lz4_stream *task)
{
	return task == NULL ? NULL : task->task.dst;
}

uint32_t doca_compress_task_decompress_lz4_stream_get_crc_cs(const struct doca_compress_task_decompress_lz4_stream *task)
{
	return task == NULL ? 0 : task->task.crc;
}

uint32_t doca_compress_task_decompress_lz4_stream_get_xxh_cs(const struct doca_compress_task_decompress_lz4_stream *task)
{
	return task == NULL ? 0 : htobe32(task->task.checksum);
}

void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(
	struct doca_compress_task_decompress_lz4_stream *task, uint8_t has_block_checksum)
{
	if (task != NULL)
		task->task.has_block_checksum = has_block_checksum;
}

uint8_t doca_compress_task_decompress_lz4_stream_get_has_block_checksum(
	const struct doca_compress_task_decompress_lz4_stream *task)
{
	return task == NULL ? 0 : task->task.has_block_checksum;
}

void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(
	struct doca_compress_task_decompress_lz4_stream *task, uint8_t are_blocks_independent)
{
	if (task != NULL)
		task->task.are_blocks_independent = are_blocks_independent;
}

uint8_t doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(
	const struct doca_compress_task_decompress_lz4_stream *task)
{
	return task == NULL ? 0 : task->task.are_blocks_independent;
}
