/*
 * Polling and sleeping: within time limits, ended by the device and by dpubridge_wake, one system call per burst, no lost event.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "bridge_test.h"

#define LONG_NS 60000000000ull

static _Atomic uint32_t num_writes;

/* Replaces libc's function, through which the bridge writes its eventfd, and counts the calls. */
int eventfd_write(int fd, eventfd_t value)
{
	atomic_fetch_add(&num_writes, 1);
	return write(fd, &value, sizeof(value)) == sizeof(value) ? 0 : -1;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static void test_time_out(void)
{
	struct rig rig;
	uint64_t start_ns;

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_wait(rig.bridge, 0, 0, 0, 0), 0);
	start_ns = now_ns();
	CHECK_EQ(dpubridge_wait(rig.bridge, 3000000, 3000000, 0, 0), 0);
	CHECK(now_ns() - start_ns >= 3000000);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS), 2);
	CHECK_EQ(fake_pe_num_requests(rig.pe), 2);
	CHECK_EQ(fake_pe_num_clears(rig.pe), 2);
	rig_destroy(&rig);
}

static void test_wake(void)
{
	struct rig rig;
	uint32_t i;

	rig_create(&rig, 8, 16, 4);
	atomic_store(&num_writes, 0);
	for (i = 0; i < 1000; i++)
		dpubridge_wake(rig.bridge);
	/* No thread sleeps: no system call. The wake-ups came before: the next wait returns at once, and only that one. */
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 2);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS), 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000, 1000000, 0, 0), 0);
	dpubridge_wake(rig.bridge);
	CHECK_EQ(atomic_load(&num_writes), 0);
	/* A turn of the engine does not consume the wake-up. */
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 2);
	rig_destroy(&rig);
}

static void test_device(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	dpubridge_enter(rig.bridge, 8);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	/* An unread record prevents sleeping. */
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 1);
	rig_take(&rig);
	dpubridge_wake(rig.bridge);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 2);
	CHECK_EQ(dpubridge_wait(rig.bridge, 0, 0, 0, 0), 0);
	fake_finish(rig.ctx, 0, 0, 1);
	dpubridge_enter(rig.bridge, 8);
	dpubridge_wake(rig.bridge);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 3);
	rig_take(&rig);
	rig_destroy(&rig);
}

static void finish_first(void *argument)
{
	struct rig *rig = argument;

	fake_pe_before_arming(rig->pe, NULL, NULL);
	fake_finish(rig->ctx, 0, 0, 1);
}

static void finish_first_and_wake(void *argument)
{
	struct rig *rig = argument;

	finish_first(rig);
	dpubridge_wake(rig->bridge);
}

static void wake(void *argument)
{
	struct rig *rig = argument;

	fake_pe_before_arming(rig->pe, NULL, NULL);
	dpubridge_wake(rig->bridge);
}

static void change_state(void *argument)
{
	struct rig *rig = argument;

	fake_pe_before_arming(rig->pe, NULL, NULL);
	fake_ctx_change(rig->ctx, RUNNING);
}

/* An event between the last empty progress and the arming wakes the sleeper. */
static void test_arming(void)
{
	struct rig rig;
	uint64_t waits;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	dpubridge_enter(rig.bridge, 8);
	fake_pe_before_arming(rig.pe, finish_first, &rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_take(&rig);
	fake_pe_before_arming(rig.pe, wake, &rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 2);
	fake_pe_before_arming(rig.pe, finish_first_and_wake, &rig);
	CHECK(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0) >= 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_take(&rig);
	/* A library calls back while it is armed: the record is there, and no event follows. */
	waits = rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS);
	fake_pe_before_arming(rig.pe, change_state, &rig);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, 0, 0), 1);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_WAITS), waits);
	rig_expect_state(&rig, RUNNING, RUNNING);
	rig_destroy(&rig);
}

static void *wake_soon(void *argument)
{
	struct rig *rig = argument;

	dpubridge_wake(rig->bridge);
	return NULL;
}

/* Each time limit applies to polling too, and a wake-up ends polling. */
static void test_polls_within_bounds(void)
{
	struct rig rig;
	pthread_t thread;
	uint64_t start_ns = now_ns();

	rig_create(&rig, 8, 16, 4);
	atomic_store(&num_writes, 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, 2000000, LONG_NS, LONG_NS, 8), 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, 2000000, LONG_NS, 8), 0);
	CHECK(now_ns() - start_ns >= 4000000);
	CHECK_EQ(dpubridge_wait(rig.bridge, 0, LONG_NS, LONG_NS, 8), 0);
	CHECK_EQ(pthread_create(&thread, NULL, wake_soon, &rig), 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, LONG_NS, 8), 2);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_EQ(atomic_load(&num_writes), 0);
	rig_destroy(&rig);
}

/* dpubridge_poll polls until its time limit or a wake-up. */
static void test_poll(void)
{
	struct rig rig;
	pthread_t thread;
	uint64_t start_ns = now_ns();

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_poll(rig.bridge, 8, 2000000), 0);
	CHECK(now_ns() - start_ns >= 2000000);
	CHECK_EQ(pthread_create(&thread, NULL, wake_soon, &rig), 0);
	CHECK_EQ(dpubridge_poll(rig.bridge, 8, LONG_NS), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_EQ(dpubridge_wait(rig.bridge, 0, 0, 0, 8), 0);
	CHECK_EQ(dpubridge_poll(rig.bridge, 0, LONG_NS), 0);
	rig_destroy(&rig);
}

enum { MESSAGES = 20000 };
static _Atomic uint32_t num_sent;

static void *sender(void *argument)
{
	struct rig *rig = argument;
	uint32_t i;

	for (i = 0; i < MESSAGES; i++) {
		atomic_fetch_add(&num_sent, 1);
		dpubridge_wake(rig->bridge);
	}
	return NULL;
}

/* A wake-up after a message is never lost: the engine, polling or asleep, receives all messages without reaching a time limit. */
static void stress(uint64_t spin_ns)
{
	struct rig rig;
	pthread_t threads[2];
	uint32_t i, num_waits = 0;

	rig_create(&rig, 8, 16, 4);
	atomic_store(&num_writes, 0);
	atomic_store(&num_sent, 0);
	for (i = 0; i < 2; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, sender, &rig), 0);
	for (; atomic_load(&num_sent) < 2 * MESSAGES; num_waits++)
		CHECK_EQ(dpubridge_wait(rig.bridge, LONG_NS, LONG_NS, spin_ns, 8), 2);
	for (i = 0; i < 2; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	CHECK(atomic_load(&num_writes) <= num_waits);
	rig_destroy(&rig);
}

static void test_stress(void)
{
	stress(0);
	stress(1000);
	stress(LONG_NS);
}

int main(void)
{
	test_time_out();
	test_wake();
	test_device();
	test_arming();
	test_polls_within_bounds();
	test_poll();
	test_stress();
	return 0;
}
