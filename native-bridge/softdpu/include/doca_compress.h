/*
 * Compression and decompression on the device.
 *
 *   deflate      a raw RFC 1951 stream, without zlib or gzip frame, compression and decompression
 *   LZ4 block    one raw LZ4 block, decompression
 *   LZ4 stream   the blocks of an LZ4 frame without the frame's header, decompression
 *
 * A task reads the content of the source list and writes its output into the free room of the destination list, whose content
 * grows. Checksums cover the uncompressed bytes and are valid after success. A task fails with IO_FAILED if the source is
 * damaged or empty, or the destination is too small.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. For a NULL argument, a function
 * returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_COMPRESS_H_
#define DOCA_COMPRESS_H_

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_compress;
struct doca_compress_task_compress_deflate;
struct doca_compress_task_decompress_deflate;
struct doca_compress_task_decompress_lz4_block;
struct doca_compress_task_decompress_lz4_stream;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_task;

/** @name The context */
/** @{ */
/** Creates a context on an opened device. The device stays in use until the context is destroyed. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_create(struct doca_dev *dev, struct doca_compress **compress);
/** Destroys the context. IN_USE: not IDLE, or tasks exist. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_destroy(struct doca_compress *compress);
/** Returns the generic context, which has the lifetime of compress. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_compress_as_ctx(struct doca_compress *compress);
/** Returns the limit for the sum of num_tasks over all set_conf calls of one context. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_get_max_num_tasks(struct doca_compress *compress, uint32_t *max_num_tasks);
/** @} */

