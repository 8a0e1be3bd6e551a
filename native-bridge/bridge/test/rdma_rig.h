/* Two RDMA contexts of one bridge on the software DPU, and connections between them. */
#ifndef RDMA_RIG_H
#define RDMA_RIG_H

#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "doca_buf.h"
#include "doca_buf_inventory.h"
#include "doca_ctx.h"
#include "doca_dev.h"
#include "doca_mmap.h"
#include "doca_pe.h"
#include "doca_rdma.h"
#include "dpubridge.h"
#include "softdpu.h"

#define RDMA_ACCESS (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

enum { SLOTS = 8, AREA = 64, PORT = 4711, MAX_TURNS = 100000 };

static const uint64_t bound_ns = 1000000000ull;

struct rig {
	struct doca_dev *dev;
	struct doca_mmap *map, *remote;
	struct doca_buf_inventory *inventory;
	struct doca_buf *local, *room, *old, *number;
	struct doca_pe *pe;
	struct doca_rdma *server, *client;
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint32_t server_handle, client_handle;
	_Alignas(8) uint8_t area[AREA];
};

static inline void open_device(struct rig *rig)
{
	struct doca_devinfo **list;
	uint32_t count, i;

	CHECK_EQ(doca_devinfo_create_list(&list, &count), DOCA_SUCCESS);
	for (i = 0; i < count && rig->dev == NULL; i++)
		if (doca_rdma_cap_task_write_is_supported(list[i]) == DOCA_SUCCESS)
			CHECK_EQ(doca_dev_open(list[i], &rig->dev), DOCA_SUCCESS);
	CHECK_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	CHECK(rig->dev != NULL);
}

static inline void share_memory(struct rig *rig)
{
	const void *desc;
	size_t len;

	CHECK_EQ(doca_mmap_create(&rig->map), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_memrange(rig->map, rig->area, AREA), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_permissions(rig->map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC),
		 DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_add_dev(rig->map, rig->dev), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_start(rig->map), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_export_rdma(rig->map, rig->dev, &desc, &len), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_create_from_export(NULL, desc, len, rig->dev, &rig->remote), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_create(4, &rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_start(rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->map, rig->area, 8, &rig->local), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->map, rig->area + 8, 8, &rig->room), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->map, rig->area + 24, 8, &rig->old), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->remote, rig->area, AREA, &rig->number), DOCA_SUCCESS);
}

static inline struct doca_rdma *start(struct rig *rig, uint64_t user_data, uint32_t *handle)
{
	static const uint16_t kinds[] = { DPUBRIDGE_KIND_RDMA_RECEIVE, DPUBRIDGE_KIND_RDMA_SEND, DPUBRIDGE_KIND_RDMA_SEND_IMM,
					  DPUBRIDGE_KIND_RDMA_FETCH_ADD, DPUBRIDGE_KIND_RDMA_EVENT_GET,
					  DPUBRIDGE_KIND_RDMA_EVENT_SET, DPUBRIDGE_KIND_RDMA_EVENT_ADD };
	struct doca_rdma *rdma;
	size_t i;

	CHECK_EQ(doca_rdma_create(rig->dev, &rdma), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_set_permissions(rdma, RDMA_ACCESS), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_set_max_num_connections(rdma, 2), DOCA_SUCCESS);
	CHECK_EQ(doca_pe_connect_ctx(rig->pe, doca_rdma_as_ctx(rdma)), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(rig->bridge, doca_rdma_as_ctx(rdma), rdma, user_data, handle), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_rdma_connect(rig->bridge, *handle, rdma, handle), DOCA_ERROR_INVALID_VALUE); /* not configured */
	CHECK_EQ(dpubridge_rdma_configure(rig->bridge, *handle), DOCA_SUCCESS);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		CHECK_EQ(dpubridge_context_configure(rig->bridge, *handle, kinds[i], 2), DOCA_SUCCESS);
	CHECK_EQ(doca_ctx_start(doca_rdma_as_ctx(rdma)), DOCA_SUCCESS);
	return rdma;
}

static inline void create(struct rig *rig)
{
	open_device(rig);
	share_memory(rig);
	CHECK_EQ(dpubridge_load(DOCA_COMMON), 0);
	CHECK_EQ(dpubridge_load(DOCA_RDMA), 0);
	CHECK_EQ(doca_pe_create(&rig->pe), DOCA_SUCCESS);
	rig->bridge = dpubridge_create(rig->pe, SLOTS, 2 * SLOTS, 0, 0);
	CHECK(rig->bridge != NULL);
	rig->header = dpubridge_memory(rig->bridge);
	rig->entries = (struct dpubridge_entry *)((uint8_t *)rig->header + 4096);
	rig->records = (struct dpubridge_record *)(rig->entries + SLOTS);
	rig->server = start(rig, 1, &rig->server_handle);
	rig->client = start(rig, 2, &rig->client_handle);
}

