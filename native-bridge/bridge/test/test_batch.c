/* A batch: many tasks in one entry, each with its own result, and one record when the last has ended. */
#include <pthread.h>

#include "batch_rig.h"

/* The window has the size of the kind. The last task of the batch to be submitted lets the next entry follow. */
static void test_all_done(void)
{
	struct batch batch;
	struct rig rig;
	uint32_t i;

	create(&rig, &batch, 2);
	put(&rig, &batch, 7);
	rig_put(&rig, 8, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	CHECK_EQ(batch.head.next, 2);
	for (i = 0; i < COUNT - 1; i++) {
		fake_finish(rig.ctx, 0, 0, 10 + i);
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
		CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	}
	CHECK_EQ(batch.head.ended, COUNT - 1);
	fake_finish(rig.ctx, 0, 0, 10 + i);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	CHECK_EQ(batch.head.failures, 0);
	for (i = 0; i < COUNT; i++)
		expect_result(&batch, i, 0, 10 + i);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 8, 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_SUBMITTED), COUNT + 1);
	rig_destroy(&rig);
}

static void test_again_and_again(void)
{
	struct batch batch;
	struct rig rig;
	uint32_t i;

	create(&rig, &batch, 8);
	fake_ctx_finish_at_once(rig.ctx, true);
	for (i = 0; i < 3; i++) {
		batch.head = (struct dpubridge_batch){ .count = COUNT };
		put(&rig, &batch, i);
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
		CHECK_EQ(batch.results[COUNT - 1].outcome, COUNT);
	}
	CHECK_EQ(fake_ctx_num_allocations(rig.ctx), COUNT);
	rig_destroy(&rig);
}

/* Runs the batch once more and checks what its tasks have produced: the same as they have read. */
static void run_again(struct rig *rig, struct batch *batch, const uint64_t *expected)
{
	uint32_t i;

	batch->head.next = batch->head.ended = batch->head.failures = 0;
	put(rig, batch, 7);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 1);
	rig_expect(rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	CHECK_EQ(batch->head.failures, 0);
	for (i = 0; i < COUNT; i++) {
		expect_result(batch, i, 0, expected[i]);
		CHECK_EQ(batch->dst[i].data_len, expected[i]);
	}
}

/* The bridge passes sources to DOCA once, until the caller lowers prepared. */
static void test_reports_once(void)
{
	static const uint64_t first[COUNT] = { 1, 2, 3, 4, 5 }, second[COUNT] = { 1, 2, 50, 4, 5 }, third[COUNT] = { 1, 2, 3, 4, 9 };
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 8);
	fake_ctx_finish_at_once(rig.ctx, true);
	run_again(&rig, &batch, first);
	CHECK_EQ(batch.head.prepared, COUNT);
	batch.src[2].data_len = 50;
	run_again(&rig, &batch, second);
	batch.entries[4].src_len = 9;
	batch.head.prepared = 2;
	run_again(&rig, &batch, third);
	rig_destroy(&rig);
}

/* A source that DOCA refuses makes the bridge pass all later ones again in each run. */
static void test_reports_in_order(void)
{
	static const uint64_t all[COUNT] = { 1, 2, 3, 4, 5 };
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 8);
	fake_ctx_finish_at_once(rig.ctx, true);
	batch.entries[1].src_buf = 0;
	put(&rig, &batch, 7);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	CHECK_EQ(batch.head.failures, 1);
	CHECK_EQ(batch.head.prepared, 1);
	batch.entries[1].src_buf = (uintptr_t)&batch.src[1];
	run_again(&rig, &batch, all);
	rig_destroy(&rig);
}