/** @name Deflate: compress */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_compress_task_compress_deflate_completion_cb_t)(
	struct doca_compress_task_compress_deflate *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest size of a source or destination in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Returns the largest number of elements of a list; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Configures num_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_compress_deflate_set_conf(struct doca_compress *compress,
	doca_compress_task_compress_deflate_completion_cb_t task_completion_cb,
	doca_compress_task_compress_deflate_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks tasks are allocated. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_compress_deflate_alloc_init(struct doca_compress *compress,
	const struct doca_buf *src_buff, struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_compress_deflate **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_compress_deflate_as_task(struct doca_compress_task_compress_deflate *task);
DOCA_EXPERIMENTAL
void doca_compress_task_compress_deflate_set_src(struct doca_compress_task_compress_deflate *task,
	const struct doca_buf *src_buff);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_compress_deflate_get_src(
	const struct doca_compress_task_compress_deflate *task);
DOCA_EXPERIMENTAL
void doca_compress_task_compress_deflate_set_dst(struct doca_compress_task_compress_deflate *task,
	struct doca_buf *dst_buff);
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_compress_deflate_get_dst(
	const struct doca_compress_task_compress_deflate *task);
/** Returns the CRC-32 that gzip uses. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_compress_deflate_get_crc_cs(const struct doca_compress_task_compress_deflate *task);
/** Returns the Adler-32 that zlib uses. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_compress_deflate_get_adler_cs(const struct doca_compress_task_compress_deflate *task);
/** @} */

/** @name Deflate: decompress */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_compress_task_decompress_deflate_completion_cb_t)(
	struct doca_compress_task_decompress_deflate *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest size of a source or destination in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Returns the largest number of elements of a list; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Configures num_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_deflate_set_conf(struct doca_compress *compress,
	doca_compress_task_decompress_deflate_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_deflate_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks tasks are allocated. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_deflate_alloc_init(struct doca_compress *compress,
	const struct doca_buf *src_buff, struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_deflate **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_decompress_deflate_as_task(struct doca_compress_task_decompress_deflate *task);
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_deflate_set_src(struct doca_compress_task_decompress_deflate *task,
	const struct doca_buf *src_buff);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_decompress_deflate_get_src(
	const struct doca_compress_task_decompress_deflate *task);
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_deflate_set_dst(struct doca_compress_task_decompress_deflate *task,
	struct doca_buf *dst_buff);
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_decompress_deflate_get_dst(
	const struct doca_compress_task_decompress_deflate *task);
/** Returns the CRC-32 that gzip uses. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_deflate_get_crc_cs(const struct doca_compress_task_decompress_deflate *task);
/** Returns the Adler-32 that zlib uses. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_deflate_get_adler_cs(const struct doca_compress_task_decompress_deflate *task);
/** @} */

/** @name LZ4 block: decompress */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_compress_task_decompress_lz4_block_completion_cb_t)(
	struct doca_compress_task_decompress_lz4_block *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest size of a source or destination in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Returns the largest number of elements of a list; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Configures num_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_block_set_conf(struct doca_compress *compress,
	doca_compress_task_decompress_lz4_block_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_lz4_block_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks tasks are allocated. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_block_alloc_init(struct doca_compress *compress,
	const struct doca_buf *src_buff, struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_lz4_block **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_decompress_lz4_block_as_task(struct doca_compress_task_decompress_lz4_block *task);
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_block_set_src(struct doca_compress_task_decompress_lz4_block *task,
	const struct doca_buf *src_buff);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_decompress_lz4_block_get_src(
	const struct doca_compress_task_decompress_lz4_block *task);
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_block_set_dst(struct doca_compress_task_decompress_lz4_block *task,
	struct doca_buf *dst_buff);
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_decompress_lz4_block_get_dst(
	const struct doca_compress_task_decompress_lz4_block *task);
/** Returns the CRC-32 that gzip uses. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_block_get_crc_cs(const struct doca_compress_task_decompress_lz4_block *task);
/** Returns the xxHash-32 with seed 0, most significant byte first in memory: htobe32() of its value. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_block_get_xxh_cs(const struct doca_compress_task_decompress_lz4_block *task);
/** @} */

/** @name LZ4 stream: decompress */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_compress_task_decompress_lz4_stream_completion_cb_t)(
	struct doca_compress_task_decompress_lz4_stream *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest size of a source or destination in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Returns the largest number of elements of a list; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Configures num_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_stream_set_conf(struct doca_compress *compress,
	doca_compress_task_decompress_lz4_stream_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_lz4_stream_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks tasks are allocated. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_stream_alloc_init(struct doca_compress *compress,
	uint8_t has_block_checksum, uint8_t are_blocks_independent,
	const struct doca_buf *src_buff, struct doca_buf *dst_buff, union doca_data user_data,
	struct doca_compress_task_decompress_lz4_stream **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_compress_task_decompress_lz4_stream_as_task(struct doca_compress_task_decompress_lz4_stream *task);
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_src(struct doca_compress_task_decompress_lz4_stream *task,
	const struct doca_buf *src_buff);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_compress_task_decompress_lz4_stream_get_src(
	const struct doca_compress_task_decompress_lz4_stream *task);
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_dst(struct doca_compress_task_decompress_lz4_stream *task,
	struct doca_buf *dst_buff);
DOCA_EXPERIMENTAL
struct doca_buf *doca_compress_task_decompress_lz4_stream_get_dst(
	const struct doca_compress_task_decompress_lz4_stream *task);
/** Sets whether a checksum follows each block: 1 or 0. */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(
	struct doca_compress_task_decompress_lz4_stream *task, uint8_t has_block_checksum);
DOCA_EXPERIMENTAL
uint8_t doca_compress_task_decompress_lz4_stream_get_has_block_checksum(
	const struct doca_compress_task_decompress_lz4_stream *task);
/** Sets whether no block refers to earlier blocks: 1 or 0. */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(
	struct doca_compress_task_decompress_lz4_stream *task, uint8_t are_blocks_independent);
DOCA_EXPERIMENTAL
uint8_t doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(
	const struct doca_compress_task_decompress_lz4_stream *task);
/** Returns the CRC-32 that gzip uses. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_stream_get_crc_cs(const struct doca_compress_task_decompress_lz4_stream *task);
/** Returns the xxHash-32 with seed 0, most significant byte first in memory: htobe32() of its value. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_stream_get_xxh_cs(const struct doca_compress_task_decompress_lz4_stream *task);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
