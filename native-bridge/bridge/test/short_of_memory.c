/*
 * State changes of a foreign thread without memory are merged while the owner delivers. No final state is lost, and each record
 * begins with the state in which the previous one ended. This program includes the bridge, with a malloc that fails on demand, so
 * that the thread sanitizer checks both.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bridge_test.h"

enum { CYCLES = 5000 };

void *short_malloc(size_t size);

static _Atomic bool is_short, is_over;

void *short_malloc(size_t size)
{
	return atomic_load_explicit(&is_short, memory_order_relaxed) ? NULL : malloc(size);
}

static void *change_states(void *argument)
{
	struct rig *rig = argument;

	for (int i = 0; i < CYCLES; i++) {
		fake_ctx_change(rig->ctx, STARTING);
		fake_ctx_change(rig->ctx, RUNNING);
		fake_ctx_change(rig->ctx, STOPPING);
		fake_ctx_change(rig->ctx, IDLE);
	}
	fake_ctx_change(rig->ctx, RUNNING);
	atomic_store(&is_over, true);
	return NULL;
}

/* Takes all records; returns the last state. */
static uint32_t take_states(struct rig *rig, uint32_t state)
{
	CHECK(dpubridge_enter(rig->bridge, 8) != UINT32_MAX);
	while (rig_unread(rig) > 0) {
		struct dpubridge_record record = rig_take(rig);

		CHECK_EQ(record.type, DPUBRIDGE_RECORD_CONTEXT_STATE);
		CHECK_EQ(record.states >> 16, state);
		state = record.states & 0xffff;
	}
	return state;
}

int main(void)
{
	uint32_t state = IDLE;
	struct rig rig;
	pthread_t thread;

	rig_create(&rig, 8, 16, 4);
	atomic_store(&is_short, true);
	CHECK_EQ(pthread_create(&thread, NULL, change_states, &rig), 0);
	while (!atomic_load(&is_over)) {
		state = take_states(&rig, state);
		sched_yield();
	}
	CHECK_EQ(pthread_join(thread, NULL), 0);
	atomic_store(&is_short, false);
	state = take_states(&rig, state);
	CHECK_EQ(state, RUNNING);
	rig_destroy(&rig);
	return 0;
}
