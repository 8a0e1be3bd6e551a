/* Compresses and decompresses raw deflate streams (RFC 1951) with libdeflate. */
#include <libdeflate.h>

#include "sd_compress.h"
#include "sd_config.h"

enum { ADLER_START = 1, CRC_START = 0 };

static void set_checksums(struct sd_compress_task *task, const uint8_t *data, size_t len)
{
	task->crc = libdeflate_crc32(CRC_START, data, len);
	task->checksum = libdeflate_adler32(ADLER_START, data, len);
}

static doca_error_t compress(struct sd_compress_task *task, struct sd_compress_unit *unit, const struct sd_compress_io *io)
{
	if (unit->compressor == NULL)
		unit->compressor = libdeflate_alloc_compressor(sd_config()->deflate_level);
	if (unit->compressor == NULL)
		return DOCA_ERROR_NO_MEMORY;
	task->base.produced = libdeflate_deflate_compress(unit->compressor, io->in, io->in_len, io->out, io->room);
	if (task->base.produced == 0)
		return DOCA_ERROR_IO_FAILED; /* the output does not fit */
	set_checksums(task, io->in, io->in_len);
	return DOCA_SUCCESS;
}

static size_t compress_bound(size_t in_len)
{
	return libdeflate_deflate_compress_bound(NULL, in_len);
}

/* The stream ends with its final block. The decoder ignores the bytes after it, for example a gzip trailer. */
static doca_error_t decompress(struct sd_compress_task *task, struct sd_compress_unit *unit, const struct sd_compress_io *io)
{
	size_t consumed, produced;

	if (unit->decompressor == NULL)
		unit->decompressor = libdeflate_alloc_decompressor();
	if (unit->decompressor == NULL)
		return DOCA_ERROR_NO_MEMORY;
	if (libdeflate_deflate_decompress_ex(unit->decompressor, io->in, io->in_len, io->out, io->room, &consumed,
					     &produced) != LIBDEFLATE_SUCCESS)
		return DOCA_ERROR_IO_FAILED; /* the input is damaged or truncated, or the output does not fit */
	task->base.produced = produced;
	set_checksums(task, io->out, produced);
	return DOCA_SUCCESS;
}

const struct sd_compress_kind sd_compress_deflate = {
	.base = SD_COMPRESS_KIND("compress-deflate", doca_compress_task_compress_deflate, compress_deflate),
	.codec = compress,
	.bound = compress_bound,
};

const struct sd_compress_kind sd_decompress_deflate = {
	.base = SD_COMPRESS_KIND("decompress-deflate", doca_compress_task_decompress_deflate, decompress_deflate),
	.codec = decompress,
};
