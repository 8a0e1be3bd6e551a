/*
 * Compression tasks. Four kinds share one life cycle. A kind defines its limits and its codec.
 *
 *   submit: latch source and destination -> execute: codec from contiguous memory to contiguous memory -> complete: commit
 *
 * The codec reads and writes a buffer of one element in place. The executing thread copies longer lists through scratch memory.
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

/** The part that all kinds of tasks share; the public struct of each kind has this as its only member. */
struct sd_compress_task {
	struct doca_task base;
	const struct doca_buf *src;
	struct doca_buf *dst;
	uint8_t has_block_checksum;		/**< LZ4 stream only */
	uint8_t are_blocks_independent;		/**< LZ4 stream only */
	struct sd_latch in, out;		/**< held from submit to completion */
	size_t produced;			/**< result: bytes written to the destination */
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

/** State of an executing thread. The thread allocates coders and scratch memory on first use. */
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
	/** Sets produced, crc and checksum of the task. IO_FAILED: damaged input, or the output does not fit. */
	doca_error_t (*code)(struct sd_compress_task *task, struct sd_compress_unit *unit, const struct sd_compress_io *io);
	/** Returns an upper limit for the output of in_len bytes, which limits scratch memory. NULL: unknown. */
	size_t (*bound)(size_t in_len);
};

extern const struct sd_compress_kind sd_compress_deflate;
extern const struct sd_compress_kind sd_decompress_deflate;
extern const struct sd_compress_kind sd_decompress_lz4_block;
extern const struct sd_compress_kind sd_decompress_lz4_stream;

extern const struct sd_unit_type sd_compress_unit_type;

/** @name Functions shared by the operation tables */
/** @{ */
doca_error_t sd_compress_validate(struct doca_task *task);
doca_error_t sd_compress_latch(struct doca_task *task);
doca_error_t sd_compress_execute(struct doca_task *task, void *unit);
void sd_compress_complete(struct doca_task *task);
void sd_compress_corrupt(struct doca_task *task);
/** @} */

/** @name Functions shared by the public functions of all kinds */
/** @{ */
doca_error_t sd_compress_is_supported(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind);
doca_error_t sd_compress_max_buf_size(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind, uint64_t *size);
doca_error_t sd_compress_max_list_len(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind, uint32_t *len);
/**
 * Configures the task pool of a kind. The callbacks have the type of the kind; their task has the address of the struct
 * doca_task.
 */
doca_error_t sd_compress_set_conf(struct doca_compress *compress, const struct sd_compress_kind *kind,
				  doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks);
doca_error_t sd_compress_alloc(struct doca_compress *compress, const struct sd_compress_kind *kind,
			       const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
			       struct doca_task **task);
/** @} */

/** Grows *memory to at least size bytes; its content may be lost. Returns NULL without memory. */
uint8_t *sd_compress_scratch(uint8_t **memory, size_t *memory_size, size_t size);

#endif
