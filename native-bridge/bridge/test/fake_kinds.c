/* Task functions of the fake: one set per kind. decompress_lz4_block is missing, as in an older DOCA. */
#include <endian.h>
#include <stdlib.h>

#include "fake_inside.h"

int fake_set_conf(struct doca_ctx *ctx, uint32_t kind, fake_completion_cb done, fake_completion_cb failed, uint32_t num_tasks)
{
	ctx->kinds[kind].done = done;
	ctx->kinds[kind].failed = failed;
	ctx->kinds[kind].num_tasks = num_tasks;
	return 0;
}

int fake_alloc_init(struct doca_ctx *ctx, uint32_t kind, const struct doca_buf *src, struct doca_buf *dst,
		    union doca_data user_data, struct doca_task **out)
{
	struct doca_task *task;

	pthread_mutex_lock(&fake_lock);
	if (ctx->kinds[kind].num_allocated == ctx->kinds[kind].num_tasks) {
		pthread_mutex_unlock(&fake_lock);
		return 7;
	}
	ctx->kinds[kind].num_allocated++;
	ctx->num_allocated++;
	ctx->num_allocations++;
	pthread_mutex_unlock(&fake_lock);
	task = calloc(1, sizeof(*task));
	*task = (struct doca_task){ .ctx = ctx, .kind = kind, .src = src, .dst = dst, .user_data = user_data };
	*out = task;
	return 0;
}

#define FAKE_KIND(prefix, kind)                                                                                           \
	int prefix##_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed, uint32_t num_tasks); \
	struct doca_task *prefix##_as_task(struct doca_task *task);                                                        \
	void prefix##_set_src(struct doca_task *task, const struct doca_buf *src);                                         \
	void prefix##_set_dst(struct doca_task *task, struct doca_buf *dst);                                               \
	int prefix##_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed, uint32_t num_tasks) \
	{                                                                                                                  \
		return fake_set_conf(ctx, kind, done, failed, num_tasks);                                                       \
	}                                                                                                                  \
	struct doca_task *prefix##_as_task(struct doca_task *task)                                                         \
	{                                                                                                                  \
		return task;                                                                                               \
	}                                                                                                                  \
	void prefix##_set_src(struct doca_task *task, const struct doca_buf *src)                                          \
	{                                                                                                                  \
		task->src = src;                                                                                           \
	}                                                                                                                  \
	void prefix##_set_dst(struct doca_task *task, struct doca_buf *dst)                                                \
	{                                                                                                                  \
		task->dst = dst;                                                                                           \
	}

#define FAKE_PLAIN_ALLOC(prefix, kind)                                                                                   \
	int prefix##_alloc_init(struct doca_ctx *ctx, const struct doca_buf *src, struct doca_buf *dst,                   \
				union doca_data user_data, struct doca_task **task);                                      \
	int prefix##_alloc_init(struct doca_ctx *ctx, const struct doca_buf *src, struct doca_buf *dst,                   \
				union doca_data user_data, struct doca_task **task)                                       \
	{                                                                                                                 \
		return fake_alloc_init(ctx, kind, src, dst, user_data, task);                                                  \
	}

#define FAKE_RESULT(function, base)                                                                                      \
	uint32_t function(const struct doca_task *task);                                                                  \
	uint32_t function(const struct doca_task *task)                                                                   \
	{                                                                                                                 \
		return (base) + (uint32_t)task->produced;                                                                 \
	}

FAKE_KIND(doca_compress_task_compress_deflate, 0)
FAKE_PLAIN_ALLOC(doca_compress_task_compress_deflate, 0)
FAKE_RESULT(doca_compress_task_compress_deflate_get_crc_cs, 1000)
FAKE_RESULT(doca_compress_task_compress_deflate_get_adler_cs, 2000)

FAKE_KIND(doca_compress_task_decompress_deflate, 1)
FAKE_PLAIN_ALLOC(doca_compress_task_decompress_deflate, 1)
FAKE_RESULT(doca_compress_task_decompress_deflate_get_crc_cs, 1000)
FAKE_RESULT(doca_compress_task_decompress_deflate_get_adler_cs, 2000)

FAKE_KIND(doca_compress_task_decompress_lz4_stream, 3)
FAKE_RESULT(doca_compress_task_decompress_lz4_stream_get_crc_cs, 1000)

/* Devices return this checksum with its most significant byte first in memory. */
uint32_t doca_compress_task_decompress_lz4_stream_get_xxh_cs(const struct doca_task *task);
uint32_t doca_compress_task_decompress_lz4_stream_get_xxh_cs(const struct doca_task *task)
{
	return htobe32(2000 + (uint32_t)task->produced);
}

FAKE_KIND(doca_dma_task_memcpy, 4)
FAKE_PLAIN_ALLOC(doca_dma_task_memcpy, 4)

int doca_compress_task_decompress_lz4_stream_alloc_init(struct doca_ctx *ctx, uint8_t has_block_checksum,
							uint8_t are_blocks_independent, const struct doca_buf *src,
							struct doca_buf *dst, union doca_data user_data,
							struct doca_task **task);
void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(struct doca_task *task, uint8_t value);
void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(struct doca_task *task, uint8_t value);

int doca_compress_task_decompress_lz4_stream_alloc_init(struct doca_ctx *ctx, uint8_t has_block_checksum,
							uint8_t are_blocks_independent, const struct doca_buf *src,
							struct doca_buf *dst, union doca_data user_data,
							struct doca_task **task)
{
	int status = fake_alloc_init(ctx, 3, src, dst, user_data, task);

	if (status == 0)
		(*task)->lz4_flags = (uint32_t)has_block_checksum | (uint32_t)are_blocks_independent << 1;
	return status;
}

void doca_compress_task_decompress_lz4_stream_set_has_block_checksum(struct doca_task *task, uint8_t value)
{
	task->lz4_flags = (task->lz4_flags & ~1u) | value;
}

void doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(struct doca_task *task, uint8_t value)
{
	task->lz4_flags = (task->lz4_flags & ~2u) | (uint32_t)value << 1;
}

/* Tasks that wait for the value of a sync event: they have no buffers. */
enum { EVENT_WAIT_EQUAL = 8 };

int doca_sync_event_task_wait_eq_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed,
					  uint32_t num_tasks);
int doca_sync_event_task_wait_eq_alloc_init(struct doca_ctx *ctx, uint64_t value, uint64_t mask, union doca_data user_data,
					    struct doca_task **task);
struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(struct doca_task *task);

int doca_sync_event_task_wait_eq_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed,
					  uint32_t num_tasks)
{
	return fake_set_conf(ctx, EVENT_WAIT_EQUAL, done, failed, num_tasks);
}

int doca_sync_event_task_wait_eq_alloc_init(struct doca_ctx *ctx, uint64_t value, uint64_t mask, union doca_data user_data,
					    struct doca_task **task)
{
	(void)value;
	(void)mask;
	return fake_alloc_init(ctx, EVENT_WAIT_EQUAL, NULL, NULL, user_data, task);
}

struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(struct doca_task *task)
{
	return task;
}
