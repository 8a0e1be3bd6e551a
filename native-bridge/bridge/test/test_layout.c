/* The library reports the layout that the header draws, in memory of the reported size. */
#include "bridge_test.h"

static void test_values(void)
{
	static const uint32_t drawn[] = { 5,  4096, 64, 128, 192, 256, 320, 64, 0,  8,  12, 14, 16,  24,  32, 40, 48, 56,
					  64, 0,    8,  12,  14,  16,  20,  24, 32, 36, 13, 32, 384, 448, 12, 16, 64,
					  0,    4,    8,  12,  16,  20,  16, 0, 8,  12, 0x8000, DPUBRIDGE_KIND_COUNT };
	uint32_t values[DPUBRIDGE_LAYOUT_COUNT + 1], i;

	CHECK_EQ(sizeof(drawn) / sizeof(drawn[0]), DPUBRIDGE_LAYOUT_COUNT);
	memset(values, 0xff, sizeof(values));
	CHECK_EQ(dpubridge_layout(values, DPUBRIDGE_LAYOUT_COUNT + 1), DPUBRIDGE_LAYOUT_COUNT);
	for (i = 0; i < DPUBRIDGE_LAYOUT_COUNT; i++)
		CHECK_EQ(values[i], drawn[i]);
	CHECK_EQ(values[DPUBRIDGE_LAYOUT_COUNT], UINT32_MAX);
}

static void test_short_array(void)
{
	uint32_t values[3] = { 7, 7, 7 };

	CHECK_EQ(dpubridge_layout(values, 2), DPUBRIDGE_LAYOUT_COUNT);
	CHECK_EQ(values[2], 7);
	CHECK_EQ(dpubridge_layout(NULL, 0), DPUBRIDGE_LAYOUT_COUNT);
}

static void test_memory(void)
{
	struct rig rig;

	rig_create(&rig, 8, 32, 4);
	CHECK_EQ(rig.header->layout_version, DPUBRIDGE_LAYOUT_VERSION);
	CHECK_EQ(rig.header->submission_capacity, 8);
	CHECK_EQ(rig.header->completion_capacity, 32);
	CHECK_EQ(rig.header->submission_tail, 0);
	CHECK_EQ(rig.header->completion_tail, 0);
	CHECK_EQ(rig.header->message_cells, 0);
	CHECK_EQ(rig.header->message_bytes, 0);
	CHECK_EQ(dpubridge_memory_bytes(rig.bridge), 4096 + 8 * 64 + 32 * 64);
	CHECK_EQ((uintptr_t)rig.header % 4096, 0);
	rig_destroy(&rig);
}

static void test_cells(void)
{
	static const uint32_t refused[][2] = { { 3, 64 }, { 131072, 64 }, { 4, 0 }, { 4, 100 }, { 4, 65600 } };
	struct doca_pe *pe = fake_pe_create();
	struct dpubridge *bridge;
	const struct dpubridge_header *header;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		CHECK(dpubridge_create(pe, 8, 16, refused[i][0], refused[i][1]) == NULL);
		CHECK(strstr(dpubridge_error(), "cells") != NULL);
	}
	bridge = dpubridge_create(pe, 8, 16, 4, 192);
	CHECK(bridge != NULL);
	header = dpubridge_memory(bridge);
	CHECK_EQ(header->message_cells, 4);
	CHECK_EQ(header->message_bytes, 192);
	CHECK_EQ(header->message_tail, 0);
	CHECK_EQ(dpubridge_memory_bytes(bridge), 4096 + 8 * 64 + 16 * 64 + 4 * 192);
	CHECK_EQ(dpubridge_destroy(bridge), 0);
	fake_pe_destroy(pe);
}

static void test_capacities(void)
{
	static const struct {
		uint32_t submission, completion;
	} refused[] = { { 0, 16 }, { 1, 16 }, { 3, 16 }, { 8, 8 }, { 8, 24 }, { 131072, 262144 }, { 8, 1u << 25 } };
	struct doca_pe *pe = fake_pe_create();
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		CHECK(dpubridge_create(pe, refused[i].submission, refused[i].completion, 0, 0) == NULL);
		CHECK(strstr(dpubridge_error(), "capacity") != NULL);
	}
	CHECK(dpubridge_create(NULL, 8, 16, 0, 0) == NULL);
	CHECK(strstr(dpubridge_error(), "progress engine") != NULL);
	fake_pe_destroy(pe);
}

int main(void)
{
	test_values();
	test_short_array();
	test_memory();
	test_capacities();
	test_cells();
	return 0;
}