/* Tasks serve different entries and batches in turn, each time with the right buffers. */
static void test_tasks_change_hands(void)
{
	static const uint64_t all[COUNT] = { 1, 2, 3, 4, 5 };
	struct batch first, second;
	struct rig rig;
	uint32_t i, round;

	create(&rig, &first, 3);
	second = first;
	for (i = 0; i < COUNT; i++) {
		second.entries[i].src_buf = (uintptr_t)&second.src[i];
		second.entries[i].dst_buf = (uintptr_t)&second.dst[i];
	}
	fake_ctx_finish_at_once(rig.ctx, true);
	for (round = 0; round < 3; round++) {
		run_again(&rig, &first, all);
		rig_put(&rig, 8, 100);
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
		CHECK_EQ(rig_take(&rig).produced, 100);
		run_again(&rig, &second, all);
		run_again(&rig, &first, all);
	}
	rig_destroy(&rig);
}

/* A copy produces the bytes it reads. The bridge does not query its destination, and writes no checksums of other kinds. */
static void test_copies(void)
{
	struct batch batch;
	struct rig rig;
	uint32_t i;

	create(&rig, &batch, 8);
	dpubridge_context_drain(rig.bridge, rig.handle);
	fake_ctx_change(rig.ctx, IDLE);
	rig_take(&rig);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DMA_MEMCPY, 2), 0);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_DMA_MEMCPY, 4), 0);
	rig_start(&rig);
	fake_ctx_finish_at_once(rig.ctx, true);
	for (i = 0; i < COUNT; i++)
		batch.results[i] = (struct dpubridge_result){ .checksum0 = 1, .checksum1 = 2 };
	put(&rig, &batch, 7);
	rig.entries[0].kind = DPUBRIDGE_KIND_DMA_MEMCPY;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	for (i = 0; i < COUNT; i++) {
		CHECK_EQ(batch.results[i].outcome, i + 1);
		CHECK_EQ(batch.results[i].checksum0, 0);
		CHECK_EQ(batch.results[i].checksum1, 0);
	}
	rig_destroy(&rig);
}

static void *finish_all(void *ctx)
{
	while (fake_finish_here(ctx, 0, 0, 3))
		;
	return NULL;
}

/* The callback writes the result on its thread; the owner does the rest. */
static void test_on_a_foreign_thread(void)
{
	struct batch batch;
	struct rig rig;
	pthread_t thread;
	uint32_t i;

	create(&rig, &batch, 2);
	put(&rig, &batch, 7);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	for (i = 0; i < COUNT; i += 2) {
		CHECK_EQ(pthread_create(&thread, NULL, finish_all, rig.ctx), 0);
		CHECK_EQ(pthread_join(thread, NULL), 0);
		CHECK_EQ(batch.head.ended, i);
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), i + 2 > COUNT ? 1 : 0);
	}
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	CHECK_EQ(batch.head.failures, 0);
	for (i = 0; i < COUNT; i++)
		expect_result(&batch, i, 0, 3);
	rig_destroy(&rig);
}

/* After an AGAIN the batch waits, and continues at the same task. The entry behind does not overtake it. */
static void test_again(void)
{
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 8);
	fake_submit_answers(rig.ctx, 2, 4, AGAIN);
	put(&rig, &batch, 7);
	rig_put(&rig, 8, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(batch.head.next, 2);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(batch.head.next, 2);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(batch.head.next, 2);
	/* No task of it is in flight: the next enter submits it. */
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 8, 0);
	CHECK_EQ(batch.head.ended, COUNT);
	CHECK_EQ(batch.head.failures, 0);
	rig_destroy(&rig);
}

/* Submitting a part of a batch during the sleep does not end the sleep. */
static void test_sleeps_on(void)
{
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 2);
	put(&rig, &batch, 7);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000, 1000000, 0, 8), 0);
	CHECK_EQ(batch.head.ended, 1);
	CHECK_EQ(batch.head.next, 3);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000000, 1000000000, 0, 0), 1);
	CHECK_EQ(batch.head.ended, 1);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, UINT64_MAX, UINT64_MAX, 0, 8), 1);
	CHECK_EQ(rig_unread(&rig), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	rig_destroy(&rig);
}

int main(void)
{
	test_sleeps_on();
	test_all_done();
	test_again_and_again();
	test_reports_once();
	test_reports_in_order();
	test_tasks_change_hands();
	test_copies();
	test_on_a_foreign_thread();
	test_again();
	return 0;
}
