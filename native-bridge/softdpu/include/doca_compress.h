/*
 * Compression and decompression on the device.
 *
 *   deflate      a raw RFC 1951 stream, without zlib or gzip frame, both ways
 *   LZ4 block    one raw LZ4 block, decompression
 *   LZ4 stream   the blocks of an LZ4 frame without the frame's header, decompression
 *
 * A task reads the content of the source list and writes into the free room of the destination list, whose content grows by
 * what was produced. Checksums are over the uncompressed bytes and valid after success. A damaged source, an empty source or
 * too little room makes the task fail with IO_FAILED.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. A NULL argument is
 * INVALID_VALUE where an error is returned, and undefined elsewhere.
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
/** A context on an opened device, which stays in use. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_create(struct doca_dev *dev, struct doca_compress **compress);
/** IN_USE: not IDLE, or tasks are left. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_destroy(struct doca_compress *compress);
/** The context part; lives and dies with compress. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_compress_as_ctx(struct doca_compress *compress);
/** Limit of the sum of num_tasks over all set_conf calls of one context. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_get_max_num_tasks(struct doca_compress *compress, uint32_t *max_num_tasks);
/** @} */

/** @name Deflate: compress */
/** @{ */
/** Called by progress when such a task has ended. */
typedef void (*doca_compress_task_compress_deflate_completion_cb_t)(
	struct doca_compress_task_compress_deflate *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** SUCCESS: the device can do it; NOT_SUPPORTED: it cannot. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_is_supported(const struct doca_devinfo *devinfo);
/** Limit of a source's and of a destination's size in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Limit of a list's length in elements; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_compress_deflate_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Ask for num_tasks tasks and say who is called on success and on failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_compress_deflate_set_conf(struct doca_compress *compress,
	doca_compress_task_compress_deflate_completion_cb_t task_completion_cb,
	doca_compress_task_compress_deflate_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Take a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks are out. */
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
/** CRC-32 as gzip has it. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_compress_deflate_get_crc_cs(const struct doca_compress_task_compress_deflate *task);
/** Adler-32 as zlib has it. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_compress_deflate_get_adler_cs(const struct doca_compress_task_compress_deflate *task);
/** @} */

/** @name Deflate: decompress */
/** @{ */
/** Called by progress when such a task has ended. */
typedef void (*doca_compress_task_decompress_deflate_completion_cb_t)(
	struct doca_compress_task_decompress_deflate *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** SUCCESS: the device can do it; NOT_SUPPORTED: it cannot. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_is_supported(const struct doca_devinfo *devinfo);
/** Limit of a source's and of a destination's size in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Limit of a list's length in elements; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_deflate_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Ask for num_tasks tasks and say who is called on success and on failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_deflate_set_conf(struct doca_compress *compress,
	doca_compress_task_decompress_deflate_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_deflate_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Take a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks are out. */
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
/** CRC-32 as gzip has it. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_deflate_get_crc_cs(const struct doca_compress_task_decompress_deflate *task);
/** Adler-32 as zlib has it. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_deflate_get_adler_cs(const struct doca_compress_task_decompress_deflate *task);
/** @} */

/** @name LZ4 block: decompress */
/** @{ */
/** Called by progress when such a task has ended. */
typedef void (*doca_compress_task_decompress_lz4_block_completion_cb_t)(
	struct doca_compress_task_decompress_lz4_block *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** SUCCESS: the device can do it; NOT_SUPPORTED: it cannot. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_is_supported(const struct doca_devinfo *devinfo);
/** Limit of a source's and of a destination's size in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Limit of a list's length in elements; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_block_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Ask for num_tasks tasks and say who is called on success and on failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_block_set_conf(struct doca_compress *compress,
	doca_compress_task_decompress_lz4_block_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_lz4_block_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Take a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks are out. */
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
/** CRC-32 as gzip has it. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_block_get_crc_cs(const struct doca_compress_task_decompress_lz4_block *task);
/** xxHash-32 with seed 0, most significant byte first in memory: htobe32() of its value. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_block_get_xxh_cs(const struct doca_compress_task_decompress_lz4_block *task);
/** @} */

/** @name LZ4 stream: decompress */
/** @{ */
/** Called by progress when such a task has ended. */
typedef void (*doca_compress_task_decompress_lz4_stream_completion_cb_t)(
	struct doca_compress_task_decompress_lz4_stream *task, union doca_data task_user_data,
	union doca_data ctx_user_data);
/** SUCCESS: the device can do it; NOT_SUPPORTED: it cannot. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_is_supported(const struct doca_devinfo *devinfo);
/** Limit of a source's and of a destination's size in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_size(const struct doca_devinfo *devinfo,
	uint64_t *max_buffer_size);
/** Limit of a list's length in elements; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_cap_task_decompress_lz4_stream_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Ask for num_tasks tasks and say who is called on success and on failure. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_compress_task_decompress_lz4_stream_set_conf(struct doca_compress *compress,
	doca_compress_task_decompress_lz4_stream_completion_cb_t task_completion_cb,
	doca_compress_task_decompress_lz4_stream_completion_cb_t task_error_cb, uint32_t num_tasks);
/** Take a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks are out. */
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
/** Whether each block is followed by a checksum: 1 or 0. */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(
	struct doca_compress_task_decompress_lz4_stream *task, uint8_t has_block_checksum);
DOCA_EXPERIMENTAL
uint8_t doca_compress_task_decompress_lz4_stream_get_has_block_checksum(
	const struct doca_compress_task_decompress_lz4_stream *task);
/** Whether no block refers to the ones before it: 1 or 0. */
DOCA_EXPERIMENTAL
void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(
	struct doca_compress_task_decompress_lz4_stream *task, uint8_t are_blocks_independent);
DOCA_EXPERIMENTAL
uint8_t doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(
	const struct doca_compress_task_decompress_lz4_stream *task);
/** CRC-32 as gzip has it. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_stream_get_crc_cs(const struct doca_compress_task_decompress_lz4_stream *task);
/** xxHash-32 with seed 0, most significant byte first in memory: htobe32() of its value. */
DOCA_EXPERIMENTAL
uint32_t doca_compress_task_decompress_lz4_stream_get_xxh_cs(const struct doca_compress_task_decompress_lz4_stream *task);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
