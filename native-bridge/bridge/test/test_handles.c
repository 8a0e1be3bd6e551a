/* A handle names one attachment: a later attachment in the same slot has another handle. */
#include "bridge_test.h"

static void test_late_use(void)
{
	struct rig rig;
	struct doca_ctx *ctx;
	uint32_t handle, next_handle;

	rig_create(&rig, 8, 16, 4);
	ctx = rig_attach(&rig, 1, &handle);
	CHECK(handle != rig.handle);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, handle), 0);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, handle), NOT_FOUND);
	CHECK_EQ(dpubridge_context_attach(rig.bridge, ctx, ctx, 2, &next_handle), 0);
	CHECK(next_handle != handle);
	CHECK_EQ(next_handle & 0xffff, handle & 0xffff);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, next_handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 4), 0);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 4), NOT_FOUND);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, handle), 0);
	dpubridge_context_drain(rig.bridge, handle);

	rig_put(&rig, 1, 10)->context = handle;
	rig_put(&rig, 2, 10)->context = 0;
	rig_put(&rig, 3, 10)->context = UINT32_MAX;
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 3);
	CHECK_EQ(rig_take(&rig).status, NOT_FOUND);
	CHECK_EQ(rig_take(&rig).status, NOT_FOUND);
	CHECK_EQ(rig_take(&rig).status, NOT_FOUND);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, next_handle), 0);
	fake_ctx_destroy(ctx);
	rig_destroy(&rig);
}

/* Generations wrap past 16 bits and never make a handle 0. */
static void test_generations_wrap(void)
{
	struct rig rig;
	struct doca_ctx *ctx;
	uint32_t handle, previous = 0, i;

	rig_create(&rig, 8, 16, 4);
	ctx = rig_attach(&rig, 1, &handle);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, handle), 0);
	for (i = 0; i < 70000; i++) {
		CHECK_EQ(dpubridge_context_attach(rig.bridge, ctx, ctx, 1, &handle), 0);
		CHECK(handle >> 16 != 0);
		CHECK(handle != previous);
		previous = handle;
		CHECK_EQ(dpubridge_context_detach(rig.bridge, handle), 0);
	}
	fake_ctx_destroy(ctx);
	rig_destroy(&rig);
}

static void test_many_contexts(void)
{
	enum { MANY = 100 };
	struct rig rig;
	struct doca_ctx *contexts[MANY];
	uint32_t handles[MANY], i;

	rig_create(&rig, 8, 256, 4);
	for (i = 0; i < MANY; i++)
		contexts[i] = rig_attach(&rig, 1000 + i, &handles[i]);
	CHECK_EQ(dpubridge_destroy(rig.bridge), -1);
	CHECK(strstr(dpubridge_error(), "101") != NULL);
	for (i = 0; i < MANY; i++)
		fake_ctx_change(contexts[i], IDLE);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), MANY);
	for (i = 0; i < MANY; i++) {
		struct dpubridge_record record = rig_take(&rig);

		CHECK_EQ(record.context, handles[i]);
		CHECK_EQ(record.user_data, 1000 + i);
		CHECK_EQ(dpubridge_context_detach(rig.bridge, handles[i]), 0);
		fake_ctx_destroy(contexts[i]);
	}
	rig_destroy(&rig);
}

static void test_arguments(void)
{
	struct rig rig;
	uint32_t handle;

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_context_attach(rig.bridge, NULL, rig.ctx, 1, &handle), INVALID_VALUE);
	CHECK_EQ(dpubridge_context_attach(rig.bridge, rig.ctx, NULL, 1, &handle), INVALID_VALUE);
	CHECK_EQ(dpubridge_context_attach(rig.bridge, rig.ctx, rig.ctx, 1, NULL), INVALID_VALUE);
	rig_destroy(&rig);
}

int main(void)
{
	test_late_use();
	test_generations_wrap();
	test_many_contexts();
	test_arguments();
	return 0;
}
