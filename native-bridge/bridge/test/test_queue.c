/* Entries that wait for a task: callbacks of earlier tasks submit them, in order, and each gets a record. */
#include "bridge_test.h"

static void create(struct rig *rig, uint32_t num_tasks, uint32_t num_waiting)
{
	rig_create(rig, 8, 32, num_tasks);
	CHECK_EQ(dpubridge_context_queue(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, num_waiting), 0);
	rig_start(rig);
}

static void put(struct rig *rig, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		rig_put(rig, from, 10);
}

static void expect_done(struct rig *rig, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		rig_expect(rig, DPUBRIDGE_RECORD_TASK_DONE, from, 0);
}

/* One progress ends a task and submits the next, without an action of the caller. */
static void test_follows_from_the_callback(void)
{
	struct rig rig;

	create(&rig, 2, 3);
	put(&rig, 0, 6);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 5, NO_MEMORY);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 2);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 0, 1);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	expect_done(&rig, 1, 5);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_SUBMITTED), 5);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_COMPLETED), 5);
	CHECK_EQ(fake_ctx_num_allocations(rig.ctx), 2);
	rig_destroy(&rig);
}

/* The sleeping thread submits when the device wakes it, before dpubridge_wait returns. */
static void test_follows_in_the_sleep(void)
{
	struct rig rig;

	create(&rig, 1, 2);
	put(&rig, 0, 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000000, 1000000000, 0, 8), 1);
	CHECK_EQ(rig_unread(&rig), 1);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 1);
	expect_done(&rig, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000000, 1000000000, 0, 0), 1);
	CHECK_EQ(rig_unread(&rig), 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 1, 2);
	rig_destroy(&rig);
}

/* The callback of a task submits a refused entry again: until then, it and the entries behind it wait. */
static void test_again_from_the_callback(void)
{
	struct rig rig;

	create(&rig, 2, 4);
	put(&rig, 0, 5);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_submit_answers(rig.ctx, 0, 1, AGAIN);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 0, 1);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 1);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	expect_done(&rig, 1, 5);
	rig_destroy(&rig);
}

/* A sleep in which the last task ends with a refused entry behind it ends with the refused entry submitted. */
static void test_again_in_the_sleep(void)
{
	struct rig rig;

	create(&rig, 1, 4);
	put(&rig, 0, 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_submit_answers(rig.ctx, 0, 1, AGAIN);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000000, 1000000000, 0, 8), 1);
	expect_done(&rig, 0, 1);
	put(&rig, 2, 3);
	fake_ctx_finish_at_once(rig.ctx, true);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	expect_done(&rig, 1, 3);
	rig_destroy(&rig);
}

/* Another error concerns that entry only. */
static void test_refused_from_the_callback(void)
{
	struct rig rig;

	create(&rig, 1, 4);
	put(&rig, 0, 1);
	rig_put(&rig, 1, 10)->src_buf = 0;
	put(&rig, 2, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	expect_done(&rig, 0, 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, INVALID_VALUE);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 2, 3);
	rig_destroy(&rig);
}

static void test_drain(void)
{
	struct rig rig;

	create(&rig, 1, 4);
	put(&rig, 0, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	dpubridge_context_drain(rig.bridge, rig.handle);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, BAD_STATE);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, BAD_STATE);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 0, 1);
	rig_destroy(&rig);
}

static void test_withdraw(void)
{
	struct rig rig;

	create(&rig, 1, 4);
	put(&rig, 0, 4);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 2, IO_FAILED), 1);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 2, IO_FAILED), 0);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 0, IO_FAILED), 0);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle + 1, 1, IO_FAILED), 0);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 3);
	expect_done(&rig, 0, 2);
	expect_done(&rig, 3, 4);
	rig_destroy(&rig);
}

/* A context that stops by itself answers the waiting entries, after its state record. */
static void test_stops_by_itself(void)
{
	struct rig rig;

	create(&rig, 1, 4);
	put(&rig, 0, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_ctx_stop(rig.ctx);
	rig_expect_state(&rig, RUNNING, STOPPING);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, BAD_STATE);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, BAD_STATE);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 0, IO_FAILED);
	rig_expect_state(&rig, STOPPING, IDLE);
	rig_destroy(&rig);
}

/* Waiting entries have reserved room in the completion ring, so that no record is lost when the caller reads none. */
static void test_room_is_kept(void)
{
	struct rig rig;
	uint64_t i;

	/* Room for tasks: 3/4 of 16. */
	rig_create(&rig, 8, 16, 1);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 64), 0);
	rig_start(&rig);
	put(&rig, 0, 8);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	put(&rig, 8, 16);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(rig.header->submission_tail - rig.header->submission_head, 4);
	for (i = 0; i < 12; i++) {
		fake_finish(rig.ctx, 0, 0, 1);
		dpubridge_enter(rig.bridge, 8);
	}
	CHECK_EQ(rig_unread(&rig), 12);
	expect_done(&rig, 0, 12);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	expect_done(&rig, 12, 16);
	rig_destroy(&rig);
}

static void test_refusals(void)
{
	struct rig rig;

	create(&rig, 1, 1);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle + 1, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 1), NOT_FOUND);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_DMA_MEMCPY, 1), BAD_STATE);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COUNT, 1), BAD_STATE);
	put(&rig, 0, 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 2), IN_USE);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), IN_USE);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	expect_done(&rig, 0, 2);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 0), 0);
	rig_destroy(&rig);
}

/* A new configuration of a kind has no room to wait. */
static void test_configured_again(void)
{
	struct rig rig;

	rig_create(&rig, 8, 32, 1);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 4), 0);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 1), 0);
	rig_start(&rig);
	put(&rig, 0, 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, NO_MEMORY);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 0, 1);
	rig_destroy(&rig);
}

int main(void)
{
	test_configured_again();
	test_follows_from_the_callback();
	test_follows_in_the_sleep();
	test_again_from_the_callback();
	test_again_in_the_sleep();
	test_refused_from_the_callback();
	test_drain();
	test_withdraw();
	test_stops_by_itself();
	test_room_is_kept();
	test_refusals();
	return 0;
}
