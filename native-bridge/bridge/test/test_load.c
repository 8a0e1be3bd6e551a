/* Libraries are resolved at run time; errors name missing functions, and a kind that a library lacks is NOT_SUPPORTED. */
#include "bridge_test.h"

static void test_nothing_loaded(void)
{
	struct doca_pe *pe = fake_pe_create();

	CHECK(dpubridge_create(pe, 8, 16, 0, 0) == NULL);
	CHECK(strstr(dpubridge_error(), "dpubridge_load") != NULL);
	fake_pe_destroy(pe);
}

static void test_refused(void)
{
	CHECK_EQ(dpubridge_load(NULL), -1);
	CHECK_EQ(dpubridge_load("libno-such-doca.so.2"), -1);
	CHECK(strstr(dpubridge_error(), "libno-such-doca.so.2") != NULL);
	CHECK_EQ(dpubridge_load("libm.so.6"), -1);
	CHECK(strstr(dpubridge_error(), "libm.so.6") != NULL);
}

static void test_kinds(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_load(FAKE_DOCA), 0);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DECOMPRESS_DEFLATE, 4), 0);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM, 4), 0);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DMA_MEMCPY, 4), 0);
	/* The fake has no decompress_lz4_block. */
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DECOMPRESS_LZ4_BLOCK, 4), NOT_SUPPORTED);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_COUNT, 4), INVALID_VALUE);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_DMA_MEMCPY, 0), INVALID_VALUE);
	rig_destroy(&rig);
}

static void test_not_while_a_bridge_exists(void)
{
	struct rig rig;

	rig_create(&rig, 8, 16, 4);
	CHECK_EQ(dpubridge_load("libm.so.6"), -1);
	CHECK(strstr(dpubridge_error(), "a bridge exists") != NULL);
	rig_destroy(&rig);
}

int main(void)
{
	CHECK_EQ(dpubridge_absent(), NOT_SUPPORTED);
	test_nothing_loaded();
	test_refused();
	CHECK_EQ(dpubridge_load(FAKE_DOCA), 0);
	CHECK_EQ(dpubridge_load(FAKE_DOCA), 0);
	test_kinds();
	test_not_while_a_bridge_exists();
	return 0;
}
