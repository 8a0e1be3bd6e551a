/* Tasks from a source to a destination: compress, DMA and SHA. */
#include "base/symbols.h"
#include "kind/shapes.h"
#include "task/task.h"

#define HAS_BLOCK_CHECKSUM (1u << 0)
#define ARE_BLOCKS_INDEPENDENT (1u << 1)

typedef int (*alloc_plain)(void *object, const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
			   void **task);
typedef int (*alloc_lz4_stream)(void *object, uint8_t has_block_checksum, uint8_t are_blocks_independent,
				const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data, void **task);

/* The device writes to the end of the content: an empty content at dst_addr makes it write from there. */
int32_t bridge_transform_prepare(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	struct doca_buf *src = bridge_buf(entry->src_buf), *dst = bridge_buf(entry->dst_buf);
	int status;

	(void)pool;
	if (src == NULL || dst == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	status = bridge_doca.buf_set_data(src, (void *)(uintptr_t)entry->src_addr, entry->src_len);
	if (status != DOCA_SUCCESS)
		return status;
	return bridge_doca.buf_set_data(dst, (void *)(uintptr_t)entry->dst_addr, 0);
}

static int32_t alloc(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data, void **task)
{
	return ((alloc_plain)pool->kind->call.alloc_init)(pool->object, bridge_buf(entry->src_buf), bridge_buf(entry->dst_buf),
							  user_data, task);
}

int32_t bridge_transform_refill(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	kind->call.set_src(task, bridge_buf(entry->src_buf));
	kind->call.set_dst(task, bridge_buf(entry->dst_buf));
	return DOCA_SUCCESS;
}

static void describe(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record)
{
	bridge_kind_checksums(kind, task, &record->checksum0, &record->checksum1);
}

const struct bridge_shape bridge_shape_transform = {
	.prepare = bridge_transform_prepare,
	.alloc = alloc,
	.refill = bridge_transform_refill,
	.describe = describe,
	.has_destination = true,
	.takes_batches = true,
};

static uint8_t has_block_checksum(const struct dpubridge_entry *entry)
{
	return (entry->argument & HAS_BLOCK_CHECKSUM) != 0;
}

static uint8_t are_blocks_independent(const struct dpubridge_entry *entry)
{
	return (entry->argument & ARE_BLOCKS_INDEPENDENT) != 0;
}

static int32_t alloc_stream(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			    void **task)
{
	return ((alloc_lz4_stream)pool->kind->call.alloc_init)(pool->object, has_block_checksum(entry),
							       are_blocks_independent(entry), bridge_buf(entry->src_buf),
							       bridge_buf(entry->dst_buf), user_data, task);
}

static int32_t refill_stream(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	int32_t status = bridge_transform_refill(kind, task, entry);

	kind->call.set_has_block_checksum(task, has_block_checksum(entry));
	kind->call.set_are_blocks_independent(task, are_blocks_independent(entry));
	return status;
}

const struct bridge_shape bridge_shape_lz4_stream = {
	.prepare = bridge_transform_prepare,
	.alloc = alloc_stream,
	.refill = refill_stream,
	.describe = describe,
	.has_destination = true,
	.takes_batches = true,
};

typedef int (*alloc_hash)(void *object, int algorithm, const struct doca_buf *src, struct doca_buf *dst,
			  union doca_data user_data, void **task);

static int32_t prepare_hash(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	return entry->argument <= INT32_MAX ? bridge_transform_prepare(pool, entry) : DOCA_ERROR_INVALID_VALUE;
}

static int32_t alloc_digest(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			    void **task)
{
	return ((alloc_hash)pool->kind->call.alloc_init)(pool->object, (int)entry->argument, bridge_buf(entry->src_buf),
							 bridge_buf(entry->dst_buf), user_data, task);
}

static int32_t refill_hash(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	int status = kind->call.set_algorithm(task, (int)entry->argument);

	if (status == DOCA_SUCCESS)
		status = kind->call.try_set_src(task, bridge_buf(entry->src_buf));
	if (status == DOCA_SUCCESS)
		status = kind->call.try_set_dst(task, bridge_buf(entry->dst_buf));
	return status;
}

const struct bridge_shape bridge_shape_hash = {
	.prepare = prepare_hash,
	.alloc = alloc_digest,
	.refill = refill_hash,
	.has_destination = true,
	.takes_batches = true,
	.counts_in_powers = true,
};
