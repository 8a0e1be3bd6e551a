/* Deflate by ISA-L, in one call per stream. */
#include <pthread.h>
#include <stdlib.h>

#include "isal_stream.h"
#include "sd_compress.h"
#include "sd_isal.h"

enum { LEVEL = 1, ISAL_OK = 0 };

static struct {
	void (*init_deflate)(struct sd_isal_deflater *stream);
	int (*deflate)(struct sd_isal_deflater *stream);
	void (*init_inflate)(struct sd_isal_inflater *stream);
	int (*inflate)(struct sd_isal_inflater *stream);
} isal;

static uint8_t is_complete;

static void find_all(void)
{
	is_complete = sd_isal_find("isal_deflate_stateless_init", (void **)&isal.init_deflate) &&
		      sd_isal_find("isal_deflate_stateless", (void **)&isal.deflate) &&
		      sd_isal_find("isal_inflate_init", (void **)&isal.init_inflate) &&
		      sd_isal_find("isal_inflate_stateless", (void **)&isal.inflate);
}

uint8_t sd_isal_is_usable(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_all);
	return is_complete;
}

doca_error_t sd_isal_deflate(struct sd_compress_unit *unit, const struct sd_compress_io *io, size_t *produced)
{
	struct sd_isal_deflater *stream = unit->isal_deflater;

	if (stream == NULL)
		stream = unit->isal_deflater = malloc(sizeof(*stream));
	if (stream == NULL)
		return DOCA_ERROR_NO_MEMORY;
	isal.init_deflate(stream);
	stream->hist_bits = 0; /* the whole window; init_deflate does not set it */
	stream->level = LEVEL;
	stream->level_memory = stream->memory;
	stream->level_memory_size = sizeof(stream->memory);
	stream->end_of_stream = 1;
	stream->next_in = io->in;
	stream->avail_in = (uint32_t)io->in_len;
	stream->next_out = io->out;
	stream->avail_out = (uint32_t)io->room;
	if (isal.deflate(stream) != ISAL_OK)
		return DOCA_ERROR_IO_FAILED; /* the output does not fit */
	*produced = (size_t)(stream->next_out - io->out);
	return DOCA_SUCCESS;
}

doca_error_t sd_isal_inflate(struct sd_compress_unit *unit, const struct sd_compress_io *io, size_t *produced)
{
	struct sd_isal_inflater *stream = unit->isal_inflater;

	if (stream == NULL)
		stream = unit->isal_inflater = malloc(sizeof(*stream));
	if (stream == NULL)
		return DOCA_ERROR_NO_MEMORY;
	isal.init_inflate(stream);
	stream->next_in = io->in;
	stream->avail_in = (uint32_t)io->in_len;
	stream->next_out = io->out;
	stream->avail_out = (uint32_t)io->room;
	if (isal.inflate(stream) != ISAL_OK)
		return DOCA_ERROR_IO_FAILED; /* the input is damaged or truncated, or the output does not fit */
	*produced = (size_t)(stream->next_out - io->out);
	return DOCA_SUCCESS;
}
