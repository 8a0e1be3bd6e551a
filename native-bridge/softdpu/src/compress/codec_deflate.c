/* Compresses and decompresses raw deflate streams (RFC 1951) with ISA-L or libdeflate. */
#include <libdeflate.h>

#include "sd_compress.h"
#include "sd_config.h"

enum {
	ADLER_START = 1,
	CRC_START = 0,
	PIECE = 32 * 1024,	/* stays in the fastest cache between the two checksums */
	ISAL_LEVEL = 1,		/* ISA-L is the faster library at this level; libdeflate has the levels above */
};

static void set_checksums(struct sd_compress_task *task, const uint8_t *data, size_t len)
{
	task->crc = CRC_START;
	task->checksum = ADLER_START;
	for (size_t done = 0, piece; done < len; done += piece) {
		piece = len - done < PIECE ? len - done : PIECE;
		task->crc = libdeflate_crc32(task->crc, data + done, piece);
		task->checksum = libdeflate_adler32(task->checksum, data + done, piece);
	}
}

static doca_error_t libdeflate_deflate(struct sd_compress_unit *unit, const struct sd_compress_io *io, size_t *produced)
{
	if (unit->compressor == NULL)
		unit->compressor = libdeflate_alloc_compressor(sd_config()->deflate_level);
	if (unit->compressor == NULL)
		return DOCA_ERROR_NO_MEMORY;
	*produced = libdeflate_deflate_compress(unit->compressor, io->in, io->in_len, io->out, io->room);
	return *produced == 0 ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS; /* 0: the output does not fit */
}

static doca_error_t libdeflate_inflate(struct sd_compress_unit *unit, const struct sd_compress_io *io, size_t *produced)
{
	size_t consumed;

	if (unit->decompressor == NULL)
		unit->decompressor = libdeflate_alloc_decompressor();
	if (unit->decompressor == NULL)
		return DOCA_ERROR_NO_MEMORY;
	return libdeflate_deflate_decompress_ex(unit->decompressor, io->in, io->in_len, io->out, io->room, &consumed,
						produced) == LIBDEFLATE_SUCCESS
		       ? DOCA_SUCCESS
		       : DOCA_ERROR_IO_FAILED; /* the input is damaged or truncated, or the output does not fit */
}

static doca_error_t compress(struct sd_compress_task *task, struct sd_compress_unit *unit, const struct sd_compress_io *io)
{
	uint8_t by_isal = sd_config()->deflate_level == ISAL_LEVEL && sd_isal_is_usable();
	doca_error_t result = (by_isal ? sd_isal_deflate : libdeflate_deflate)(unit, io, &task->base.produced);

	if (result == DOCA_SUCCESS)
		set_checksums(task, io->in, io->in_len);
	return result;
}

static size_t compress_bound(size_t in_len)
{
	return libdeflate_deflate_compress_bound(NULL, in_len);
}

/* The stream ends with its final block. The decoder ignores the bytes after it, for example a gzip trailer. */
static doca_error_t decompress(struct sd_compress_task *task, struct sd_compress_unit *unit, const struct sd_compress_io *io)
{
	doca_error_t result = (sd_isal_is_usable() ? sd_isal_inflate : libdeflate_inflate)(unit, io, &task->base.produced);

	if (result == DOCA_SUCCESS)
		set_checksums(task, io->out, task->base.produced);
	return result;
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
