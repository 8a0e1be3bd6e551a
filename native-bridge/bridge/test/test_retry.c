/*
 * Retry of refused entries: they wait in order with all entries of their key, hold up no other key, and cost one visit per entry.
 * Each enter, each completion and the sleep submit them again. The sleep does not spin for long.
 */
#include <sys/resource.h>
#include <time.h>

#include "producer_rig.h"

#define LONG_NS 60000000000ull
enum { STEP_NS = 20000 };

/* Replaces libc's function in the bridge: the clock advances with each call, so that a slow machine changes nothing. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	static long num_calls;
	long ns = ++num_calls * STEP_NS;

	(void)id;
	*now = (struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	return 0;
}

static void create_deflate(struct rig *rig, uint32_t num_tasks)
{
	rig_create(rig, 8, 32, num_tasks);
	rig_start(rig);
}

static void create_producer(struct rig *rig, uint32_t capacity, uint32_t num_tasks, uint32_t num_waiting)
{
	producer_create(rig, capacity, 4 * capacity, num_tasks);
	CHECK_EQ(dpubridge_context_queue(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, num_waiting), 0);
	rig_start(rig);
	fake_ctx_finish_at_once(rig->ctx, true);
}

/* The entries 1 to last, all of key 1, wait for the consumer that refuses them. */
static void create_refused(struct rig *rig, uint64_t last)
{
	uint64_t i;

	create_producer(rig, 8, 8, 8);
	fake_refuse_consumer(rig->ctx, 1);
	for (i = 1; i <= last; i++)
		producer_send(rig, i, 1);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 0);
}

static void expect_done(struct rig *rig, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		rig_expect(rig, DPUBRIDGE_RECORD_TASK_DONE, from, 0);
}

/* Without tasks in flight, each enter submits the refused entry again, and no later entry overtakes it. */
static void test_each_enter(void)
{
	struct rig rig;
	uint32_t i;

	create_deflate(&rig, 4);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_submit_answers(rig.ctx, 0, 2, AGAIN);
	for (i = 0; i < 4; i++)
		rig_put(&rig, i, 10);
	/* Submitted when taken, and at the end of the same enter. */
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK(dpubridge_retry_ns(rig.bridge) > 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	expect_done(&rig, 0, 4);
	CHECK_EQ(dpubridge_retry_ns(rig.bridge), 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_REFUSED), 0);
	rig_destroy(&rig);
}

/* With tasks in flight, a full device receives the task again only when one of them completes. */
static void test_each_completion(void)
{
	struct rig rig;

	create_deflate(&rig, 4);
	fake_submit_answers(rig.ctx, 2, 1, AGAIN);
	rig_put(&rig, 0, 10);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_retry_ns(rig.bridge), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 0, 1);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	/* The last completion leaves no event that could submit it again: the next enters do. */
	fake_submit_answers(rig.ctx, 0, 3, AGAIN);
	rig_put(&rig, 3, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	expect_done(&rig, 1, 3);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 3, 4);
	rig_destroy(&rig);
}

/* A task in flight that may last, because it waits for a value, does not hold up the refused entry behind it. */
static void test_task_that_lasts(void)
{
	struct rig rig;
	uint64_t i;

	rig_create(&rig, 8, 32, 1);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_EVENT_WAIT_EQUAL, 2), 0);
	rig_start(&rig);
	fake_submit_answers(rig.ctx, 1, 3, AGAIN);
	for (i = 1; i <= 2; i++)
		rig_put(&rig, i, 0)->kind = DPUBRIDGE_KIND_EVENT_WAIT_EQUAL;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 1);
	CHECK(dpubridge_retry_ns(rig.bridge) > 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, 2000000, 2000000, 0, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	CHECK_EQ(dpubridge_retry_ns(rig.bridge), 0);
	fake_finish(rig.ctx, 0, 0, 0);
	fake_finish(rig.ctx, 0, 0, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	expect_done(&rig, 1, 3);
	rig_destroy(&rig);
}

/* Entries of other contexts, and of other kinds of the context, continue. */
static void test_separate_contexts(void)
{
	struct rig rig;
	struct doca_ctx *other;
	uint32_t handle;

	create_deflate(&rig, 4);
	other = rig_attach(&rig, 5, &handle);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 8), 0);
	fake_ctx_finish_at_once(other, true);
	fake_submit_answers(rig.ctx, 0, 1000, AGAIN);
	rig_put(&rig, 0, 10);
	rig_put(&rig, 1, 10)->context = handle;
	rig_put(&rig, 2, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	CHECK_EQ(rig_take(&rig).user_data, 1);
	fake_submit_answers(rig.ctx, 0, 0, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 2);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	dpubridge_context_drain(rig.bridge, handle);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, handle), 0);
	fake_ctx_destroy(other);
	rig_destroy(&rig);
}

/* Refused entries count as if they were in flight. */
static void test_bounded(void)
{
	struct rig rig;
	uint32_t i;

	create_deflate(&rig, 4);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_submit_answers(rig.ctx, 0, 1000, AGAIN);
	for (i = 0; i < 5; i++)
		rig_put(&rig, i, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 4, NO_MEMORY);
	fake_submit_answers(rig.ctx, 0, 0, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	expect_done(&rig, 0, 4);
	rig_destroy(&rig);
}

static void test_keeps_each_order(void)
{
	struct rig rig;

	create_producer(&rig, 8, 8, 8);
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

/* A retry that runs out of tasks keeps the order of the waiting entries. */
static void test_runs_out_of_tasks(void)
{
	struct rig rig;
	uint64_t i;

	create_producer(&rig, 16, 2, 16);
	fake_submit_answers(rig.ctx, 0, 1000, AGAIN);
	producer_send(&rig, 0, 1);
	for (i = 1; i < 8; i++)
		producer_send(&rig, i, 2 + i % 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 0), 0);
	fake_submit_answers(rig.ctx, 0, 0, 0);
	fake_refuse_consumer(rig.ctx, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 100), 7);
	expect_done(&rig, 1, 8);
	fake_refuse_consumer(rig.ctx, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 0, 1);
	rig_destroy(&rig);
}

