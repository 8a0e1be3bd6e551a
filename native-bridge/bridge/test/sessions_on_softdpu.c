/* Sessions of the bridge on the software DPU's partial hashes: the state of each stays in its task until another one begins. */
#include "check.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
#include <string.h>

#include "doca_buf.h"
#include "doca_buf_inventory.h"
#include "doca_ctx.h"
#include "doca_dev.h"
#include "doca_mmap.h"
#include "doca_pe.h"
#include "doca_sha.h"
#include "dpubridge.h"
#include "softdpu.h"

enum { TASKS = 2, ENTRIES = 4, BLOCK = 64, DIGEST = 20, AREA = 4096, DST = 2048 };

static const char part[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/* SHA-1 of 64 letters a, then abc; and of 128 letters a, then abc. */
static const uint8_t short_digest[DIGEST] = { 0xa5, 0x17, 0x7e, 0x48, 0xd1, 0x9a, 0x71, 0x4d, 0x04, 0x63,
					      0xdb, 0xea, 0xfa, 0xab, 0x7f, 0x5c, 0x6d, 0x14, 0x0f, 0xf3 };
static const uint8_t long_digest[DIGEST] = { 0x87, 0xce, 0xbe, 0x89, 0x0b, 0x9f, 0x97, 0xce, 0xad, 0x87,
					     0x93, 0x77, 0xd1, 0x37, 0xa8, 0x95, 0x5b, 0x3e, 0x3d, 0x16 };

struct rig {
	struct doca_dev *dev;
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	struct doca_buf *src[TASKS], *dst[TASKS];
	struct doca_pe *pe;
	struct doca_sha *sha;
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint32_t handle;
	_Alignas(64) uint8_t memory[AREA];
};

static struct rig rig;

static void open_device(void)
{
	struct doca_devinfo **list;
	uint32_t count, i;

	CHECK_EQ(doca_devinfo_create_list(&list, &count), DOCA_SUCCESS);
	for (i = 0; i < count && rig.dev == NULL; i++)
		if (doca_sha_cap_task_partial_hash_get_supported(list[i], DOCA_SHA_ALGORITHM_SHA1) == DOCA_SUCCESS)
			CHECK_EQ(doca_dev_open(list[i], &rig.dev), DOCA_SUCCESS);
	CHECK_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	CHECK(rig.dev != NULL);
}

static void register_memory(void)
{
	uint32_t i;

	CHECK_EQ(doca_mmap_create(&rig.map), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_memrange(rig.map, rig.memory, AREA), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_permissions(rig.map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_add_dev(rig.map, rig.dev), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_start(rig.map), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_create(2 * TASKS, &rig.inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_start(rig.inventory), DOCA_SUCCESS);
	for (i = 0; i < TASKS; i++) {
		CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig.inventory, rig.map, rig.memory, DST, &rig.src[i]), DOCA_SUCCESS);
		CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig.inventory, rig.map, rig.memory + DST + i * BLOCK, BLOCK, &rig.dst[i]),
			 DOCA_SUCCESS);
	}
}

static void create(void)
{
	uint32_t values[DPUBRIDGE_LAYOUT_COUNT];
	struct doca_ctx *ctx;

	open_device();
	register_memory();
	CHECK_EQ(dpubridge_load(DOCA_COMMON), 0);
	CHECK_EQ(dpubridge_load(DOCA_SHA), 0);
	CHECK_EQ(doca_pe_create(&rig.pe), DOCA_SUCCESS);
	rig.bridge = dpubridge_create(rig.pe, ENTRIES, 2 * ENTRIES, 0, 0);
	CHECK(rig.bridge != NULL);
	dpubridge_layout(values, DPUBRIDGE_LAYOUT_COUNT);
	rig.header = dpubridge_memory(rig.bridge);
	rig.entries = (struct dpubridge_entry *)((uint8_t *)rig.header + values[DPUBRIDGE_LAYOUT_HEADER_BYTES]);
	rig.records = (struct dpubridge_record *)(rig.entries + ENTRIES);
	CHECK_EQ(doca_sha_create(rig.dev, &rig.sha), DOCA_SUCCESS);
	ctx = doca_sha_as_ctx(rig.sha);
	CHECK_EQ(doca_pe_connect_ctx(rig.pe, ctx), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(rig.bridge, ctx, rig.sha, 7, &rig.handle), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_SHA_PARTIAL_HASH, TASKS), DOCA_SUCCESS);
	CHECK_EQ(doca_ctx_start(ctx), DOCA_SUCCESS);
}

