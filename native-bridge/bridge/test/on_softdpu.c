/* The bridge on the software DPU: deflates and inflates blocks asynchronously, with AGAINs and failures. */
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
#include "doca_compress.h"
#include "doca_ctx.h"
#include "doca_dev.h"
#include "doca_mmap.h"
#include "doca_pe.h"
#include "dpubridge.h"
#include "softdpu.h"

enum { BLOCKS = 64, BLOCK = 16384, TASKS = 8, AREA = 3 * BLOCKS * BLOCK };

static const uint64_t bound_ns = 60000000000ull;

struct rig {
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_pe *pe;
	struct doca_compress *compress;
	struct doca_buf *src[BLOCKS], *dst[BLOCKS];
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint32_t handle;
	uint32_t state;
	uint8_t *area;				/* plain, deflated and inflated blocks */
	uint64_t produced[BLOCKS];
	uint32_t checksums[BLOCKS][2];
	uint32_t num_failed;
};

static uint8_t *plain(struct rig *rig, uint32_t block)
{
	return rig->area + (size_t)block * BLOCK;
}

static uint8_t *deflated(struct rig *rig, uint32_t block)
{
	return rig->area + (size_t)(BLOCKS + block) * BLOCK;
}

static uint8_t *inflated(struct rig *rig, uint32_t block)
{
	return rig->area + (size_t)(2 * BLOCKS + block) * BLOCK;
}

static void open_device(struct rig *rig)
{
	struct doca_devinfo **list;
	uint32_t count, i;

	CHECK_EQ(doca_devinfo_create_list(&list, &count), DOCA_SUCCESS);
	for (i = 0; i < count && rig->dev == NULL; i++)
		if (doca_compress_cap_task_compress_deflate_is_supported(list[i]) == DOCA_SUCCESS)
			CHECK_EQ(doca_dev_open(list[i], &rig->dev), DOCA_SUCCESS);
	CHECK_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	CHECK(rig->dev != NULL);
}

static void map_area(struct rig *rig)
{
	uint32_t i;

	rig->area = calloc(1, AREA);
	CHECK(rig->area != NULL);
	for (i = 0; i < BLOCKS * BLOCK; i++)
		rig->area[i] = (uint8_t)("the quick brown fox "[i % 20] + (i / BLOCK) % 3);
	CHECK_EQ(doca_mmap_create(&rig->mmap), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_memrange(rig->mmap, rig->area, AREA), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_add_dev(rig->mmap, rig->dev), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_permissions(rig->mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_start(rig->mmap), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_create(2 * BLOCKS, &rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_start(rig->inventory), DOCA_SUCCESS);
	for (i = 0; i < BLOCKS; i++) {
		/* Each window covers the whole area; entries name the bytes to read and write. */
		CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->mmap, rig->area, AREA, &rig->src[i]),
			 DOCA_SUCCESS);
		CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->mmap, rig->area, AREA, &rig->dst[i]),
			 DOCA_SUCCESS);
	}
}

static void create_bridge(struct rig *rig)
{
	uint32_t values[DPUBRIDGE_LAYOUT_COUNT];

	CHECK_EQ(dpubridge_load(DOCA_COMMON), 0);
	CHECK_EQ(dpubridge_load(DOCA_COMPRESS), 0);
	CHECK_EQ(doca_pe_create(&rig->pe), DOCA_SUCCESS);
	rig->bridge = dpubridge_create(rig->pe, TASKS, 2 * TASKS, 0, 0);
	CHECK(rig->bridge != NULL);
	dpubridge_layout(values, DPUBRIDGE_LAYOUT_COUNT);
	rig->header = dpubridge_memory(rig->bridge);
	rig->entries = (struct dpubridge_entry *)((uint8_t *)rig->header + values[DPUBRIDGE_LAYOUT_HEADER_BYTES]);
	rig->records = (struct dpubridge_record *)(rig->entries + TASKS);
}

