/* Every entry gets one record with its results, in any order of completion, and tasks are re-used. */
#include "bridge_test.h"

static void test_results(void)
{
	struct rig rig;
	struct dpubridge_record record;
	struct dpubridge_entry *entry;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	entry = rig_put(&rig, 42, 100);
	entry->src_addr += 3;
	entry->dst_addr += 5;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK(rig.src.data == rig.src.head + 3);
	CHECK_EQ(rig.src.data_len, 100);
	CHECK(rig.dst.data == rig.dst.head + 5);
	CHECK_EQ(rig.dst.data_len, 0);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 1);

	fake_finish(rig.ctx, 0, 0, 33);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	record = rig_take(&rig);
	CHECK_EQ(record.type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(record.kind, DPUBRIDGE_KIND_COMPRESS_DEFLATE);
	CHECK_EQ(record.user_data, 42);
	CHECK_EQ(record.context, rig.handle);
	CHECK_EQ(record.status, 0);
	CHECK_EQ(record.states, 0);
	CHECK_EQ(record.produced, 33);
	CHECK_EQ(record.checksum0, 1033);
	CHECK_EQ(record.checksum1, 2033);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_SUBMITTED), 1);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_COMPLETED), 1);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_PROGRESSED), 1);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_ENTERS), 2);
	rig_destroy(&rig);
}

static void test_failed(void)
{
	struct rig rig;
	struct dpubridge_record record;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	rig_put(&rig, 1, 10);
	dpubridge_enter(rig.bridge, 8);
	fake_finish(rig.ctx, 0, IO_FAILED, 9);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	record = rig_take(&rig);
	CHECK_EQ(record.type, DPUBRIDGE_RECORD_TASK_FAILED);
	CHECK_EQ(record.status, IO_FAILED);
	CHECK_EQ(record.produced, 0);
	CHECK_EQ(record.checksum0, 0);
	CHECK_EQ(record.checksum1, 0);
	rig_destroy(&rig);
}

static void test_any_order(void)
{
	struct rig rig;
	uint64_t i;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	for (i = 0; i < 4; i++)
		rig_put(&rig, i, i);
	dpubridge_enter(rig.bridge, 8);
	fake_finish(rig.ctx, 2, 0, 2);
	fake_finish(rig.ctx, 0, 0, 0);
	fake_finish(rig.ctx, 1, IO_FAILED, 0);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 0, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 3, IO_FAILED);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_destroy(&rig);
}

static void test_budget(void)
{
	struct rig rig;
	uint64_t i;

	rig_create(&rig, 8, 16, 8);
	rig_start(&rig);
	fake_ctx_finish_at_once(rig.ctx, true);
	for (i = 0; i < 8; i++)
		rig_put(&rig, i, i);
	CHECK_EQ(dpubridge_enter(rig.bridge, 0), 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 3), 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 3), 6);
	CHECK_EQ(dpubridge_enter(rig.bridge, 3), 8);
	rig_destroy(&rig);
}

/* Positions are free-running and may pass 2^32. */
static void test_wrap_around(void)
{
	struct rig rig;
	uint64_t put = 0, taken = 0;

	rig_create(&rig, 8, 16, 8);
	rig_start(&rig);
	rig.header->submission_head = rig.header->submission_tail = UINT32_MAX - 50;
	rig.header->completion_head = rig.header->completion_tail = UINT32_MAX - 20;
	fake_ctx_finish_at_once(rig.ctx, true);
	while (taken < 1000) {
		uint32_t batch = 1 + put % 8;

		while (batch-- > 0)
			rig_put(&rig, put++, 7);
		dpubridge_enter(rig.bridge, 100);
		while (rig_unread(&rig) > 0)
			rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, taken++, 0);
		CHECK_EQ(taken, put);
	}
	CHECK(rig.header->submission_tail < 2000);
	CHECK(rig.header->completion_tail < 2000);
	CHECK(fake_ctx_num_allocations(rig.ctx) <= 8);
	rig_destroy(&rig);
}

static void test_lz4_stream(void)
{
	struct rig rig;
	uint64_t argument;
	struct dpubridge_record record;

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM, 1), 0);
	rig_start(&rig);
	fake_ctx_finish_at_once(rig.ctx, true);
	/* The first entry allocates the task, the others set its flags. */
	for (argument = 0; argument < 8; argument++) {
		struct dpubridge_entry *entry = rig_put(&rig, argument, 5);

		entry->kind = DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM;
		entry->argument = argument & 3;
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
		record = rig_take(&rig);
		CHECK_EQ(record.type, DPUBRIDGE_RECORD_TASK_DONE);
		CHECK_EQ(record.kind, DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM);
		CHECK_EQ(record.checksum1, 2005);
		CHECK_EQ(fake_last_lz4_flags(), argument & 3);
	}
	CHECK_EQ(fake_ctx_num_allocations(rig.ctx), 1);
	rig_destroy(&rig);
}

static void test_memcpy_has_no_checksums(void)
{
	struct rig rig;
	struct dpubridge_record record;

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DMA_MEMCPY, 1), 0);
	rig_start(&rig);
	fake_ctx_finish_at_once(rig.ctx, true);
	rig_put(&rig, 9, 5)->kind = DPUBRIDGE_KIND_DMA_MEMCPY;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	record = rig_take(&rig);
	CHECK_EQ(record.type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(record.produced, 5);
	CHECK_EQ(record.checksum0, 0);
	CHECK_EQ(record.checksum1, 0);
	rig_destroy(&rig);
}

int main(void)
{
	test_results();
	test_failed();
	test_any_order();
	test_budget();
	test_wrap_around();
	test_lz4_stream();
	test_memcpy_has_no_checksums();
	return 0;
}