static inline void put(struct rig *rig, struct dpubridge_entry entry)
{
	rig->entries[rig->header->submission_tail++ & (SLOTS - 1)] = entry;
}

/* Returns the next record, without changes of state unless the caller includes them. */
static inline struct dpubridge_record next_of_any(struct rig *rig, bool wants_states)
{
	uint32_t turns;

	for (turns = 0; turns < MAX_TURNS; turns++) {
		CHECK(dpubridge_enter(rig->bridge, 64) != UINT32_MAX);
		while (rig->header->completion_head != rig->header->completion_tail) {
			struct dpubridge_record record = rig->records[rig->header->completion_head++ & (2 * SLOTS - 1)];

			if (record.type != DPUBRIDGE_RECORD_CONTEXT_STATE || wants_states)
				return record;
		}
		CHECK(dpubridge_wait(rig->bridge, bound_ns, bound_ns, 0, 0) >= 0);
	}
	CHECK(!"a record");
	return (struct dpubridge_record){ .type = 0 };
}

/* Returns the next record of this type; skips changes of state. */
static inline struct dpubridge_record next(struct rig *rig, uint8_t type)
{
	struct dpubridge_record record = next_of_any(rig, type == DPUBRIDGE_RECORD_CONTEXT_STATE);

	CHECK_EQ(record.type, type);
	return record;
}

/* Connects the client to the server. Events arrive in any order of the two contexts. */
static inline void connect(struct rig *rig, struct doca_rdma_addr *addr, uint32_t *accepted, uint32_t *connected)
{
	struct dpubridge_record first, second;

	CHECK_EQ(dpubridge_rdma_connect(rig->bridge, rig->client_handle, addr, connected), DOCA_SUCCESS);
	CHECK(dpubridge_connection_pointer(rig->bridge, *connected) == NULL);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, *connected), DOCA_ERROR_AGAIN);
	first = next(rig, DPUBRIDGE_RECORD_REQUESTED);
	CHECK_EQ(first.user_data, 1);
	*accepted = first.states;
	CHECK_EQ(doca_rdma_connection_accept(dpubridge_connection_pointer(rig->bridge, *accepted), NULL, 0), DOCA_SUCCESS);
	first = next(rig, DPUBRIDGE_RECORD_CONNECTED);
	second = next(rig, DPUBRIDGE_RECORD_CONNECTED);
	CHECK_EQ(first.user_data + second.user_data, 3);
	CHECK_EQ(first.user_data == 1 ? first.states : second.states, *accepted);
	CHECK_EQ(first.user_data == 1 ? second.states : first.states, *connected);
	CHECK(dpubridge_connection_pointer(rig->bridge, *connected) != NULL);
}

static inline void stop(struct rig *rig, struct doca_rdma *rdma, uint32_t handle)
{
	doca_error_t status;

	status = doca_ctx_stop(doca_rdma_as_ctx(rdma));
	CHECK(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
	while ((next(rig, DPUBRIDGE_RECORD_CONTEXT_STATE).states & 0xffff) != DOCA_CTX_STATE_IDLE)
		;
	CHECK_EQ(dpubridge_context_detach(rig->bridge, handle), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_destroy(rdma), DOCA_SUCCESS);
}

static inline void destroy(struct rig *rig)
{
	struct softdpu_census census, empty = { 0 };

	CHECK_EQ(dpubridge_destroy(rig->bridge), 0);
	CHECK_EQ(doca_buf_dec_refcount(rig->local, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_dec_refcount(rig->room, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_dec_refcount(rig->old, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_dec_refcount(rig->number, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_destroy(rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->remote), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->map), DOCA_SUCCESS);
	CHECK_EQ(doca_pe_destroy(rig->pe), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(rig->dev), DOCA_SUCCESS);
	softdpu_census(&census);
	CHECK(memcmp(&census, &empty, sizeof(census)) == 0);
}

/* Stops both contexts and destroys all objects; each connection has ended. */
static inline void finish(struct rig *rig, struct doca_rdma_addr *addr)
{
	CHECK_EQ(doca_rdma_addr_destroy(addr), DOCA_SUCCESS);
	stop(rig, rig->client, rig->client_handle);
	stop(rig, rig->server, rig->server_handle);
	destroy(rig);
}

/* Runs a test with threads that execute tasks, and with tasks that complete inside doca_pe_progress. */
static inline void run_both(void (*run)(enum softdpu_execution execution))
{
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
}

#endif
