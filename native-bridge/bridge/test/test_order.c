/* Entries behind a held back entry are held back until the caller has read its record, and no longer. */
#include "producer_rig.h"

/* A hold stays over after 2^31 tasks, where 32-bit positions would be ambiguous: the test moves the positions. */
static void test_hold_of_long_ago(bool is_used_between)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	fake_submit_answers(rig.ctx, 0, 1, AGAIN);
	rig_put(&rig, 1, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, AGAIN);
	fake_ctx_finish_at_once(rig.ctx, true);
	if (is_used_between) {
		rig_put(&rig, 2, 10);
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	}
	rig.header->completion_tail += 0x80000000u;
	rig.header->completion_head += 0x80000000u;
	rig_put(&rig, 3, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 3, 0);
	rig_destroy(&rig);
}

/* The bridge remembers 64 ordering keys. Beyond these, it holds back entries of every key. */
static void test_more_orders_than_are_remembered(void)
{
	enum { REMEMBERED = 64, FREE = 100 };
	struct rig rig;
	uint32_t i;

	producer_create(&rig, 128, 256, 256);
	rig_start(&rig);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_submit_answers(rig.ctx, 0, REMEMBERED, AGAIN);
	for (i = 1; i <= REMEMBERED; i++)
		producer_send(&rig, i, i);
	/* No other key is held back so far. */
	producer_send(&rig, FREE, FREE);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), REMEMBERED + 1);
	fake_submit_answers(rig.ctx, 0, 1, AGAIN);
	producer_send(&rig, REMEMBERED + 1, REMEMBERED + 1);
	producer_send(&rig, REMEMBERED + 2, REMEMBERED + 1);
	producer_send(&rig, FREE + 1, FREE);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), REMEMBERED + 4);
	for (i = 1; i <= REMEMBERED; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, i, AGAIN);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, FREE, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, REMEMBERED + 1, AGAIN);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, REMEMBERED + 2, AGAIN);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, FREE + 1, AGAIN);
	/* All records are read: entries of every key are accepted again. */
	producer_send(&rig, REMEMBERED + 1, REMEMBERED + 1);
	producer_send(&rig, FREE + 1, FREE);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, REMEMBERED + 1, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, FREE + 1, 0);
	rig_destroy(&rig);
}

int main(void)
{
	test_hold_of_long_ago(false);
	test_hold_of_long_ago(true);
	test_more_orders_than_are_remembered();
	return 0;
}
