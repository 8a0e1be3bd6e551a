/* One compression task at a time, from submission to result. All four types must be configured with at least one task. */
#ifndef CODEC_H
#define CODEC_H

#include "rig.h"

struct codec_result {
	doca_error_t status;
	size_t produced;		/* growth of the destination list's content */
	uint32_t crc, checksum;
};

RIG size_t codec_list_len(struct doca_buf *buf)
{
	size_t total = 0;

	for (struct doca_buf *next; buf != NULL; buf = next) {
		total += rig_data_len(buf);
		CHECK_OK(doca_buf_get_next_in_list(buf, &next));
	}
	return total;
}

/* Submits and waits for the callback, which keeps the task. */
RIG doca_error_t codec_wait(struct rig *rig, struct doca_task *task)
{
	int before = rig->completed + rig->failed;

	rig->keep_tasks = 1;
	CHECK_OK(doca_task_submit(task));
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed + rig->failed > before);
	CHECK(rig->last_task == task);
	return rig->last_status;
}

#define CODEC_RUN(kind, sum, allocate)                                                                              \
	RIG struct codec_result codec_##kind(struct rig *rig, struct doca_buf *src, struct doca_buf *dst)           \
	{                                                                                                           \
		struct doca_compress_task_##kind *task;                                                             \
		struct codec_result result;                                                                         \
		union doca_data none = { 0 };                                                                       \
		size_t before = codec_list_len(dst);                                                                \
		CHECK_OK(allocate);                                                                                 \
		CHECK(doca_compress_task_##kind##_get_src(task) == src);                                            \
		CHECK(doca_compress_task_##kind##_get_dst(task) == dst);                                            \
		result.status = codec_wait(rig, doca_compress_task_##kind##_as_task(task));                         \
		result.produced = codec_list_len(dst) - before;                                                     \
		result.crc = doca_compress_task_##kind##_get_crc_cs(task);                                          \
		result.checksum = doca_compress_task_##kind##_get_##sum##_cs(task);                                 \
		doca_task_free(doca_compress_task_##kind##_as_task(task));                                          \
		return result;                                                                                      \
	}

/* Flags of LZ4 streams, for the next codec_decompress_lz4_stream(). */
__attribute__((unused)) static uint8_t codec_has_block_checksum, codec_are_blocks_independent;

CODEC_RUN(compress_deflate, adler,
	  doca_compress_task_compress_deflate_alloc_init(rig->compress, src, dst, none, &task))
CODEC_RUN(decompress_deflate, adler,
	  doca_compress_task_decompress_deflate_alloc_init(rig->compress, src, dst, none, &task))
CODEC_RUN(decompress_lz4_block, xxh,
	  doca_compress_task_decompress_lz4_block_alloc_init(rig->compress, src, dst, none, &task))
CODEC_RUN(decompress_lz4_stream, xxh,
	  doca_compress_task_decompress_lz4_stream_alloc_init(rig->compress, codec_has_block_checksum,
							      codec_are_blocks_independent, src, dst, none, &task))

RIG void codec_open(struct rig *rig)
{
	rig_open(rig, 1);
	CHECK_OK(RIG_CONFIGURE(rig, decompress_deflate, 1));
	CHECK_OK(RIG_CONFIGURE(rig, decompress_lz4_block, 1));
	CHECK_OK(RIG_CONFIGURE(rig, decompress_lz4_stream, 1));
	CHECK_OK(doca_ctx_start(rig->ctx));
}

/* Splits [offset, offset + len) into a list of pieces; each piece is full (source) or empty (destination). */
RIG struct doca_buf *codec_list(struct rig *rig, size_t offset, size_t len, int pieces, uint8_t is_source)
{
	struct doca_buf *head = NULL;

	for (int i = 0; i < pieces; i++) {
		size_t from = offset + len * (size_t)i / (size_t)pieces, to = offset + len * (size_t)(i + 1) / (size_t)pieces;
		struct doca_buf *piece = is_source ? rig_source(rig, from, to - from) : rig_room(rig, from, to - from);

		if (head == NULL)
			head = piece;
		else
			CHECK_OK(doca_buf_chain_list(head, piece));
	}
	return head;
}

/* Checks that a decompression fails with IO_FAILED and does not change the destination's length. */
#define CODEC_CHECK_FAILS(call)                                            \
	do {                                                               \
		struct codec_result codec_result = (call);                 \
		CHECK_EQ(codec_result.status, DOCA_ERROR_IO_FAILED);       \
		CHECK_EQ(codec_result.produced, 0);                        \
	} while (0)

#endif
