/* A call on a foreign thread fails with an error that names both threads, and changes nothing. */
#include <pthread.h>

#include "bridge_test.h"

static void expect_both_names(const char *function)
{
	CHECK(strstr(dpubridge_error(), function) != NULL);
	CHECK(strstr(dpubridge_error(), "'the-engine'") != NULL);
	CHECK(strstr(dpubridge_error(), "'a-foreign-one'") != NULL);
}

static void *foreign_thread(void *argument)
{
	struct rig *rig = argument;
	uint32_t handle = 0;

	pthread_setname_np(pthread_self(), "a-foreign-one");
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), UINT32_MAX);
	expect_both_names("dpubridge_enter");
	CHECK_EQ(dpubridge_wait(rig->bridge, 0, 0, 0, 0), -1);
	expect_both_names("dpubridge_wait");
	CHECK_EQ(dpubridge_destroy(rig->bridge), -1);
	expect_both_names("dpubridge_destroy");
	CHECK_EQ(dpubridge_context_attach(rig->bridge, rig->ctx, rig->ctx, 1, &handle), NOT_PERMITTED);
	expect_both_names("dpubridge_context_attach");
	CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, 0, 1), NOT_PERMITTED);
	expect_both_names("dpubridge_context_configure");
	CHECK_EQ(dpubridge_context_detach(rig->bridge, rig->handle), NOT_PERMITTED);
	expect_both_names("dpubridge_context_detach");
	CHECK_EQ(dpubridge_context_inflight(rig->bridge, rig->handle), UINT32_MAX);
	expect_both_names("dpubridge_context_inflight");
	dpubridge_context_drain(rig->bridge, rig->handle);
	expect_both_names("dpubridge_context_drain");
	CHECK_EQ(dpubridge_poll(rig->bridge, 8, 1), UINT32_MAX);
	expect_both_names("dpubridge_enter");
	CHECK_EQ(dpubridge_retry_ns(rig->bridge), 0);
	expect_both_names("dpubridge_retry_ns");
	CHECK_EQ(dpubridge_context_withdraw(rig->bridge, rig->handle, 1, IO_FAILED), 0);
	expect_both_names("dpubridge_context_withdraw");
	CHECK_EQ(dpubridge_context_reclaim(rig->bridge, rig->handle, 1), 0);
	expect_both_names("dpubridge_context_reclaim");
	CHECK(dpubridge_connection_pointer(rig->bridge, 1) == NULL);
	expect_both_names("dpubridge_connection_pointer");
	/* Errors are per thread: this thread's error does not appear on the engine. */
	return NULL;
}

int main(void)
{
	struct rig rig;
	pthread_t thread;

	pthread_setname_np(pthread_self(), "the-engine");
	rig_create(&rig, 8, 16, 4);
	rig_put(&rig, 1, 10);
	CHECK_EQ(pthread_create(&thread, NULL, foreign_thread, &rig), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK(strstr(dpubridge_error(), "a-foreign-one") == NULL);
	CHECK_EQ(rig_counter(&rig, DPUBRIDGE_COUNTER_ENTERS), 0);
	CHECK_EQ(rig.header->submission_head, 0);

	rig_start(&rig);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_destroy(&rig);
	return 0;
}
