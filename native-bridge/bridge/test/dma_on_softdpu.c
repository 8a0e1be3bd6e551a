/* The bridge on the software DPU's DMA: copies blocks of an imported map, several at a time; a failure stops the context. */
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
#include "doca_dma.h"
#include "doca_mmap.h"
#include "doca_pe.h"
#include "dpubridge.h"
#include "softdpu.h"

enum { BLOCKS = 64, BLOCK = 65536, TASKS = 8, AREA = BLOCKS * BLOCK };

static const uint64_t bound_ns = 60000000000ull;

struct rig {
	struct doca_dev *host, *dpu;
	struct doca_mmap *exported, *imported, *local;
	struct doca_buf_inventory *inventory;
	struct doca_buf *src[BLOCKS], *dst[BLOCKS];
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint32_t handle, state;
	uint32_t num_done, num_failed;
	uint8_t *from, *to;
};

static struct doca_dev *open_device(uint8_t (*is_wanted)(const struct doca_devinfo *info))
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;

	CHECK_EQ(doca_devinfo_create_list(&list, &count), DOCA_SUCCESS);
	for (i = 0; i < count && dev == NULL; i++)
		if (is_wanted(list[i]))
			CHECK_EQ(doca_dev_open(list[i], &dev), DOCA_SUCCESS);
	CHECK_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	CHECK(dev != NULL);
	return dev;
}

static uint8_t can_export(const struct doca_devinfo *info)
{
	uint8_t answer = 0;

	return doca_mmap_cap_is_export_pci_supported(info, &answer) == DOCA_SUCCESS && answer;
}

static uint8_t can_import(const struct doca_devinfo *info)
{
	uint8_t answer = 0;

	return doca_dma_cap_task_memcpy_is_supported(info) == DOCA_SUCCESS &&
	       doca_mmap_cap_is_create_from_export_pci_supported(info, &answer) == DOCA_SUCCESS && answer;
}

static struct doca_mmap *start_map(struct doca_dev *dev, uint8_t *memory, uint32_t permissions)
{
	struct doca_mmap *map;

	CHECK_EQ(doca_mmap_create(&map), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_memrange(map, memory, AREA), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_permissions(map, permissions), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_add_dev(map, dev), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_start(map), DOCA_SUCCESS);
	return map;
}

static void share_memory(struct rig *rig)
{
	const void *desc;
	size_t len, i;

	rig->from = malloc(AREA);
	rig->to = calloc(1, AREA);
	CHECK(rig->from != NULL && rig->to != NULL);
	for (i = 0; i < AREA; i++)
		rig->from[i] = (uint8_t)(i / BLOCK + i % 251);
	rig->exported = start_map(rig->host, rig->from, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	rig->local = start_map(rig->dpu, rig->to, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	CHECK_EQ(doca_mmap_export_pci(rig->exported, rig->host, &desc, &len), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_create_from_export(NULL, desc, len, rig->dpu, &rig->imported), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_create(2 * BLOCKS, &rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_start(rig->inventory), DOCA_SUCCESS);
	for (i = 0; i < BLOCKS; i++) {
		CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->imported, rig->from, AREA, &rig->src[i]),
			 DOCA_SUCCESS);
		CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->local, rig->to, AREA, &rig->dst[i]),
			 DOCA_SUCCESS);
	}
}

static void create(struct rig *rig)
{
	uint32_t values[DPUBRIDGE_LAYOUT_COUNT];
	struct doca_ctx *ctx;

	rig->host = open_device(can_export);
	rig->dpu = open_device(can_import);
	share_memory(rig);
	CHECK_EQ(dpubridge_load(DOCA_COMMON), 0);
	CHECK_EQ(dpubridge_load(DOCA_DMA), 0);
	CHECK_EQ(doca_pe_create(&rig->pe), DOCA_SUCCESS);
	rig->bridge = dpubridge_create(rig->pe, TASKS, 2 * TASKS, 0, 0);
	CHECK(rig->bridge != NULL);
	dpubridge_layout(values, DPUBRIDGE_LAYOUT_COUNT);
	rig->header = dpubridge_memory(rig->bridge);
	rig->entries = (struct dpubridge_entry *)((uint8_t *)rig->header + values[DPUBRIDGE_LAYOUT_HEADER_BYTES]);
	rig->records = (struct dpubridge_record *)(rig->entries + TASKS);
	CHECK_EQ(doca_dma_create(rig->dpu, &rig->dma), DOCA_SUCCESS);
	ctx = doca_dma_as_ctx(rig->dma);
	CHECK_EQ(doca_pe_connect_ctx(rig->pe, ctx), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(rig->bridge, ctx, rig->dma, 7, &rig->handle), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, DPUBRIDGE_KIND_DMA_MEMCPY, TASKS), DOCA_SUCCESS);
	CHECK_EQ(doca_ctx_start(ctx), DOCA_SUCCESS);
}