/* An answer other than AGAIN concerns that entry only; the entries behind it proceed. */
static void test_refused_for_good(void)
{
	struct rig rig;

	create_refused(&rig, 2);
	fake_refuse_consumer(rig.ctx, 0);
	fake_submit_answers(rig.ctx, 0, 1, IO_FAILED);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, IO_FAILED);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	rig_destroy(&rig);
}

static double cpu_seconds(void)
{
	struct rusage usage;

	CHECK_EQ(getrusage(RUSAGE_SELF, &usage), 0);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

/*
 * One key is refused, and 32,767 entries of another key wait behind it: each is moved once. A bridge that moves all later
 * entries for each entry takes several seconds.
 */
static void test_costs_one_visit_per_entry(void)
{
	enum { ENTRIES = 32768 };
	struct rig rig;
	double began;
	uint32_t i;

	create_producer(&rig, ENTRIES, ENTRIES, ENTRIES);
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
	expect_done(&rig, 0, 1);
	rig_destroy(&rig);
}

/* The entry behind a withdrawn refused one is the next to be submitted. */
static void test_withdraw(void)
{
	struct rig rig;

	create_refused(&rig, 2);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 1, IO_FAILED), 1);
	fake_refuse_consumer(rig.ctx, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 2, 3);
	rig_destroy(&rig);
}

/* A queue whose only refused entry was withdrawn can be configured; later enters do not access the old places. */
static void test_configured_after_a_withdrawal(void)
{
	struct rig rig;

	create_refused(&rig, 1);
	CHECK_EQ(dpubridge_context_queue(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, 1), IN_USE);
	CHECK_EQ(dpubridge_context_withdraw(rig.bridge, rig.handle, 1, IO_FAILED), 1);
	dpubridge_context_drain(rig.bridge, rig.handle);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, 4), 0);
	CHECK_EQ(dpubridge_retry_ns(rig.bridge), 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	rig_destroy(&rig);
}

/* Only an entry behind another one of its key can be reclaimed, the youngest first, and entered again in order. */
static void test_reclaim(void)
{
	struct rig rig;

	create_refused(&rig, 3);
	CHECK_EQ(dpubridge_context_reclaim(rig.bridge, rig.handle, 4), 0);
	CHECK_EQ(dpubridge_context_reclaim(rig.bridge, rig.handle + 1, 3), 0);
	CHECK_EQ(dpubridge_context_reclaim(rig.bridge, rig.handle, 3), 1);
	CHECK_EQ(dpubridge_context_reclaim(rig.bridge, rig.handle, 2), 1);
	CHECK_EQ(dpubridge_context_reclaim(rig.bridge, rig.handle, 1), 0);
	fake_refuse_consumer(rig.ctx, 0);
	producer_send(&rig, 2, 1);
	producer_send(&rig, 3, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 3);
	expect_done(&rig, 1, 4);
	rig_destroy(&rig);
}

/* A draining context answers refused entries, and needs no retry any more. */
static void test_drain(void)
{
	struct rig rig;

	create_refused(&rig, 2);
	dpubridge_context_drain(rig.bridge, rig.handle);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, BAD_STATE);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 2, BAD_STATE);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_retry_ns(rig.bridge), 0);
	/* The bridge keeps no further entry, which would never go. */
	producer_send(&rig, 3, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 3, AGAIN);
	rig_destroy(&rig);
}

/* Without an enter, the wait submits a refused entry until DOCA accepts it. */
static void test_wait_retries(void)
{
	struct rig rig;

	create_deflate(&rig, 4);
	fake_ctx_finish_at_once(rig.ctx, true);
	fake_submit_answers(rig.ctx, 0, 3, AGAIN);
	rig_put(&rig, 1, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 8), 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 1, 2);
	rig_destroy(&rig);
}

/* A peer that does not post for long costs little: after the prompt retries, each wait sleeps, and less often later. */
static void test_wait_does_not_spin(void)
{
	struct rig rig;
	uint64_t first_ns;
	uint32_t i;

	create_refused(&rig, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 8), 0);
	first_ns = dpubridge_retry_ns(rig.bridge);
	for (i = 0; i < 3; i++) {
		uint64_t before = rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS);

		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
		CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 8), 0);
		CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS), before + 1);
	}
	for (i = 0; i < 2000; i++)
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK(dpubridge_retry_ns(rig.bridge) > first_ns);
	/* A new refusal is urgent again. */
	fake_refuse_consumer(rig.ctx, 2);
	producer_send(&rig, 2, 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	expect_done(&rig, 1, 2);
	CHECK_EQ(dpubridge_retry_ns(rig.bridge), (long long)first_ns);
	rig_destroy(&rig);
}

int main(void)
{
	test_each_enter();
	test_each_completion();
	test_task_that_lasts();
	test_separate_contexts();
	test_bounded();
	test_keeps_each_order();
	test_runs_out_of_tasks();
	test_refused_for_good();
	test_costs_one_visit_per_entry();
	test_withdraw();
	test_configured_after_a_withdrawal();
	test_reclaim();
	test_drain();
	test_wait_retries();
	test_wait_does_not_spin();
	return 0;
}
