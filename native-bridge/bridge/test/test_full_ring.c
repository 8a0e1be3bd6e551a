/* An unread completion ring holds back entries and the device; no record is dropped. */
#include "bridge_test.h"

static void test_entries_wait(void)
{
	struct rig rig;
	uint64_t i;

	/* Room for tasks: 3/4 of 16. */
	rig_create(&rig, 8, 16, 64);
	rig_start(&rig);
	fake_ctx_finish_at_once(rig.ctx, true);
	for (i = 0; i < 8; i++)
		rig_put(&rig, i, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 8);
	for (; i < 16; i++)
		rig_put(&rig, i, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 12);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_STALLED), 1);
	CHECK_EQ(rig.header->submission_tail - rig.header->submission_head, 4);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 12);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_STALLED), 2);
	for (i = 0; i < 12; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 4);
	for (; i < 16; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_STALLED), 2);
	rig_destroy(&rig);
}

/* Tasks in flight have room, even when all other records are unread. */
static void test_outstanding_have_room(void)
{
	struct rig rig;
	uint64_t i;

	rig_create(&rig, 8, 16, 64);
	rig_start(&rig);
	for (i = 0; i < 8; i++)
		rig_put(&rig, i, 1);
	dpubridge_enter(rig.bridge, 100);
	for (; i < 16; i++)
		rig_put(&rig, i, 1);
	dpubridge_enter(rig.bridge, 100);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 12);
	for (i = 0; i < 12; i++)
		fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 12);
	for (i = 0; i < 12; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 0);
	for (i = 0; i < 4; i++)
		fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 4);
	for (i = 12; i < 16; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
	rig_destroy(&rig);
}

/* Far more state changes than the ring holds, unread: all arrive, in order. */
static void test_states_wait_in_overflow(void)
{
	enum { CHANGES = 300 };
	struct rig rig;
	uint32_t i, state = IDLE, seen = 0;

	rig_create(&rig, 2, 4, 4);
	for (i = 0; i < CHANGES; i++)
		fake_ctx_change(rig.ctx, (int)((i + 1) % 4));
	CHECK_EQ(rig_unread(&rig), 4);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 4);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_STALLED), 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000000, 1000000000, 0, 0), 1);
	while (rig_unread(&rig) > 0) {
		rig_expect_state(&rig, state, (state + 1) % 4);
		state = (state + 1) % 4;
		seen++;
		if (seen % 3 == 0)
			dpubridge_enter(rig.bridge, 100);
	}
	CHECK_EQ(seen, CHANGES);
	CHECK_EQ(dpubridge_wait(rig.bridge, 0, 0, 0, 0), 0);
	rig_destroy(&rig);
}

/* A later change that finds room does not overtake a waiting one. */
static void test_states_do_not_overtake(void)
{
	struct rig rig;
	int i;

	rig_create(&rig, 2, 4, 4);
	for (i = 0; i < 5; i++)
		fake_ctx_change(rig.ctx, i % 2 == 0 ? STARTING : RUNNING);
	CHECK_EQ(rig_unread(&rig), 4);
	rig.header->completion_head = rig.header->completion_tail;
	fake_ctx_change(rig.ctx, IDLE);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect_state(&rig, RUNNING, STARTING);
	rig_expect_state(&rig, STARTING, IDLE);
	rig_destroy(&rig);
}

/* A full ring prevents progress; the task's event is not lost. */
static void test_no_progress_when_full(void)
{
	struct rig rig;
	int i;

	rig_create(&rig, 2, 4, 4);
	rig_start(&rig);
	for (i = 0; i < 4; i++)
		fake_ctx_change(rig.ctx, i % 2 == 0 ? STARTING : RUNNING);
	dpubridge_enter(rig.bridge, 100);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_STALLED), 1);
	rig_put(&rig, 1, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 4);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_STALLED), 2);
	rig.header->completion_head = rig.header->completion_tail;
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_destroy(&rig);
}

int main(void)
{
	test_entries_wait();
	test_outstanding_have_room();
	test_states_wait_in_overflow();
	test_states_do_not_overtake();
	test_no_progress_when_full();
	return 0;
}
