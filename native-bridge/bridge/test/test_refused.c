/* Entries that cannot be submitted are answered with the error, and leave nothing in flight. */
#include "bridge_test.h"

static void test_reasons(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	rig_put(&rig, 1, 10)->context = rig.handle + 1;
	rig_put(&rig, 2, 10)->kind = DPUBRIDGE_KIND_COUNT;
	rig_put(&rig, 3, 10)->kind = DPUBRIDGE_KIND_DMA_MEMCPY;
	rig_put(&rig, 4, 10)->src_buf = 0;
	rig_put(&rig, 5, 10)->dst_buf = 0;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 5);
	CHECK_EQ(rig_take(&rig).status, NOT_FOUND);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, INVALID_VALUE);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 3, BAD_STATE);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 4, INVALID_VALUE);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 5, INVALID_VALUE);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_REFUSED), 5);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_SUBMITTED), 0);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 0);
	rig_destroy(&rig);
}

static void test_more_than_num_tasks(void)
{
	struct rig rig;
	uint64_t i;

	rig_create(&rig, 8, 16, 2);
	rig_start(&rig);
	for (i = 0; i < 3; i++)
		rig_put(&rig, i, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, NO_MEMORY);
	fake_finish(rig.ctx, 1, 0, 1);
	dpubridge_enter(rig.bridge, 8);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_put(&rig, 7, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_destroy(&rig);
}

static void test_submit_fails(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	fake_submit_answers(rig.ctx, 1, 1, IO_FAILED);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	rig_put(&rig, 3, 10);
	/* Later entries follow: this error concerns one entry only. */
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, IO_FAILED);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 2);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_destroy(&rig);
}

static void test_impossible_positions(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig.header->submission_tail = 9;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), UINT32_MAX);
	CHECK(strstr(dpubridge_error(), "submission tail") != NULL);
	rig.header->submission_tail = 0;
	rig.header->completion_head = 1;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), UINT32_MAX);
	CHECK(strstr(dpubridge_error(), "completion head") != NULL);
	rig.header->completion_head = 0;
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_ENTERS), 0);
	rig_destroy(&rig);
}

int main(void)
{
	test_reasons();
	test_more_than_num_tasks();
	test_submit_fails();
	test_impossible_positions();
	return 0;
}
