/* Waiting during a batch: the bridge handles the device's progress, and returns to the caller only at the end of the batch. */
#include <stdbool.h>
#include <time.h>

#include "bridge_test.h"

#define LONG_NS 60000000000ull
/* Time of polling before the first sleep. Afterwards the device makes progress in every second poll. */
#define SPIN_NS 500000000ull

enum { BATCH = 3 };

struct batch {
	struct dpubridge_batch head;
	struct dpubridge_entry entries[BATCH];
	struct dpubridge_result results[BATCH];
};

/* Begins a batch whose tasks run one after the other; the device has the first. */
static void begin_batch(struct rig *rig, struct batch *batch)
{
	struct dpubridge_entry *entry;
	uint32_t i;

	rig_create(rig, 8, 32, 1);
	CHECK_EQ(dpubridge_context_queue(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 4), 0);
	rig_start(rig);
	*batch = (struct batch){ .head = { .count = BATCH } };
	for (i = 0; i < BATCH; i++) {
		batch->entries[i] = (struct dpubridge_entry){ .src_buf = (uintptr_t)&rig->src,
							      .src_addr = (uintptr_t)rig->src.head,
							      .src_len = 1,
							      .dst_buf = (uintptr_t)&rig->dst,
							      .dst_addr = (uintptr_t)rig->dst.head };
	}
	entry = rig_put(rig, 7, 0);
	entry->flags = DPUBRIDGE_FLAG_BATCH;
	entry->src_addr = (uintptr_t)&batch->head;
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 0);
}

static void end_batch(struct rig *rig, const struct batch *batch)
{
	CHECK_EQ(rig_unread(rig), 1);
	CHECK_EQ(rig_take(rig).user_data, 7);
	CHECK_EQ(batch->head.failures, 0);
	rig_destroy(rig);
}

static void finish_one(void *argument)
{
	struct rig *rig = argument;

	fake_finish(rig->ctx, 0, 0, 1);
}

/* Most progress brings no record: the bridge sleeps again until there is one. */
static void test_sleeps_on(void)
{
	struct batch batch;
	struct rig rig;

	begin_batch(&rig, &batch);
	fake_pe_before_arming(rig.pe, finish_one, &rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 8), 1);
	CHECK_EQ(fake_pe_num_requests(rig.pe), BATCH);
	CHECK_EQ(fake_pe_num_clears(rig.pe), BATCH);
	end_batch(&rig, &batch);
}

static void wake(void *argument)
{
	struct rig *rig = argument;

	fake_pe_before_arming(rig->pe, NULL, NULL);
	dpubridge_wake(rig->bridge);
}

/* The time limit and a wake-up still end the sleep. */
static void test_sleeps_on_within_bounds(void)
{
	struct batch batch;
	struct rig rig;

	begin_batch(&rig, &batch);
	finish_one(&rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000, 1000000, 0, 8), 0);
	CHECK_EQ(batch.head.ended, 1);
	fake_pe_before_arming(rig.pe, wake, &rig);
	finish_one(&rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 1000000, 8), 2);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000, 1000000, 0, 8), 0);
	CHECK_EQ(batch.head.ended, 2);
	finish_one(&rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 8), 1);
	end_batch(&rig, &batch);
}

/* Makes progress after more than the quiet time. */
static void finish_one_late(void *argument)
{
	const struct timespec late = { .tv_nsec = 3000000 };

	nanosleep(&late, NULL);
	finish_one(argument);
}

/* Each progress of the device restarts the quiet time. */
static void test_quiet(void)
{
	struct batch batch;
	struct rig rig;

	begin_batch(&rig, &batch);
	fake_pe_before_arming(rig.pe, finish_one_late, &rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, 2000000, LONG_NS, 0, 8), 0);
	CHECK_EQ(batch.head.ended, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, 2000000, 0, 8), 1);
	end_batch(&rig, &batch);
	begin_batch(&rig, &batch);
	finish_one(&rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, 2000000, 0, 8), 0);
	CHECK_EQ(batch.head.ended, 1);
	fake_pe_before_arming(rig.pe, finish_one, &rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 8), 1);
	end_batch(&rig, &batch);
}

/* From now on the device finishes one task in each progress without an event. */
static void finish_first_and_continue(void *argument)
{
	struct rig *rig = argument;

	fake_pe_before_arming(rig->pe, NULL, NULL);
	fake_ctx_finish_when_idle(rig->ctx, true);
	finish_one(rig);
}

/* After a sleep the bridge polls for the next progress, and does not sleep again. */
static void test_polls_after_a_sleep(void)
{
	struct batch batch;
	struct rig rig;

	begin_batch(&rig, &batch);
	fake_pe_before_arming(rig.pe, finish_first_and_continue, &rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, SPIN_NS, 8), 1);
	CHECK_EQ(fake_pe_num_requests(rig.pe), 1);
	end_batch(&rig, &batch);
}

/* While the device makes progress, the bridge neither sleeps nor returns. */
static void test_polls_before_the_first_sleep(void)
{
	struct batch batch;
	struct rig rig;

	begin_batch(&rig, &batch);
	fake_ctx_finish_when_idle(rig.ctx, true);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, LONG_NS, 8), 1);
	CHECK_EQ(fake_pe_num_requests(rig.pe), 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS), 0);
	end_batch(&rig, &batch);
}

/* dpubridge_poll polls until there is a record for the caller. */
static void test_poll(void)
{
	struct batch batch;
	struct rig rig;

	begin_batch(&rig, &batch);
	fake_ctx_finish_when_idle(rig.ctx, true);
	CHECK_EQ(dpubridge_poll(rig.bridge, 8, LONG_NS), 1);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS), 0);
	end_batch(&rig, &batch);
}

int main(void)
{
	test_sleeps_on();
	test_sleeps_on_within_bounds();
	test_quiet();
	test_polls_after_a_sleep();
	test_polls_before_the_first_sleep();
	test_poll();
	return 0;
}
