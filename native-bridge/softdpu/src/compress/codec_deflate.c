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
	task->produced = libdeflate_deflate_compress(unit->compressor, io->in, io->in_len, io->out, io->room);
	if (task->produced == 0)
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
	task->produced = produced;
	set_checksums(task, io->out, produced);
	return DOCA_SUCCESS;
}

const struct sd_compress_kind sd_compress_deflate = {
	.operation = {
		.name = "compress-deflate",
		.task_size = sizeof(struct doca_compress_task_compress_deflate),
		.unit_type = &sd_compress_unit_type,
		.validate = sd_compress_validate,
		.latch = sd_compress_latch,
		.execute = sd_compress_execute,
		.complete = sd_compress_complete,
		.corrupt = sd_compress_corrupt,
	},
	.capability = offsetof(struct sd_profile, compress_deflate),
	.code = compress,
	.bound = compress_bound,
};

const struct sd_compress_kind sd_decompress_deflate = {
	.operation = {
		.name = "decompress-deflate",
		.task_size = sizeof(struct doca_compress_task_decompress_deflate),
		.unit_type = &sd_compress_unit_type,
		.validate = sd_compress_validate,
		.latch = sd_compress_latch,
		.execute = sd_compress_execute,
		.complete = sd_compress_complete,
		.corrupt = sd_compress_corrupt,
	},
	.capability = offsetof(struct sd_profile, decompress_deflate),
	.code = decompress,
};
