/* Tasks of a sync event through the bridge, on the software DPU: results, a wait that another task ends, and a stop during a wait. */
#include "check.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
#include <string.h>

#include "doca_ctx.h"
#include "doca_dev.h"
#include "doca_pe.h"
#include "doca_sync_event.h"
#include "dpubridge.h"
#include "softdpu.h"

enum { TASKS = 2, ENTRIES = 8 };

struct rig {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_sync_event *event;
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint32_t handle;
};

static struct rig rig;

static void open_device(void)
{
	struct doca_devinfo **list;
	uint32_t count, i;

	CHECK_EQ(doca_devinfo_create_list(&list, &count), DOCA_SUCCESS);
	for (i = 0; i < count && rig.dev == NULL; i++)
		if (doca_sync_event_cap_task_wait_eq_is_supported(list[i]) == DOCA_SUCCESS)
			CHECK_EQ(doca_dev_open(list[i], &rig.dev), DOCA_SUCCESS);
	CHECK_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	CHECK(rig.dev != NULL);
}

static void create(void)
{
	uint32_t values[DPUBRIDGE_LAYOUT_COUNT];
	struct doca_ctx *ctx;
	uint16_t kind;

	open_device();
	CHECK_EQ(dpubridge_load(DOCA_COMMON), 0);
	CHECK_EQ(doca_pe_create(&rig.pe), DOCA_SUCCESS);
	rig.bridge = dpubridge_create(rig.pe, ENTRIES, 2 * ENTRIES, 0, 0);
	CHECK(rig.bridge != NULL);
	dpubridge_layout(values, DPUBRIDGE_LAYOUT_COUNT);
	rig.header = dpubridge_memory(rig.bridge);
	rig.entries = (struct dpubridge_entry *)((uint8_t *)rig.header + values[DPUBRIDGE_LAYOUT_HEADER_BYTES]);
	rig.records = (struct dpubridge_record *)(rig.entries + ENTRIES);
	CHECK_EQ(doca_sync_event_create(&rig.event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_add_publisher_location_cpu(rig.event, rig.dev), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_add_subscriber_location_cpu(rig.event, rig.dev), DOCA_SUCCESS);
	ctx = doca_sync_event_as_ctx(rig.event);
	CHECK_EQ(doca_pe_connect_ctx(rig.pe, ctx), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(rig.bridge, ctx, rig.event, 7, &rig.handle), DOCA_SUCCESS);
	for (kind = DPUBRIDGE_KIND_EVENT_GET; kind <= DPUBRIDGE_KIND_EVENT_WAIT_NOT_EQUAL; kind++)
		CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, kind, TASKS), DOCA_SUCCESS);
	CHECK_EQ(doca_ctx_start(ctx), DOCA_SUCCESS);
}

static void put(uint64_t user_data, uint16_t kind, uint64_t value, uint64_t mask)
{
	rig.entries[rig.header->submission_tail++ & (ENTRIES - 1)] = (struct dpubridge_entry){
		.user_data = user_data,
		.context = rig.handle,
		.kind = kind,
		.src_len = mask,
		.argument = value,
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

static void expect_done(uint64_t user_data, uint64_t result)
{
	const struct dpubridge_record *record = next_record();

	CHECK_EQ(record->type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(record->user_data, user_data);
	CHECK_EQ(record->produced, result);
}

/* Each kind more often than it has tasks: tasks are freed after their use. */
static void values(void)
{
	uint64_t i;

	for (i = 0; i < 2 * TASKS + 1; i++) {
		put(1, DPUBRIDGE_KIND_EVENT_SET, UINT64_MAX - i, 0);
		expect_done(1, 0);
		put(2, DPUBRIDGE_KIND_EVENT_ADD, 3, 0);
		expect_done(2, UINT64_MAX - i);
		put(3, DPUBRIDGE_KIND_EVENT_GET, 0, 0);
		expect_done(3, 2 - i);
		put(4, DPUBRIDGE_KIND_EVENT_WAIT_EQUAL, (2 - i) & 0xff, 0xff);
		expect_done(4, 0);
		put(5, DPUBRIDGE_KIND_EVENT_WAIT_NOT_EQUAL, 3, UINT64_MAX);
		expect_done(5, 0);
	}
}

/* A wait does not delay the other kinds; the task that changes the value ends it. */
static void waiting(void)
{
	const struct dpubridge_record *first, *second;

	put(1, DPUBRIDGE_KIND_EVENT_SET, 0, 0);
	expect_done(1, 0);
	put(2, DPUBRIDGE_KIND_EVENT_WAIT_EQUAL, 0x700, 0xff00);
	put(3, DPUBRIDGE_KIND_EVENT_GET, 0, 0);
	expect_done(3, 0);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 1);
	put(4, DPUBRIDGE_KIND_EVENT_ADD, 0x7ff, 0);
	first = next_record();
	second = next_record();
	CHECK_EQ(first->type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(second->type, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(first->user_data + second->user_data, 6);
}

/* The stop fails the wait. */
static void destroy(void)
{
	struct softdpu_census census, empty = { 0 };
	const struct dpubridge_record *record;
	doca_error_t stopped;

	put(9, DPUBRIDGE_KIND_EVENT_WAIT_EQUAL, 1, UINT64_MAX);
	while (dpubridge_context_inflight(rig.bridge, rig.handle) == 0)
		CHECK(dpubridge_enter(rig.bridge, 64) != UINT32_MAX);
	dpubridge_context_drain(rig.bridge, rig.handle);
	stopped = doca_ctx_stop(doca_sync_event_as_ctx(rig.event));
	CHECK(stopped == DOCA_SUCCESS || stopped == DOCA_ERROR_IN_PROGRESS);
	record = next_record();
	CHECK_EQ(record->type, DPUBRIDGE_RECORD_TASK_FAILED);
	CHECK_EQ(record->user_data, 9);
	CHECK(dpubridge_enter(rig.bridge, 64) != UINT32_MAX);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, rig.handle), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_destroy(rig.event), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_destroy(rig.bridge), 0);
	CHECK_EQ(doca_pe_destroy(rig.pe), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(rig.dev), DOCA_SUCCESS);
	softdpu_census(&census);
	CHECK(memcmp(&census, &empty, sizeof(census)) == 0);
}

int main(void)
{
	CHECK_EQ(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE), DOCA_SUCCESS);
	create();
	values();
	waiting();
	destroy();
	return 0;
}
#endif
