/*
 * Decompresses LZ4: one raw block, or the blocks of a frame without the frame's header:
 *
 *   | size, little endian, 4 bytes | data | checksum, 4 bytes, if has_block_checksum | next block ... | end mark: size 0 |
 *
 * The highest bit of size marks uncompressed data. The end mark is optional. The decoder ignores the bytes after it, for
 * example the frame's content checksum.
 */
#include <limits.h>
#include <libdeflate.h>
#include <lz4.h>
#include <string.h>
#include <xxhash.h>

#include "sd_compress.h"

enum { FIELD = 4, CRC_START = 0, XXH_SEED = 0, DICTIONARY = 64 * 1024 };

static const uint32_t UNCOMPRESSED = 0x80000000u;

/* One block of a stream. */
struct lz4_block {
	const uint8_t *data;
	size_t len;
	uint8_t is_compressed;
};

static void set_checksums(struct sd_compress_task *task, const uint8_t *data, size_t len)
{
	task->base.produced = len;
	task->crc = libdeflate_crc32(CRC_START, data, len);
	task->checksum = XXH32(data, len, XXH_SEED);
}

static int as_int(size_t len)
{
	return len > INT_MAX ? INT_MAX : (int)len;
}

static doca_error_t decompress_block(struct sd_compress_task *task, struct sd_compress_unit *unit,
				     const struct sd_compress_io *io)
{
	int produced;

	(void)unit;
	if (io->in_len > INT_MAX)
		return DOCA_ERROR_IO_FAILED;
	produced = LZ4_decompress_safe((const char *)io->in, (char *)io->out, (int)io->in_len, as_int(io->room));
	if (produced < 0)
		return DOCA_ERROR_IO_FAILED; /* the input is damaged or truncated, or the output does not fit */
	set_checksums(task, io->out, (size_t)produced);
	return DOCA_SUCCESS;
}

static uint32_t read_field(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/*
 * Reads the block at *offset and moves *offset to the next block. len is 0 at the end of the stream. IO_FAILED: truncated or
 * damaged.
 */
static doca_error_t next_block(const struct sd_compress_task *task, const struct sd_compress_io *io, size_t *offset,
			       struct lz4_block *block)
{
	size_t left = io->in_len - *offset;
	size_t trailer = task->has_block_checksum ? FIELD : 0;
	uint32_t size;

	block->len = 0;
	if (left == 0)
		return DOCA_SUCCESS;
	if (left < FIELD)
		return DOCA_ERROR_IO_FAILED;
	size = read_field(io->in + *offset);
	block->data = io->in + *offset + FIELD;
	block->len = size & ~UNCOMPRESSED;
	block->is_compressed = (size & UNCOMPRESSED) == 0;
	if (block->len == 0)
		return DOCA_SUCCESS;
	if (block->len > INT_MAX || left - FIELD < block->len + trailer)
		return DOCA_ERROR_IO_FAILED;
	if (trailer != 0 && read_field(block->data + block->len) != XXH32(block->data, block->len, XXH_SEED))
		return DOCA_ERROR_IO_FAILED;
	*offset += FIELD + block->len + trailer;
	return DOCA_SUCCESS;
}

/* Decodes a block to out + produced. Returns the number of bytes written; negative: the block is damaged or does not fit. */
static long decode(const struct sd_compress_task *task, const struct lz4_block *block, const struct sd_compress_io *io,
		   size_t produced)
{
	uint8_t *to = io->out + produced;
	size_t room = io->room - produced;
	size_t history = produced < DICTIONARY ? produced : DICTIONARY;

	if (!block->is_compressed) {
		if (block->len > room)
			return -1;
		memcpy(to, block->data, block->len);
		return (long)block->len;
	}
	if (task->are_blocks_independent)
		history = 0;
	return LZ4_decompress_safe_usingDict((const char *)block->data, (char *)to, (int)block->len, as_int(room),
					     (const char *)to - history, (int)history);
}

static doca_error_t decompress_stream(struct sd_compress_task *task, struct sd_compress_unit *unit,
				      const struct sd_compress_io *io)
{
	size_t offset = 0, produced = 0;
	struct lz4_block block;

	(void)unit;
	for (;;) {
		doca_error_t result = next_block(task, io, &offset, &block);
		long len;

		if (result != DOCA_SUCCESS)
			return result;
		if (block.len == 0)
			break;
		len = decode(task, &block, io, produced);
		if (len < 0)
			return DOCA_ERROR_IO_FAILED;
		produced += (size_t)len;
	}
	set_checksums(task, io->out, produced);
	return DOCA_SUCCESS;
}

const struct sd_compress_kind sd_decompress_lz4_block = {
	.base = SD_COMPRESS_KIND("decompress-lz4-block", doca_compress_task_decompress_lz4_block, decompress_lz4_block),
	.codec = decompress_block,
};

const struct sd_compress_kind sd_decompress_lz4_stream = {
	.base = SD_COMPRESS_KIND("decompress-lz4-stream", doca_compress_task_decompress_lz4_stream, decompress_lz4_stream),
	.codec = decompress_stream,
};
