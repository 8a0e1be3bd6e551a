/*
 * Compression tasks: transforms of four kinds. A kind defines its limits and its codec, from contiguous memory to contiguous
 * memory. The codec reads and writes a buffer of one element in place. The executing thread copies longer lists through scratch
 * memory.
 */
#ifndef SD_COMPRESS_H
#define SD_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

#include "doca_compress.h"
#include "sd_transform.h"

struct doca_compress {
	struct sd_transform base;
};

/** The part that all kinds of tasks share; the public struct of each kind has this as its only member. */
struct sd_compress_task {
	struct sd_transform_task base;
	uint8_t has_block_checksum;		/**< LZ4 stream only */
	uint8_t are_blocks_independent;		/**< LZ4 stream only */
	uint32_t crc;				/**< result: CRC-32 of the uncompressed bytes */
	uint32_t checksum;			/**< result: Adler-32 (deflate) or xxHash-32 (LZ4) of the uncompressed bytes */
};

struct doca_compress_task_compress_deflate {
	struct sd_compress_task task;
};

struct doca_compress_task_decompress_deflate {
	struct sd_compress_task task;
};

struct doca_compress_task_decompress_lz4_block {
	struct sd_compress_task task;
};

struct doca_compress_task_decompress_lz4_stream {
	struct sd_compress_task task;
};

/** Contiguous input and output memory of one execution. */
struct sd_compress_io {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t room;				/**< size of out, in bytes */
};

struct libdeflate_compressor;
struct libdeflate_decompressor;
struct sd_isal_deflater;
struct sd_isal_inflater;

/** State of an executing thread. The thread allocates coders and scratch memory on first use. */
struct sd_compress_unit {
	struct libdeflate_compressor *compressor;
	struct libdeflate_decompressor *decompressor;
	struct sd_isal_deflater *isal_deflater;
	struct sd_isal_inflater *isal_inflater;
	uint8_t *in, *out;
	size_t in_size, out_size;
};

/** One kind of task. */
struct sd_compress_kind {
	struct sd_transform_kind base;		/**< first member */
	/** Sets produced, crc and checksum of the task. IO_FAILED: damaged input, or the output does not fit. */
	doca_error_t (*codec)(struct sd_compress_task *task, struct sd_compress_unit *unit, const struct sd_compress_io *io);
	/** Returns an upper limit for the output of in_len bytes, which limits scratch memory. NULL: unknown. */
	size_t (*bound)(size_t in_len);
};

extern const struct sd_compress_kind sd_compress_deflate;
extern const struct sd_compress_kind sd_decompress_deflate;
extern const struct sd_compress_kind sd_decompress_lz4_block;
extern const struct sd_compress_kind sd_decompress_lz4_stream;

/** Initializes the base of a kind. limits: member of struct sd_profile. */
#define SD_COMPRESS_KIND(kind_name, task_type, limits)                                       \
	{                                                                                    \
		.operation = { SD_TRANSFORM_OPERATION(kind_name, struct task_type, &sd_compress_unit_type) }, \
		.capability = offsetof(struct sd_profile, limits),                           \
		.prepare = sd_compress_prepare,                                              \
		.can_succeed = sd_compress_has_room,                                         \
		.code = sd_compress_code,                                                    \
	}

extern const struct sd_unit_type sd_compress_unit_type;

/** @name Functions of all kinds */
/** @{ */
doca_error_t sd_compress_prepare(struct sd_transform_task *task);
uint8_t sd_compress_has_room(const struct sd_transform_task *task);
doca_error_t sd_compress_code(struct sd_transform_task *task, void *unit);
/** @} */

/** Returns whether ISA-L is installed. Thread: any. */
uint8_t sd_isal_is_usable(void);

/**
 * @name Coders of raw deflate streams by ISA-L, which must be installed. The limit of the kind keeps both sizes below 4 GiB.
 * IO_FAILED: damaged input, or the output does not fit.
 */
/** @{ */
doca_error_t sd_isal_deflate(struct sd_compress_unit *unit, const struct sd_compress_io *io, size_t *produced);
doca_error_t sd_isal_inflate(struct sd_compress_unit *unit, const struct sd_compress_io *io, size_t *produced);
/** @} */

/** Grows *memory to at least size bytes; its content may be lost. Returns NULL without memory. */
uint8_t *sd_compress_scratch(uint8_t **memory, size_t *memory_size, size_t size);

#endif
