/* A library reports a task twice: its second record names no task of the caller, and nothing else changes. */
#include <pthread.h>

#include "bridge_test.h"

static void create(struct rig *rig, uint32_t num_tasks)
{
	rig_create(rig, 8, 16, num_tasks);
	CHECK_EQ(dpubridge_context_queue(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 4), 0);
	rig_start(rig);
	fake_ctx_report_twice(rig->ctx, true);
}

/* The next tasks use the bridge's two tasks, each once. */
static void check_usable(struct rig *rig)
{
	fake_ctx_report_twice(rig->ctx, false);
	rig_put(rig, 8, 10);
	rig_put(rig, 9, 10);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig->ctx), 2);
	CHECK_EQ(fake_ctx_num_allocated(rig->ctx), 2);
	CHECK_EQ(dpubridge_context_inflight(rig->bridge, rig->handle), 2);
	fake_finish(rig->ctx, 1, 0, 1);
	fake_finish(rig->ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 2);
	rig_expect(rig, DPUBRIDGE_RECORD_TASK_DONE, 9, 0);
	rig_expect(rig, DPUBRIDGE_RECORD_TASK_DONE, 8, 0);
}

static void test_second_record(void)
{
	struct rig rig;

	create(&rig, 2);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 5);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 2, IO_FAILED);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_COMPLETED), 2);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 0);
	check_usable(&rig);
	rig_destroy(&rig);
}

/* DOCA refuses the next entry with AGAIN, and reports the previous one again. The second record does not name the next entry. */
static void test_refused(void)
{
	struct rig rig;

	create(&rig, 1);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 1);
	fake_submit_answers(rig.ctx, 0, 1, AGAIN);
	fake_finish(rig.ctx, 0, 0, 5);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	CHECK_EQ(rig_take(&rig).user_data, DPUBRIDGE_NO_TASK);
	while (fake_ctx_num_submitted(rig.ctx) == 0)
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_ctx_report_twice(rig.ctx, false);
	fake_finish(rig.ctx, 0, 0, 5);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	rig_destroy(&rig);
}

/* A draining context frees each task once. */
static void test_freed(void)
{
	struct rig rig;

	create(&rig, 2);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	dpubridge_context_drain(rig.bridge, rig.handle);
	fake_finish(rig.ctx, 0, 0, 5);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 1);
	fake_finish(rig.ctx, 0, 0, 5);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	rig_destroy(&rig);
}

/* Second records use only places that no other task needs; without one they are dropped. */
static void test_no_room(void)
{
	static const uint64_t expected[] = { 0, 0, 1, 1, 2, 3, 4, 5 };
	struct rig rig;
	uint64_t i;

	rig_create(&rig, 4, 8, 6);
	rig_start(&rig);
	fake_ctx_report_twice(rig.ctx, true);
	for (i = 0; i < 6; i++) {
		rig_put(&rig, i, 10);
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	}
	for (i = 0; i < 6; i++)
		fake_finish(rig.ctx, 0, 0, 5);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 8);
	for (i = 0; i < 8; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, expected[i], 0);
	rig_destroy(&rig);
}

struct batch {
	struct dpubridge_batch head;
	struct dpubridge_entry entry;
	struct dpubridge_result result;
};

/* The caller may have freed an ended batch: the bridge does not touch it. */
static void test_batch(void)
{
	struct batch batch = { .head = { .count = 1 } };
	struct dpubridge_entry *entry;
	struct rig rig;

	create(&rig, 2);
	batch.entry = *rig_put(&rig, 0, 3);
	entry = rig_put(&rig, 7, 0);
	rig.header->submission_tail--;
	entry[-1] = *entry;
	entry[-1].flags = DPUBRIDGE_FLAG_BATCH;
	entry[-1].src_addr = (uintptr_t)&batch.head;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	CHECK_EQ(rig_take(&rig).user_data, DPUBRIDGE_NO_TASK);
	CHECK_EQ(batch.head.ended, 1);
	CHECK_EQ(batch.result.outcome, 3);
	check_usable(&rig);
	rig_destroy(&rig);
}

static void *finish_first(void *argument)
{
	struct rig *rig = argument;

	CHECK(fake_finish_here(rig->ctx, 0, 0, 5));
	return NULL;
}

/* The second report of another thread has no record. */
static void test_foreign(void)
{
	struct rig rig;
	pthread_t thread;

	create(&rig, 2);
	rig_put(&rig, 1, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(pthread_create(&thread, NULL, finish_first, &rig), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_FOREIGN), 1);
	check_usable(&rig);
	rig_destroy(&rig);
}

int main(void)
{
	test_second_record();
	test_refused();
	test_freed();
	test_no_room();
	test_batch();
	test_foreign();
	return 0;
}
