/* State that an executing thread keeps between compression tasks. */
#include <libdeflate.h>
#include <stdlib.h>

#include "sd_compress.h"

static void *create_unit(void)
{
	return calloc(1, sizeof(struct sd_compress_unit));
}

static void destroy_unit(void *state)
{
	struct sd_compress_unit *unit = state;

	libdeflate_free_compressor(unit->compressor);
	libdeflate_free_decompressor(unit->decompressor);
	free(unit->isal_deflater);
	free(unit->isal_inflater);
	free(unit->in);
	free(unit->out);
	free(unit);
}

const struct sd_unit_type sd_compress_unit_type = {
	.create = create_unit,
	.destroy = destroy_unit,
};

uint8_t *sd_compress_scratch(uint8_t **memory, size_t *memory_size, size_t size)
{
	if (*memory == NULL || *memory_size < size) {
		free(*memory);
		*memory_size = size > 0 ? size : 1;
		*memory = malloc(*memory_size);
		if (*memory == NULL)
			*memory_size = 0;
	}
	return *memory;
}
