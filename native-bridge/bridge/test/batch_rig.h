/* A batch of tasks of the compress kind, and the checks of its results. */
#ifndef BATCH_RIG_H
#define BATCH_RIG_H

#include "bridge_test.h"

enum { COUNT = 5 };

struct batch {
	struct dpubridge_batch head;
	struct dpubridge_entry entries[COUNT];
	struct dpubridge_result results[COUNT];
	struct doca_buf src[COUNT], dst[COUNT];
};

static inline void create(struct rig *rig, struct batch *batch, uint32_t num_tasks)
{
	uint32_t i;

	rig_create(rig, 8, 32, num_tasks);
	CHECK_EQ(dpubridge_context_queue(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMPRESS_DEFLATE, 4), 0);
	rig_start(rig);
	*batch = (struct batch){ .head = { .count = COUNT } };
	for (i = 0; i < COUNT; i++) {
		batch->src[i] = rig->src;
		batch->dst[i] = rig->dst;
		batch->entries[i] = (struct dpubridge_entry){
			.src_buf = (uintptr_t)&batch->src[i],
			.src_addr = (uintptr_t)rig->src.head,
			.src_len = i + 1,
			.dst_buf = (uintptr_t)&batch->dst[i],
			.dst_addr = (uintptr_t)rig->dst.head,
		};
	}
}

static inline void put(struct rig *rig, struct batch *batch, uint64_t user_data)
{
	struct dpubridge_entry *entry = rig_put(rig, user_data, 0);

	entry->flags = DPUBRIDGE_FLAG_BATCH;
	entry->src_addr = (uintptr_t)&batch->head;
}

static inline void expect_result(const struct batch *batch, uint32_t number, int32_t status, uint64_t produced)
{
	CHECK_EQ(batch->results[number].outcome, status == 0 ? (int64_t)produced : -status);
	CHECK_EQ(batch->results[number].checksum0, status == 0 ? 1000 + produced : 0);
	CHECK_EQ(batch->results[number].checksum1, status == 0 ? 2000 + produced : 0);
}

#endif
