/* Retry budget: refused entries wait with all entries of their key, hold up no other key, and cost one visit per entry. */
#include <time.h>

#include "producer_rig.h"

#define BUDGET_NS 3600000000000ull /* never used up in a test */

static void create(struct rig *rig, uint32_t capacity, uint32_t num_tasks, uint32_t num_waiting)
{
	producer_create(rig, capacity, 4 * capacity, num_tasks);
	CHECK_EQ(dpubridge_context_queue(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, num_waiting), 0);
	CHECK_EQ(dpubridge_context_retry_budget(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, BUDGET_NS), 0);
	rig_start(rig);
	fake_ctx_finish_at_once(rig->ctx, true);
}

static void test_keeps_each_order(void)
{
	struct rig rig;

	create(&rig, 8, 8, 8);
	fake_refuse_consumer(rig.ctx, 1);
	producer_send(&rig, 1, 1);
	producer_send(&rig, 2, 2);
	producer_send(&rig, 3, 1);
	producer_send(&rig, 4, 2);
	producer_send(&rig, 5, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 3);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 4, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 5, 0);
	fake_refuse_consumer(rig.ctx, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 3, 0);
	rig_destroy(&rig);
}

/* A pass that runs out of tasks keeps the order of the waiting entries. */
static void test_runs_out_of_tasks(void)
{
	struct rig rig;
	uint64_t i;

	create(&rig, 16, 2, 16);
	fake_submit_answers(rig.ctx, 0, 1000, AGAIN);
	producer_send(&rig, 0, 1);
	for (i = 1; i < 8; i++)
		producer_send(&rig, i, 2 + i % 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 0), 0);
	fake_submit_answers(rig.ctx, 0, 0, 0);
	fake_refuse_consumer(rig.ctx, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 7);
	for (i = 1; i < 8; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
	fake_refuse_consumer(rig.ctx, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 0, 0);
	rig_destroy(&rig);
}

/* An answer other than AGAIN concerns that entry only; the entries behind it proceed. */
static void test_refused_for_good(void)
{
	struct rig rig;

	create(&rig, 8, 8, 8);
	fake_refuse_consumer(rig.ctx, 1);
	producer_send(&rig, 1, 1);
	producer_send(&rig, 2, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 0), 0);
	fake_refuse_consumer(rig.ctx, 0);
	fake_submit_answers(rig.ctx, 0, 1, IO_FAILED);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, IO_FAILED);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	rig_destroy(&rig);
}

/* A key beyond the number of places is refused, with all entries behind. */
static void test_more_orders_than_are_waited_for(void)
{
	enum { WAITED_FOR = 32, ALL = WAITED_FOR + 2 };
	struct rig rig;
	uint32_t i;

	create(&rig, 128, 128, 128);
	fake_submit_answers(rig.ctx, 0, UINT32_MAX, AGAIN);
	for (i = 1; i <= ALL; i++)
		producer_send(&rig, i, i);
	for (i = 1; i <= ALL; i++)
		producer_send(&rig, 100 + i, i);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	for (i = 0; i < 4; i++) {
		struct dpubridge_record record = rig_take(&rig);

		CHECK_EQ(record.type, DPUBRIDGE_RECORD_REFUSED);
		CHECK_EQ(record.status, AGAIN);
		CHECK_EQ(record.user_data % 100, WAITED_FOR + 1 + i % 2);
	}
	fake_submit_answers(rig.ctx, 0, 0, 0);
	CHECK(dpubridge_enter(rig.bridge, 100) > 0);
	for (i = 0; i < 2 * WAITED_FOR; i++)
		CHECK_EQ(rig_take(&rig).type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(rig_unread(&rig), 0);
	rig_destroy(&rig);
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/*
 * One key is refused, and 32,767 entries of another key wait behind it: each is moved once. A bridge that moves all later
 * entries for each entry takes several seconds.
 */
static void test_costs_one_poll_per_entry(void)
{
	enum { ENTRIES = 32768 };
	struct rig rig;
	double began;
	uint32_t i;

	create(&rig, ENTRIES, ENTRIES, ENTRIES);
	fake_submit_answers(rig.ctx, 0, UINT32_MAX, AGAIN);
	producer_send(&rig, 0, 1);
	for (i = 1; i < ENTRIES; i++)
		producer_send(&rig, i, 2);
	began = cpu_seconds();
	CHECK_EQ(dpubridge_enter(rig.bridge, 0), 0);
	fake_submit_answers(rig.ctx, 0, 0, 0);
	fake_refuse_consumer(rig.ctx, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, ENTRIES), ENTRIES - 1);
	CHECK(cpu_seconds() - began < 2);
	CHECK_EQ(rig_take(&rig).user_data, 1);
	rig.header->completion_head = rig.header->completion_tail;
	fake_refuse_consumer(rig.ctx, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 0, 0);
	rig_destroy(&rig);
}

static void test_refusals(void)
{
	struct rig rig;

	producer_create(&rig, 8, 32, 8);
	CHECK_EQ(dpubridge_context_retry_budget(rig.bridge, rig.handle + 1, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, 1), NOT_FOUND);
	CHECK_EQ(dpubridge_context_retry_budget(rig.bridge, rig.handle, DPUBRIDGE_KIND_DMA_MEMCPY, 1), BAD_STATE);
	CHECK_EQ(dpubridge_context_retry_budget(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, 1), BAD_STATE);
	CHECK(strstr(dpubridge_error(), "may not wait") != NULL);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 1), 0);
	CHECK_EQ(dpubridge_context_retry_budget(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 1), NOT_SUPPORTED);
	rig_destroy(&rig);
}

/* The budget of a queue whose last refused entry was withdrawn can be removed; later enters do not access it. */
static void test_removed_after_a_withdrawal(void)
{
	struct rig rig;

	create(&rig, 8, 8, 8);
	fake_refuse_consumer(rig.ctx, 1);
	producer_send(&rig, 1, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_context_retry_budget(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, 0), IN_USE);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 1, IO_FAILED), 1);
	CHECK_EQ(dpubridge_context_retry_budget(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, 0), 0);
	producer_send(&rig, 2, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, AGAIN);
	rig_destroy(&rig);
}

int main(void)
{
	test_refusals();
	test_removed_after_a_withdrawal();
	test_keeps_each_order();
	test_runs_out_of_tasks();
	test_refused_for_good();
	test_more_orders_than_are_waited_for();
	test_costs_one_poll_per_entry();
	return 0;
}