static void put(uint32_t session, uint32_t task, const char *bytes, uint32_t dst, uint64_t is_last)
{
	struct dpubridge_entry *entry = &rig.entries[rig.header->submission_tail++ & (ENTRIES - 1)];

	memcpy(rig.memory + task * 2 * BLOCK, bytes, strlen(bytes));
	*entry = (struct dpubridge_entry){
		.user_data = session,
		.context = rig.handle,
		.kind = DPUBRIDGE_KIND_SHA_PARTIAL_HASH,
		.src_buf = (uintptr_t)rig.src[task % TASKS],
		.src_addr = (uintptr_t)(rig.memory + task * 2 * BLOCK),
		.src_len = strlen(bytes),
		.dst_buf = (uintptr_t)rig.dst[dst],
		.dst_addr = (uintptr_t)(rig.memory + DST + dst * BLOCK),
		.argument = task | DOCA_SHA_ALGORITHM_SHA1 << 16 | is_last << 24 | (uint64_t)session << 32,
	};
}

/* Returns the next record of a task. */
static const struct dpubridge_record *next_record(void)
{
	for (;;) {
		while (rig.header->completion_head == rig.header->completion_tail)
			CHECK(dpubridge_enter(rig.bridge, 64) != UINT32_MAX);
		const struct dpubridge_record *record = &rig.records[rig.header->completion_head++ & (2 * ENTRIES - 1)];

		if (record->type != DPUBRIDGE_RECORD_CONTEXT_STATE)
			return record;
	}
}

static void expect_done(uint64_t produced)
{
	const struct dpubridge_record *record = next_record();

	CHECK_EQ(record->type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(record->produced, produced);
}

static void expect_refused(int32_t status)
{
	const struct dpubridge_record *record = next_record();

	CHECK_EQ(record->type, DPUBRIDGE_RECORD_REFUSED);
	CHECK_EQ(record->status, status);
}

static void check_digest(uint32_t dst, const uint8_t *expected)
{
	CHECK(memcmp(rig.memory + DST + dst * BLOCK, expected, DIGEST) == 0);
}

/* Two sessions in turns; then a third one in the task of the first. */
static void alternate(void)
{
	put(1, 0, part, 0, 0);
	put(2, 1, part, 1, 0);
	expect_done(0);
	expect_done(0);
	put(2, 1, part, 1, 0);
	expect_done(0);
	put(1, 0, "abc", 0, 1);
	expect_done(DIGEST);
	check_digest(0, short_digest);
	put(2, 1, "abc", 1, 1);
	expect_done(DIGEST);
	check_digest(1, long_digest);
	put(3, 0, part, 1, 0);
	expect_done(0);
	put(3, 0, "abc", 1, 1);
	expect_done(DIGEST);
	check_digest(1, short_digest);
}

/* A refused entry leaves the state of its session as it is, and so does a retry. */
static void refuse(void)
{
	put(4, 0, "abc", 0, 1);
	expect_refused(DOCA_ERROR_BAD_STATE);
	put(4, 0, part, 0, 0);
	expect_done(0);
	put(4, 0, "abc", 1, 1);
	expect_refused(DOCA_ERROR_INVALID_VALUE);
	put(4, TASKS, "abc", 0, 0);
	expect_refused(DOCA_ERROR_INVALID_VALUE);
	put(0, 0, "abc", 0, 0);
	expect_refused(DOCA_ERROR_INVALID_VALUE);
	CHECK_EQ(softdpu_faults_set("sha-partial-hash:again=2:nth=1"), DOCA_SUCCESS);
	put(4, 0, "abc", 0, 1);
	expect_done(DIGEST); /* the bridge has submitted the part three times */
	softdpu_faults_clear();
	check_digest(0, short_digest);
	put(5, 0, part, 0, 0);
	put(5, 0, part, 0, 0);
	expect_refused(DOCA_ERROR_IN_USE);
	expect_done(0);
}

/* A session is open: its task is freed before the context becomes idle. */
static void destroy(void)
{
	struct softdpu_census census, empty = { 0 };
	uint32_t i;

	dpubridge_context_drain(rig.bridge, rig.handle);
	CHECK_EQ(doca_ctx_stop(doca_sha_as_ctx(rig.sha)), DOCA_SUCCESS);
	CHECK(dpubridge_enter(rig.bridge, 64) != UINT32_MAX);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), DOCA_SUCCESS);
	CHECK_EQ(doca_sha_destroy(rig.sha), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_destroy(rig.bridge), 0);
	for (i = 0; i < TASKS; i++) {
		CHECK_EQ(doca_buf_dec_refcount(rig.src[i], NULL), DOCA_SUCCESS);
		CHECK_EQ(doca_buf_dec_refcount(rig.dst[i], NULL), DOCA_SUCCESS);
	}
	CHECK_EQ(doca_buf_inventory_destroy(rig.inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig.map), DOCA_SUCCESS);
	CHECK_EQ(doca_pe_destroy(rig.pe), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(rig.dev), DOCA_SUCCESS);
	softdpu_census(&census);
	CHECK(memcmp(&census, &empty, sizeof(census)) == 0);
}

int main(void)
{
	CHECK_EQ(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE), DOCA_SUCCESS);
	create();
	alternate();
	refuse();
	destroy();
	return 0;
}
#endif
