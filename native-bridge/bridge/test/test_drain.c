/* Kept tasks never block a stopping context, and a context in use cannot be detached, even if its events are late or lost. */
#include "bridge_test.h"

static void submit(struct rig *rig, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		rig_put(rig, i, 10);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 0);
}

static void finish(struct rig *rig, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		fake_finish(rig->ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), count);
	for (i = 0; i < count; i++)
		CHECK_EQ(rig_take(rig).type, DPUBRIDGE_RECORD_TASK_DONE);
}

static void test_drain(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	submit(&rig, 3);
	finish(&rig, 2);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 3);
	dpubridge_context_drain(rig.bridge, rig.handle);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 1);
	dpubridge_context_drain(rig.bridge, rig.handle);
	finish(&rig, 1);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 0);
	/* Still draining: a task is freed after one use. */
	submit(&rig, 1);
	finish(&rig, 1);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 0);
	rig_destroy(&rig);
}

static void test_stop_with_tasks_in_flight(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	submit(&rig, 2);
	dpubridge_context_drain(rig.bridge, rig.handle);
	fake_ctx_stop(rig.ctx);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect_state(&rig, RUNNING, STOPPING);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 3);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 0, IO_FAILED);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 1, IO_FAILED);
	rig_expect_state(&rig, STOPPING, IDLE);
	rig_destroy(&rig);
}

/* A failing device stops the context without a call of drain. */
static void test_stops_by_itself(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	submit(&rig, 3);
	finish(&rig, 1);
	fake_ctx_stop(rig.ctx);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 2);
	rig_expect_state(&rig, RUNNING, STOPPING);
	finish(&rig, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_take(&rig);
	rig_expect_state(&rig, STOPPING, IDLE);
	rig_destroy(&rig);
}

static void test_restart_keeps_tasks_again(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	dpubridge_context_drain(rig.bridge, rig.handle);
	fake_ctx_stop(rig.ctx);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect_state(&rig, RUNNING, STOPPING);
	rig_expect_state(&rig, STOPPING, IDLE);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 2), 0);
	rig_start(&rig);
	submit(&rig, 2);
	finish(&rig, 2);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 2);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 4), IN_USE);
	rig_destroy(&rig);
}

static void test_detach_in_use(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_destroy(rig.bridge), -1);
	rig_start(&rig);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), IN_USE);
	submit(&rig, 1);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), IN_USE);
	finish(&rig, 1);
	/* IDLE, but with a kept task. */
	fake_ctx_change(rig.ctx, IDLE);
	rig_expect_state(&rig, RUNNING, IDLE);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), IN_USE);
	dpubridge_context_drain(rig.bridge, rig.handle);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), 0);
	CHECK_EQ(dpubridge_destroy(rig.bridge), 0);
	fake_ctx_destroy(rig.ctx);
	fake_pe_destroy(rig.pe);
}

/* Without the event of IDLE, DOCA's state counts. */
static void test_detach_after_a_lost_event(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	rig_start(&rig);
	fake_ctx_enter(rig.ctx, STOPPING);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), IN_USE);
	fake_ctx_enter(rig.ctx, IDLE);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), 0);
	CHECK_EQ(dpubridge_destroy(rig.bridge), 0);
	fake_ctx_destroy(rig.ctx);
	fake_pe_destroy(rig.pe);
}

/* A late event of the start does not undo the drain of a stop. */
static void test_late_start(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	fake_ctx_enter(rig.ctx, RUNNING);
	submit(&rig, 2);
	dpubridge_context_drain(rig.bridge, rig.handle);
	fake_ctx_enter(rig.ctx, STOPPING);
	fake_ctx_report(rig.ctx, IDLE, RUNNING);
	rig_expect_state(&rig, IDLE, RUNNING);
	fake_finish(rig.ctx, 0, 0, 1);
	fake_finish(rig.ctx, 0, 0, 1);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 3);
	CHECK_EQ(rig_take(&rig).type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(rig_take(&rig).type, DPUBRIDGE_RECORD_TASK_DONE);
	rig_expect_state(&rig, STOPPING, IDLE);
	rig_destroy(&rig);
}

int main(void)
{
	test_drain();
	test_stop_with_tasks_in_flight();
	test_stops_by_itself();
	test_restart_keeps_tasks_again();
	test_detach_in_use();
	test_detach_after_a_lost_event();
	test_late_start();
	return 0;
}
