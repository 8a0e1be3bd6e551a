/* Public functions of compression. */
#include <endian.h>

#include "sd_compress.h"

static const struct sd_context_ops compress_ops = {
	.name = "compress",
};

SD_TRANSFORM_LIFE(doca_compress, &compress_ops)
SD_TRANSFORM_CONTEXT(doca_compress)

/* Defines the public functions that all kinds have, except alloc_init. */
#define COMPRESS_KIND(name, kind)                                                                \
	SD_TRANSFORM_CAPABILITIES(doca_compress_cap_task_##name, kind, get_max_buf_list_len)     \
	SD_TRANSFORM_SET_CONF(doca_compress_task_##name, doca_compress, kind)                    \
	SD_TRANSFORM_BUFFERS(doca_compress_task_##name)                                          \
	SD_PROPERTY(doca_compress_task_##name##_get_crc_cs, const struct doca_compress_task_##name, uint32_t, 0, object->task.crc)

/* Defines alloc_init of a kind without settings. */
#define COMPRESS_ALLOC_INIT(name, kind)                                                                                     \
	doca_error_t doca_compress_task_##name##_alloc_init(struct doca_compress *compress, const struct doca_buf *src_buff,  \
							    struct doca_buf *dst_buff, union doca_data user_data,           \
							    struct doca_compress_task_##name **task)                        \
	{                                                                                                                   \
		return sd_transform_alloc((struct sd_transform *)compress, kind, src_buff, dst_buff, user_data,             \
					  (struct doca_task **)task);                                                       \
	}

/* Defines a getter of the second checksum, which convert brings into the byte order of the interface. */
#define COMPRESS_CHECKSUM(name, getter, convert)                                                            \
	SD_PROPERTY(doca_compress_task_##name##_##getter, const struct doca_compress_task_##name, uint32_t, 0, \
		convert(object->task.checksum))

/* Defines setter and getter of a flag of LZ4 streams. */
#define COMPRESS_STREAM_FLAG(flag)                                                                                          \
	SD_SETTER(doca_compress_task_decompress_lz4_stream_set_##flag, struct doca_compress_task_decompress_lz4_stream, uint8_t, \
		task.flag)                                                                                                  \
	SD_PROPERTY(doca_compress_task_decompress_lz4_stream_get_##flag,                                                    \
		const struct doca_compress_task_decompress_lz4_stream, uint8_t, 0, object->task.flag)

COMPRESS_KIND(compress_deflate, &sd_compress_deflate.base)
COMPRESS_ALLOC_INIT(compress_deflate, &sd_compress_deflate.base)
COMPRESS_CHECKSUM(compress_deflate, get_adler_cs, )

COMPRESS_KIND(decompress_deflate, &sd_decompress_deflate.base)
COMPRESS_ALLOC_INIT(decompress_deflate, &sd_decompress_deflate.base)
COMPRESS_CHECKSUM(decompress_deflate, get_adler_cs, )

COMPRESS_KIND(decompress_lz4_block, &sd_decompress_lz4_block.base)
COMPRESS_ALLOC_INIT(decompress_lz4_block, &sd_decompress_lz4_block.base)
COMPRESS_CHECKSUM(decompress_lz4_block, get_xxh_cs, htobe32)

COMPRESS_KIND(decompress_lz4_stream, &sd_decompress_lz4_stream.base)
COMPRESS_CHECKSUM(decompress_lz4_stream, get_xxh_cs, htobe32)
COMPRESS_STREAM_FLAG(has_block_checksum)
COMPRESS_STREAM_FLAG(are_blocks_independent)

doca_error_t doca_compress_task_decompress_lz4_stream_alloc_init(
	struct doca_compress *compress, uint8_t has_block_checksum, uint8_t are_blocks_independent,
	const struct doca_buf *src_buff, struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_lz4_stream **task)
{
	doca_error_t result = sd_transform_alloc((struct sd_transform *)compress, &sd_decompress_lz4_stream.base, src_buff,
						 dst_buff, user_data, (struct doca_task **)task);

	if (result != DOCA_SUCCESS)
		return result;
	(*task)->task.has_block_checksum = has_block_checksum;
	(*task)->task.are_blocks_independent = are_blocks_independent;
	return DOCA_SUCCESS;
}