static void put(struct rig *rig, uint32_t block)
{
	struct dpubridge_entry *entry = &rig->entries[rig->header->submission_tail++ & (TASKS - 1)];

	*entry = (struct dpubridge_entry){
		.user_data = block,
		.context = rig->handle,
		.kind = DPUBRIDGE_KIND_DMA_MEMCPY,
		.src_buf = (uintptr_t)rig->src[block],
		.src_addr = (uintptr_t)(rig->from + (size_t)block * BLOCK),
		.src_len = BLOCK,
		.dst_buf = (uintptr_t)rig->dst[block],
		.dst_addr = (uintptr_t)(rig->to + (size_t)block * BLOCK),
	};
}

/* Runs one turn; sleeps if it brings nothing. Returns the number of ended copies. */
static uint32_t turn(struct rig *rig)
{
	uint32_t unread = dpubridge_enter(rig->bridge, 64), ended = 0;

	CHECK(unread != UINT32_MAX);
	if (unread == 0 && dpubridge_context_inflight(rig->bridge, rig->handle) > 0)
		CHECK(dpubridge_wait(rig->bridge, bound_ns, bound_ns, 0, 0) > 0);
	while (rig->header->completion_head != rig->header->completion_tail) {
		const struct dpubridge_record *record = &rig->records[rig->header->completion_head++ & (2 * TASKS - 1)];

		if (record->type == DPUBRIDGE_RECORD_CONTEXT_STATE) {
			rig->state = record->states & 0xffff;
		} else if (record->type == DPUBRIDGE_RECORD_TASK_DONE) {
			CHECK_EQ(record->produced, BLOCK);
			CHECK_EQ(record->kind, DPUBRIDGE_KIND_DMA_MEMCPY);
			rig->num_done++;
			ended++;
		} else {
			CHECK_EQ(record->type, DPUBRIDGE_RECORD_TASK_FAILED);
			CHECK_EQ(record->status, DOCA_ERROR_IO_FAILED);
			rig->num_failed++;
			ended++;
		}
	}
	return ended;
}

static void copy_all(struct rig *rig)
{
	uint32_t next = 0, outstanding = 0;

	memset(rig->to, 0, AREA);
	rig->num_done = 0;
	while (rig->num_done < BLOCKS) {
		for (; outstanding < TASKS && next < BLOCKS; outstanding++)
			put(rig, next++);
		outstanding -= turn(rig);
	}
	CHECK(memcmp(rig->from, rig->to, AREA) == 0);
	CHECK_EQ(rig->num_failed, 0);
}

/* The exporter withdraws its memory: the copy fails, and the context stops automatically. */
static void lose_memory(struct rig *rig)
{
	uint32_t turns;

	CHECK_EQ(doca_mmap_stop(rig->exported), DOCA_SUCCESS);
	put(rig, 0);
	for (turns = 0; rig->state != DOCA_CTX_STATE_IDLE && turns < 10000; turns++)
		turn(rig);
	CHECK_EQ(rig->state, DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig->num_failed, 1);
}

static void destroy(struct rig *rig)
{
	struct softdpu_census census, empty = { 0 };
	uint32_t i;

	CHECK_EQ(doca_dma_destroy(rig->dma), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_detach(rig->bridge, rig->handle), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_destroy(rig->bridge), 0);
	for (i = 0; i < BLOCKS; i++) {
		CHECK_EQ(doca_buf_dec_refcount(rig->src[i], NULL), DOCA_SUCCESS);
		CHECK_EQ(doca_buf_dec_refcount(rig->dst[i], NULL), DOCA_SUCCESS);
	}
	CHECK_EQ(doca_buf_inventory_destroy(rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->imported), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->exported), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->local), DOCA_SUCCESS);
	CHECK_EQ(doca_pe_destroy(rig->pe), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(rig->host), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(rig->dpu), DOCA_SUCCESS);
	free(rig->from);
	free(rig->to);
	softdpu_census(&census);
	CHECK(memcmp(&census, &empty, sizeof(census)) == 0);
}

static void run(enum softdpu_execution execution)
{
	struct rig rig = { .state = DOCA_CTX_STATE_IDLE };

	CHECK_EQ(softdpu_set_execution(execution), DOCA_SUCCESS);
	create(&rig);
	copy_all(&rig);
	CHECK_EQ(softdpu_faults_set("dma-memcpy:again=2:every=10; dma-memcpy:delay=1ms:every=7"), DOCA_SUCCESS);
	copy_all(&rig);
	softdpu_faults_clear();
	lose_memory(&rig);
	destroy(&rig);
}

int main(void)
{
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
#endif
