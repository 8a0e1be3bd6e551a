/* Entries that cannot be submitted are answered with the error, leave nothing in flight, and keep the order after AGAIN. */
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
	/* Only AGAIN holds back later entries. */
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, IO_FAILED);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 2);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_destroy(&rig);
}

static void test_again_keeps_order(void)
{
	struct rig rig;
	struct doca_ctx *other;
	uint32_t other_handle;
	uint64_t i;

	rig_create(&rig, 8, 16, 8);
	other = rig_attach(&rig, 5, &other_handle);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, other_handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 8), 0);
	rig_start(&rig);
	/* One AGAIN only: DOCA would accept the later entries, which must not overtake. */
	fake_submit_answers(rig.ctx, 1, 1, AGAIN);
	for (i = 0; i < 4; i++)
		rig_put(&rig, i, 10);
	rig_put(&rig, 4, 10)->context = other_handle;
	rig_put(&rig, 5, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, AGAIN);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, AGAIN);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 3, AGAIN);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 5, AGAIN);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 1);
	CHECK_EQ(fake_ctx_num_submitted(other), 1);

	/* The next turn submits them again. */
	for (i = 1; i < 4; i++)
		rig_put(&rig, i, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 4);
	for (i = 0; i < 4; i++)
		fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	for (i = 0; i < 4; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
	fake_finish(other, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_take(&rig);

	dpubridge_context_drain(rig.bridge, other_handle);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, other_handle), 0);
	fake_ctx_destroy(other);
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
	test_again_keeps_order();
	test_impossible_positions();
	return 0;
}
