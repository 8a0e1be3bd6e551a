/* Common parts of the tests on the fake: a rig with one engine, one context and its rings. */
#ifndef BRIDGE_TEST_H
#define BRIDGE_TEST_H

#include <string.h>

#include "check.h"
#include "dpubridge.h"
#include "fake_doca.h"

enum { IDLE = 0, STARTING = 1, RUNNING = 2, STOPPING = 3 };
enum { NOT_PERMITTED = 2, IN_USE = 3, NOT_SUPPORTED = 4, AGAIN = 5, INVALID_VALUE = 6, NO_MEMORY = 7, SHUTDOWN = 10,
       NOT_FOUND = 16, CONNECTION_ABORTED = 12, NOT_CONNECTED = 14, IO_FAILED = 17, BAD_STATE = 18, TOO_BIG = 27 };

#define CONTEXT_DATA 0xc0ffee0000000001ull

/** One engine with one context; every task reads src and writes dst. */
struct rig {
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint32_t handle;
	uint8_t memory[256];
	struct doca_buf src, dst;
};

static inline void rig_find_rings(struct rig *rig, uint32_t submission_capacity)
{
	uint8_t *memory = dpubridge_memory(rig->bridge);
	uint32_t values[DPUBRIDGE_LAYOUT_COUNT];

	CHECK_EQ(dpubridge_layout(values, DPUBRIDGE_LAYOUT_COUNT), DPUBRIDGE_LAYOUT_COUNT);
	rig->header = (struct dpubridge_header *)memory;
	rig->entries = (struct dpubridge_entry *)(memory + values[DPUBRIDGE_LAYOUT_HEADER_BYTES]);
	rig->records = (struct dpubridge_record *)(rig->entries + submission_capacity);
}

/** Attaches a further context of the fake, not configured. */
static inline struct doca_ctx *rig_attach(struct rig *rig, uint64_t user_data, uint32_t *handle)
{
	struct doca_ctx *ctx = fake_ctx_create(rig->pe);

	CHECK_EQ(dpubridge_context_attach(rig->bridge, ctx, ctx, user_data, handle), 0);
	return ctx;
}

/** Creates a bridge with an attached, idle context; deflate configured with num_tasks; message cells of 64 bytes. */
static inline void rig_create_cells(struct rig *rig, uint32_t submission_capacity, uint32_t completion_capacity,
				    uint32_t num_tasks, uint32_t cells)
{
	memset(rig, 0, sizeof(*rig));
	CHECK_EQ(dpubridge_load(FAKE_DOCA), 0);
	rig->pe = fake_pe_create();
	rig->bridge = dpubridge_create(rig->pe, submission_capacity, completion_capacity, cells, 64);
	CHECK(rig->bridge != NULL);
	rig_find_rings(rig, submission_capacity);
	rig->ctx = rig_attach(rig, CONTEXT_DATA, &rig->handle);
	CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, num_tasks), 0);
	rig->src = (struct doca_buf){ .head = rig->memory, .len = 128 };
	rig->dst = (struct doca_buf){ .head = rig->memory + 128, .len = 128 };
}

static inline void rig_create(struct rig *rig, uint32_t submission_capacity, uint32_t completion_capacity, uint32_t num_tasks)
{
	rig_create_cells(rig, submission_capacity, completion_capacity, num_tasks, 0);
}

static inline struct dpubridge_record rig_take(struct rig *rig)
{
	uint32_t head = rig->header->completion_head;

	CHECK(rig->header->completion_tail != head);
	rig->header->completion_head = head + 1;
	return rig->records[head & (rig->header->completion_capacity - 1)];
}

static inline uint32_t rig_unread(const struct rig *rig)
{
	return rig->header->completion_tail - rig->header->completion_head;
}

static inline void rig_expect_state(struct rig *rig, uint32_t previous, uint32_t next)
{
	struct dpubridge_record record = rig_take(rig);

	CHECK_EQ(record.type, DPUBRIDGE_RECORD_CONTEXT_STATE);
	CHECK_EQ(record.states, previous << 16 | next);
	CHECK_EQ(record.context, rig->handle);
	CHECK_EQ(record.user_data, (long long)CONTEXT_DATA);
}

/** Starts the context and consumes its record. */
static inline void rig_start(struct rig *rig)
{
	fake_ctx_change(rig->ctx, RUNNING);
	rig_expect_state(rig, IDLE, RUNNING);
}

/** Writes an entry that deflates length bytes; there must be room. */
static inline struct dpubridge_entry *rig_put(struct rig *rig, uint64_t user_data, uint64_t length)
{
	uint32_t tail = rig->header->submission_tail;
	struct dpubridge_entry *entry = &rig->entries[tail & (rig->header->submission_capacity - 1)];

	CHECK(tail - rig->header->submission_head < rig->header->submission_capacity);
	*entry = (struct dpubridge_entry){
		.user_data = user_data,
		.context = rig->handle,
		.kind = DPUBRIDGE_KIND_COMPRESS_DEFLATE,
		.src_buf = (uintptr_t)&rig->src,
		.src_addr = (uintptr_t)rig->src.head,
		.src_len = length,
		.dst_buf = (uintptr_t)&rig->dst,
		.dst_addr = (uintptr_t)rig->dst.head,
	};
	rig->header->submission_tail = tail + 1;
	return entry;
}

static inline void rig_expect(struct rig *rig, uint16_t type, uint64_t user_data, int32_t status)
{
	struct dpubridge_record record = rig_take(rig);

	CHECK_EQ(record.type, type);
	CHECK_EQ(record.user_data, user_data);
	CHECK_EQ(record.status, status);
	CHECK_EQ(record.context, rig->handle);
}

static inline uint64_t rig_counter(const struct rig *rig, enum dpubridge_counter counter)
{
	return rig->header->counters[counter];
}

/** Stops the context, which must have no task in flight, and destroys everything. Fails if an object is left. */
static inline void rig_destroy(struct rig *rig)
{
	dpubridge_context_drain(rig->bridge, rig->handle);
	fake_ctx_stop(rig->ctx);
	rig->header->completion_head = rig->header->completion_tail;
	dpubridge_enter(rig->bridge, 100);
	rig->header->completion_head = rig->header->completion_tail;
	dpubridge_enter(rig->bridge, 100);
	CHECK_EQ(fake_ctx_num_allocated(rig->ctx), 0);
	CHECK_EQ(dpubridge_context_detach(rig->bridge, rig->handle), 0);
	CHECK_EQ(dpubridge_destroy(rig->bridge), 0);
	fake_ctx_destroy(rig->ctx);
	fake_pe_destroy(rig->pe);
}

#endif
