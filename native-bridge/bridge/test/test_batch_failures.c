/* Batches that fail, wholly or in part: at the submission, at the end of their context, and wrong ones. */
#include "batch_rig.h"

static void test_each_fails_by_itself(void)
{
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 8);
	batch.entries[1].src_buf = 0;
	batch.entries[4].dst_buf = 0;
	fake_submit_answers(rig.ctx, 1, 1, IO_FAILED);
	put(&rig, &batch, 7);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	fake_finish(rig.ctx, 1, TOO_BIG, 0);
	fake_finish(rig.ctx, 0, 0, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	CHECK_EQ(batch.head.failures, 4);
	expect_result(&batch, 0, 0, 3);
	expect_result(&batch, 1, INVALID_VALUE, 0);
	expect_result(&batch, 2, IO_FAILED, 0);
	expect_result(&batch, 3, TOO_BIG, 0);
	expect_result(&batch, 4, INVALID_VALUE, 0);
	rig_destroy(&rig);
}

/* All tasks fail at submission: no callback remains to report the end. */
static void test_none_begins(void)
{
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 8);
	fake_submit_answers(rig.ctx, 0, COUNT, IO_FAILED);
	put(&rig, &batch, 7);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	CHECK_EQ(batch.head.failures, COUNT);
	rig_destroy(&rig);
}

/* Puts two batches: the device has two tasks of the first one, and the second one waits. */
static void put_two(struct rig *rig, struct batch *first, struct batch *second)
{
	create(rig, first, 2);
	*second = *first;
	put(rig, first, 1);
	put(rig, second, 2);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 0);
}

/* Three tasks of the first batch have failed: the device completes the other two, which brings the record. */
static void finish_first(struct rig *rig, const struct batch *first)
{
	CHECK_EQ(first->head.ended, 3);
	fake_finish(rig->ctx, 0, 0, 1);
	fake_finish(rig->ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 1);
	rig_expect(rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
}

/*
 * A batch that has not begun is REFUSED. In a batch that has begun, the rest gets that result, and the last task of the device
 * brings the record.
 */
static void test_drain(void)
{
	struct batch first, second;
	struct rig rig;

	put_two(&rig, &first, &second);
	dpubridge_context_drain(rig.bridge, rig.handle);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, BAD_STATE);
	CHECK_EQ(rig_unread(&rig), 0);
	finish_first(&rig, &first);
	expect_result(&first, 1, 0, 1);
	expect_result(&first, 2, SHUTDOWN, 0);
	expect_result(&first, 4, SHUTDOWN, 0);
	rig_destroy(&rig);
}

static void test_withdraw(void)
{
	struct batch first, second;
	struct rig rig;

	put_two(&rig, &first, &second);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 2, IO_FAILED), 1);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 1, IO_FAILED), 0);
	finish_first(&rig, &first);
	CHECK_EQ(first.head.failures, 3);
	rig_destroy(&rig);
}

/* The device stops: submitted and waiting tasks all have a result, and there is one record. */
static void test_stops_by_itself(void)
{
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 2);
	put(&rig, &batch, 7);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_ctx_stop(rig.ctx);
	rig_expect_state(&rig, RUNNING, STOPPING);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 7, 0);
	rig_expect_state(&rig, STOPPING, IDLE);
	expect_result(&batch, 1, IO_FAILED, 0);
	expect_result(&batch, 2, SHUTDOWN, 0);
	CHECK_EQ(batch.head.failures, COUNT);
	rig_destroy(&rig);
}

static void test_refusals(void)
{
	struct batch batch;
	struct rig rig;

	create(&rig, &batch, 2);
	put(&rig, &batch, 1);
	rig.entries[0].src_addr = 0;
	batch.head.count = 0;
	put(&rig, &batch, 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, INVALID_VALUE);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, INVALID_VALUE);
	batch.head.count = DPUBRIDGE_BATCH_TASKS + 1;
	put(&rig, &batch, 3);
	batch.head.count = COUNT;
	batch.head.next = COUNT;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 3, INVALID_VALUE);
	batch.head.next = 0;
	/* With all tasks in flight and no place to wait, one batch may wait. */
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 0), 0);
	rig_put(&rig, 4, 10);
	rig_put(&rig, 5, 10);
	put(&rig, &batch, 6);
	put(&rig, &batch, 7);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 7, NO_MEMORY);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 6, IO_FAILED), 1);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_destroy(&rig);
}

int main(void)
{
	test_each_fails_by_itself();
	test_none_begins();
	test_drain();
	test_withdraw();
	test_stops_by_itself();
	test_refusals();
	return 0;
}