static void create_context(struct rig *rig)
{
	struct doca_ctx *ctx;
	uint16_t kind;

	CHECK_EQ(doca_compress_create(rig->dev, &rig->compress), DOCA_SUCCESS);
	ctx = doca_compress_as_ctx(rig->compress);
	CHECK_EQ(doca_pe_connect_ctx(rig->pe, ctx), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(rig->bridge, ctx, rig->compress, 99, &rig->handle), DOCA_SUCCESS);
	for (kind = DPUBRIDGE_KIND_COMPRESS_DEFLATE; kind <= DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM; kind++)
		CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, kind, TASKS), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, DPUBRIDGE_KIND_DMA_MEMCPY, TASKS),
		 DOCA_ERROR_NOT_SUPPORTED);
	CHECK_EQ(doca_ctx_start(ctx), DOCA_SUCCESS);
}

static void put(struct rig *rig, uint16_t kind, uint32_t block)
{
	struct dpubridge_entry *entry = &rig->entries[rig->header->submission_tail++ & (TASKS - 1)];
	int is_deflate = kind == DPUBRIDGE_KIND_COMPRESS_DEFLATE;

	*entry = (struct dpubridge_entry){
		.user_data = block,
		.context = rig->handle,
		.kind = kind,
		.src_buf = (uintptr_t)rig->src[block],
		.src_addr = (uintptr_t)(is_deflate ? plain(rig, block) : deflated(rig, block)),
		.src_len = is_deflate ? BLOCK : rig->produced[block],
		.dst_buf = (uintptr_t)rig->dst[block],
		.dst_addr = (uintptr_t)(is_deflate ? deflated(rig, block) : inflated(rig, block)),
	};
}

/* Runs one turn; sleeps if it brought nothing. */
static void turn(struct rig *rig)
{
	uint32_t unread = dpubridge_enter(rig->bridge, 64);

	CHECK(unread != UINT32_MAX);
	if (unread == 0 && dpubridge_context_inflight(rig->bridge, rig->handle) > 0)
		CHECK(dpubridge_wait(rig->bridge, bound_ns, bound_ns, 0, 0) > 0);
}

static void check_done(struct rig *rig, const struct dpubridge_record *record)
{
	uint32_t block = (uint32_t)record->user_data;

	if (record->kind == DPUBRIDGE_KIND_COMPRESS_DEFLATE) {
		rig->produced[block] = record->produced;
		rig->checksums[block][0] = record->checksum0;
		rig->checksums[block][1] = record->checksum1;
		CHECK(record->produced > 0 && record->produced < BLOCK);
		return;
	}
	CHECK_EQ(record->produced, BLOCK);
	CHECK_EQ(record->checksum0, rig->checksums[block][0]);
	CHECK_EQ(record->checksum1, rig->checksums[block][1]);
	CHECK(memcmp(plain(rig, block), inflated(rig, block), BLOCK) == 0);
}

/* Takes the records. Returns the number of finished blocks; queues the others again. */
static uint32_t take_all(struct rig *rig, uint32_t *again, uint32_t *num_again)
{
	uint32_t done = 0;

	while (rig->header->completion_head != rig->header->completion_tail) {
		const struct dpubridge_record *record = &rig->records[rig->header->completion_head++ & (2 * TASKS - 1)];

		if (record->type == DPUBRIDGE_RECORD_CONTEXT_STATE) {
			CHECK_EQ(record->user_data, 99);
			rig->state = record->states & 0xffff;
			continue;
		}
		if (record->type == DPUBRIDGE_RECORD_TASK_DONE) {
			check_done(rig, record);
			done++;
			continue;
		}
		CHECK_EQ(record->type, DPUBRIDGE_RECORD_TASK_FAILED);
		CHECK_EQ(record->status, DOCA_ERROR_IO_FAILED);
		rig->num_failed++;
		again[(*num_again)++] = (uint32_t)record->user_data;
	}
	return done;
}

