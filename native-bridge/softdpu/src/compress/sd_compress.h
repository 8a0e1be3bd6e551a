/*
 * Compression tasks: four kinds with one life. A kind differs in its limits and in the codec that executes it.
 *
 *   submit: latch source and destination -> execute: codec from contiguous memory to contiguous memory -> complete: commit
 *
 * Buffers of one element are read and written in place. Lists go through scratch memory of the executing thread.
 */
#ifndef SD_COMPRESS_H
#define SD_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

#include "doca_compress.h"
#include "sd_context.h"
#include "sd_memory.h"
#include "sd_profile.h"

struct doca_compress {
	struct doca_ctx ctx;
	const struct sd_profile *profile;
};

/** What all kinds of tasks are; each kind's public struct consists of one of these. */
struct sd_compress_task {
	struct doca_task base;
	const struct doca_buf *src;
	struct doca_buf *dst;
	uint8_t has_block_checksum;		/**< LZ4 stream only */
	uint8_t are_blocks_independent;		/**< LZ4 stream only */
	struct sd_latch in, out;		/**< held from submit to completion */
	size_t produced;			/**< results: bytes written to the destination, */
	uint32_t crc;				/**< CRC-32 of the uncompressed bytes, */
	uint32_t checksum;			/**< Adler-32 (deflate) or xxHash-32 (LZ4) of them */
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

/** Contiguous memory of one execution. */
struct sd_compress_io {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t room;				/**< bytes at out */
};

struct libdeflate_compressor;
struct libdeflate_decompressor;

/** What an executing thread keeps; coders and scratch memory are made when first needed. */
struct sd_compress_unit {
	struct libdeflate_compressor *compressor;
	struct libdeflate_decompressor *decompressor;
	uint8_t *in, *out;
	size_t in_size, out_size;
};

/** One kind of task. */
struct sd_compress_kind {
	struct sd_task_operation operation;	/**< first member */
	size_t capability;			/**< offset in struct sd_profile */
	/** Set produced, crc and checksum of the task; IO_FAILED: damaged input or too little room. */
	doca_error_t (*code)(struct sd_compress_task *task, struct sd_compress_unit *unit, const struct sd_compress_io *io);
	/** Room that is enough for the output of in_len bytes, so that scratch memory is not larger; NULL: unknown. */
	size_t (*bound)(size_t in_len);
};

extern const struct sd_compress_kind sd_compress_deflate;
extern const struct sd_compress_kind sd_decompress_deflate;
extern const struct sd_compress_kind sd_decompress_lz4_block;
extern const struct sd_compress_kind sd_decompress_lz4_stream;

extern const struct sd_unit_type sd_compress_unit_type;

/** @name What the operation tables share */
/** @{ */
doca_error_t sd_compress_validate(struct doca_task *task);
doca_error_t sd_compress_latch(struct doca_task *task);
doca_error_t sd_compress_execute(struct doca_task *task, void *unit);
void sd_compress_complete(struct doca_task *task);
void sd_compress_corrupt(struct doca_task *task);
/** @} */

/** @name What the public functions of the kinds share */
/** @{ */
doca_error_t sd_compress_is_supported(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind);
doca_error_t sd_compress_max_buf_size(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind, uint64_t *size);
doca_error_t sd_compress_max_list_len(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind, uint32_t *len);
/** The callbacks have the type of the kind; they are called with its task, whose address is that of struct doca_task. */
doca_error_t sd_compress_set_conf(struct doca_compress *compress, const struct sd_compress_kind *kind,
				  doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks);
doca_error_t sd_compress_alloc(struct doca_compress *compress, const struct sd_compress_kind *kind,
			       const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
			       struct doca_task **task);
/** @} */

/** Make sure that there are size bytes at *memory, whose content may be lost. NULL when out of memory. */
uint8_t *sd_compress_scratch(uint8_t **memory, size_t *memory_size, size_t size);

#endif
