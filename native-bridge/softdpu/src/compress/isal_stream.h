/*
 * The streams of libisal.so.2: the fields that its igzip_lib.h documents for programs. The library's state follows them; the
 * reserve is three times the state of version 2.30.
 */
#ifndef ISAL_STREAM_H
#define ISAL_STREAM_H

#include <stdint.h>

enum {
	ISAL_STATE_RESERVE = 256 * 1024,
	ISAL_LEVEL_MEMORY = 4096 + 2 * 8 * 1024 + 4 * 64 * 1024, /**< the default of igzip_lib.h for level 1 */
};

/** struct isal_zstream, and the memory of its level. */
struct sd_isal_deflater {
	const uint8_t *next_in;
	uint32_t avail_in, total_in;
	uint8_t *next_out;
	uint32_t avail_out, total_out;
	void *hufftables;
	uint32_t level, level_memory_size;
	uint8_t *level_memory;
	uint16_t end_of_stream, flush, gzip_flag, hist_bits;
	uint64_t state[ISAL_STATE_RESERVE / sizeof(uint64_t)];
	uint8_t memory[ISAL_LEVEL_MEMORY];
};

/** struct inflate_state. */
struct sd_isal_inflater {
	uint8_t *next_out;
	uint32_t avail_out, total_out;
	const uint8_t *next_in;
	uint64_t read_in;
	uint32_t avail_in;
	int32_t read_in_length;
	uint64_t state[ISAL_STATE_RESERVE / sizeof(uint64_t)];
};

#endif
