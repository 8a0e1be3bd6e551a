/* Deflate by ISA-L finds a repetition at a distance of HALF bytes. The earlier content of the stream's memory has no effect. */
#include "../src/compress/isal.c"

#include "check.h"

enum { HALF = 4096, SMALL_WINDOW_BITS = 8 };

static uint8_t in[2 * HALF];
static uint8_t out[4 * HALF];

static void fill(void)
{
	uint32_t random = 1;

	for (size_t i = 0; i < HALF; i++) {
		random = random * 1664525 + 1013904223;
		in[i] = in[HALF + i] = (uint8_t)(random >> 24);
	}
}

int main(void)
{
	const struct sd_compress_io io = { .in = in, .in_len = sizeof(in), .out = out, .room = sizeof(out) };
	struct sd_compress_unit unit = { 0 };
	size_t produced = 0;

	if (!sd_isal_is_usable())
		SKIP("no libisal.so.2 (install libisal2)");
	fill();
	unit.isal_deflater = calloc(1, sizeof(*unit.isal_deflater));
	CHECK(unit.isal_deflater != NULL);
	unit.isal_deflater->hist_bits = SMALL_WINDOW_BITS;
	CHECK_OK(sd_isal_deflate(&unit, &io, &produced));
	CHECK(produced < HALF + HALF / 2);
	free(unit.isal_deflater);
	return 0;
}