static void run(struct rig *rig, uint16_t kind)
{
	uint32_t queue[4 * BLOCKS], num_queued = 0, outstanding = 0, done = 0, i;

	for (i = BLOCKS; i-- > 0;)
		queue[num_queued++] = i;
	while (done < BLOCKS) {
		uint32_t before, now_done;

		for (; outstanding < TASKS && num_queued > 0; outstanding++)
			put(rig, kind, queue[--num_queued]);
		turn(rig);
		before = num_queued;
		now_done = take_all(rig, queue, &num_queued);
		outstanding -= now_done + (num_queued - before);
		done += now_done;
	}
	CHECK_EQ(dpubridge_context_inflight(rig->bridge, rig->handle), 0);
}

static void stop_with_tasks_in_flight(struct rig *rig)
{
	uint32_t unused[2 * TASKS], num_unused = 0, turns, i;

	for (i = 0; i < TASKS; i++)
		put(rig, DPUBRIDGE_KIND_COMPRESS_DEFLATE, i);
	dpubridge_enter(rig->bridge, 0);
	dpubridge_context_drain(rig->bridge, rig->handle);
	doca_ctx_stop(doca_compress_as_ctx(rig->compress));
	for (turns = 0; rig->state != DOCA_CTX_STATE_IDLE && turns < 10000; turns++) {
		turn(rig);
		take_all(rig, unused, &num_unused);
	}
	CHECK_EQ(rig->state, DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig->header->counters[DPUBRIDGE_COUNTER_SUBMITTED], rig->header->counters[DPUBRIDGE_COUNTER_COMPLETED]);
}

static void destroy(struct rig *rig)
{
	struct softdpu_census census, empty = { 0 };
	uint32_t i;

	CHECK_EQ(doca_compress_destroy(rig->compress), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_detach(rig->bridge, rig->handle), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_destroy(rig->bridge), 0);
	for (i = 0; i < BLOCKS; i++) {
		CHECK_EQ(doca_buf_dec_refcount(rig->src[i], NULL), DOCA_SUCCESS);
		CHECK_EQ(doca_buf_dec_refcount(rig->dst[i], NULL), DOCA_SUCCESS);
	}
	CHECK_EQ(doca_buf_inventory_destroy(rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->mmap), DOCA_SUCCESS);
	CHECK_EQ(doca_pe_destroy(rig->pe), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(rig->dev), DOCA_SUCCESS);
	free(rig->area);
	softdpu_census(&census);
	/* This program cannot release the threads of the hardware. */
	census.hardware_threads = 0;
	CHECK(memcmp(&census, &empty, sizeof(census)) == 0);
}

static void round_trip(enum softdpu_execution execution, const char *faults)
{
	struct rig rig = { .state = DOCA_CTX_STATE_IDLE };

	CHECK_EQ(softdpu_set_execution(execution), DOCA_SUCCESS);
	if (faults != NULL)
		CHECK_EQ(softdpu_faults_set(faults), DOCA_SUCCESS);
	open_device(&rig);
	map_area(&rig);
	create_bridge(&rig);
	create_context(&rig);
	run(&rig, DPUBRIDGE_KIND_COMPRESS_DEFLATE);
	run(&rig, DPUBRIDGE_KIND_DECOMPRESS_DEFLATE);
	CHECK_EQ(rig.state, DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(rig.num_failed > 0, faults != NULL);
	softdpu_faults_clear();
	stop_with_tasks_in_flight(&rig);
	destroy(&rig);
}

int main(void)
{
	static const char *const faults = "compress-deflate:again=3:nth=20; compress-deflate:fail:every=10;"
					  "decompress-deflate:delay=1ms:every=7";

	round_trip(SOFTDPU_EXECUTION_THREADS, NULL);
	round_trip(SOFTDPU_EXECUTION_THREADS, faults);
	round_trip(SOFTDPU_EXECUTION_INLINE, NULL);
	round_trip(SOFTDPU_EXECUTION_INLINE, faults);
	return 0;
}
#endif
