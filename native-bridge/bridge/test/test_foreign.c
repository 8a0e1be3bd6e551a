/* Callbacks on threads of the device are recorded with all results, wake the sleeper, and lose nothing. */
#include <pthread.h>
#include <stdatomic.h>

#include "bridge_test.h"

static void run_elsewhere(void *(*function)(void *), struct rig *rig)
{
	pthread_t thread;

	CHECK_EQ(pthread_create(&thread, NULL, function, rig), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
}

static void *finish_two(void *argument)
{
	struct rig *rig = argument;

	CHECK(fake_finish_here(rig->ctx, 1, 0, 77));
	CHECK(fake_finish_here(rig->ctx, 0, IO_FAILED, 0));
	return NULL;
}

static void test_results(void)
{
	struct rig rig;
	struct dpubridge_record record;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	run_elsewhere(finish_two, &rig);
	CHECK_EQ(rig_unread(&rig), 0);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 2);
	CHECK_EQ(dpubridge_wait(rig.bridge, 1000000000, 1000000000, 0, 0), 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	record = rig_take(&rig);
	CHECK_EQ(record.type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(record.user_data, 2);
	CHECK_EQ(record.produced, 77);
	CHECK_EQ(record.checksum0, 1077);
	CHECK_EQ(record.checksum1, 2077);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 1, IO_FAILED);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_FOREIGN), 2);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_COMPLETED), 2);
	CHECK_EQ(dpubridge_wait(rig.bridge, 0, 0, 0, 0), 0);
	rig_destroy(&rig);
}

static void *stop(void *argument)
{
	struct rig *rig = argument;

	CHECK(fake_finish_here(rig->ctx, 0, IO_FAILED, 0));
	fake_ctx_stop(rig->ctx);
	return NULL;
}

/* The device stops the context on its thread: only the owner frees tasks, and IDLE is the last record. */
static void test_stop(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	rig_put(&rig, 1, 10);
	rig_put(&rig, 2, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	run_elsewhere(stop, &rig);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 2);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 1, IO_FAILED);
	rig_expect_state(&rig, RUNNING, STOPPING);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 1);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 2, IO_FAILED);
	rig_expect_state(&rig, STOPPING, IDLE);
	CHECK_EQ(dpubridge_wait(rig.bridge, 0, 0, 0, 0), 0);
	rig_destroy(&rig);
}

/* A library reaches IDLE inside the last doca_task_free, while its STOPPING is being delivered. */
static void test_stop_with_idle_at_once(void)
{
	struct rig rig;
	int turns;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	fake_ctx_idle_at_once(rig.ctx, true);
	rig_put(&rig, 1, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	run_elsewhere(stop, &rig);
	for (turns = 0; rig_unread(&rig) < 3 && turns < 3; turns++)
		dpubridge_enter(rig.bridge, 8);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 1, IO_FAILED);
	rig_expect_state(&rig, RUNNING, STOPPING);
	rig_expect_state(&rig, STOPPING, IDLE);
	fake_ctx_idle_at_once(rig.ctx, false);
	rig_destroy(&rig);
}

/* A foreign thread finished the last task of a stopping context; the state after its delivery does not overtake STOPPING. */
static void test_idle_behind_stopping(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	fake_ctx_idle_at_once(rig.ctx, true);
	rig_put(&rig, 1, 10);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	dpubridge_context_drain(rig.bridge, rig.handle);
	run_elsewhere(stop, &rig);
	CHECK(dpubridge_enter(rig.bridge, 8) >= 2);
	dpubridge_enter(rig.bridge, 8);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 1, IO_FAILED);
	rig_expect_state(&rig, RUNNING, STOPPING);
	rig_expect_state(&rig, STOPPING, IDLE);
	fake_ctx_idle_at_once(rig.ctx, false);
	rig_destroy(&rig);
}

enum { TASKS = 20000, NUM_THREADS = 3 };
static _Atomic bool is_over;

static void *device(void *argument)
{
	struct rig *rig = argument;

	while (!atomic_load(&is_over))
		if (!fake_finish_here(rig->ctx, 0, 0, 1))
			sched_yield();
	return NULL;
}

/* Every record arrives exactly once while several threads and the engine finish tasks. */
static void test_stress(void)
{
	static uint8_t seen[TASKS];
	struct rig rig;
	pthread_t threads[NUM_THREADS];
	uint32_t put = 0, taken = 0, i;

	/* Tasks in flight need different destinations: each slot of a wide window has one. */
	static struct doca_buf sources[64], destinations[64];
	static uint8_t is_slot_used[64];

	rig_create(&rig, 32, 64, 32);
	rig_start(&rig);
	for (i = 0; i < NUM_THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, device, &rig), 0);
	while (taken < TASKS) {
		uint32_t slot;

		for (slot = 0; slot < 32 && put < TASKS; slot++) {
			struct dpubridge_entry *entry;

			if (is_slot_used[slot] || rig.header->submission_tail - rig.header->submission_head == 32)
				continue;
			is_slot_used[slot] = 1;
			entry = rig_put(&rig, (uint64_t)put++ << 8 | slot, 1);
			entry->src_buf = (uintptr_t)&sources[slot];
			entry->dst_buf = (uintptr_t)&destinations[slot];
		}
		if (dpubridge_enter(rig.bridge, 16) == 0) {
			/* In every second turn, finish a task on this thread. */
			if (put % 2 == 0 || !fake_finish_here(rig.ctx, 0, 0, 1))
				CHECK(dpubridge_wait(rig.bridge, 60000000000ull, 60000000000ull, 0, 0) > 0);
			continue;
		}
		while (rig_unread(&rig) > 0) {
			struct dpubridge_record record = rig_take(&rig);

			CHECK_EQ(record.type, DPUBRIDGE_RECORD_TASK_DONE);
			CHECK_EQ(record.produced, 1);
			CHECK_EQ(seen[record.user_data >> 8]++, 0);
			is_slot_used[record.user_data & 0xff] = 0;
			taken++;
		}
	}
	atomic_store(&is_over, true);
	for (i = 0; i < NUM_THREADS; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_COMPLETED), TASKS);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_SUBMITTED), TASKS);
	CHECK(rig_counter(&rig, DPUBRIDGE_COUNTER_FOREIGN) > 0);
	CHECK(fake_ctx_num_allocations(rig.ctx) <= 32);
	rig_destroy(&rig);
}

int main(void)
{
	test_results();
	test_stop();
	test_stop_with_idle_at_once();
	test_idle_behind_stopping();
	test_stress();
	return 0;
}
