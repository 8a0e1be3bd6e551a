/*
 * Two RDMA contexts of this process, requester and responder, with an engine and memory each. The requester reads and writes the
 * memory of the responder through a map that it imported.
 */
#ifndef RDMA_H
#define RDMA_H

#include <string.h>

#include "doca_rdma.h"
#include "rig.h"

enum { RDMA_MEMORY = 1 << 20, RDMA_TASKS = 256, RDMA_LIST_LEN = 8 };

struct rdma_side {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	uint8_t *memory;			/* RDMA_MEMORY bytes, all in map */
	int completed, failed;
	doca_error_t last_status;
	uint64_t order[4 * RDMA_TASKS];		/* user data of ended tasks, in order */
	uint32_t last_read_len;
	void (*on_task)(uint64_t number);	/**< called for each ended task, if not NULL */
};

struct rdma_pair {
	struct rdma_side requester, responder;
	struct doca_rdma_connection *connection, *peer;	/* of the requester and of the responder */
	struct doca_mmap *remote;		/* memory of the responder */
};

#define RDMA_ALL (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)

RIG void rdma_task_ended(struct rdma_side *side, struct doca_task *task)
{
	side->last_status = doca_task_get_status(task);
	side->order[(side->completed + side->failed) % (4 * RDMA_TASKS)] = doca_task_get_user_data(task).u64;
	if (side->last_status == DOCA_SUCCESS)
		side->completed++;
	else
		side->failed++;
	if (side->on_task != NULL)
		side->on_task(doca_task_get_user_data(task).u64);
	doca_task_free(task);
}

RIG void rdma_read_ended(struct doca_rdma_task_read *task, union doca_data task_data, union doca_data ctx_data)
{
	struct rdma_side *side = ctx_data.ptr;

	(void)task_data;
	side->last_read_len = doca_rdma_task_read_get_result_len(task);
	rdma_task_ended(side, doca_rdma_task_read_as_task(task));
}

RIG void rdma_write_ended(struct doca_rdma_task_write *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	rdma_task_ended(ctx_data.ptr, doca_rdma_task_write_as_task(task));
}

/* Opens everything except the start. */
RIG void rdma_side_open(struct rdma_side *side, const char *pci_addr, uint32_t map_permissions)
{
	union doca_data data = { .ptr = side };

	memset(side, 0, sizeof(*side));
	side->memory = calloc(1, RDMA_MEMORY);
	CHECK(side->memory != NULL);
	side->dev = rig_open_device(pci_addr);
	CHECK_OK(doca_pe_create(&side->pe));
	CHECK_OK(doca_mmap_create(&side->map));
	CHECK_OK(doca_mmap_set_memrange(side->map, side->memory, RDMA_MEMORY));
	CHECK_OK(doca_mmap_set_permissions(side->map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | map_permissions));
	CHECK_OK(doca_mmap_add_dev(side->map, side->dev));
	CHECK_OK(doca_mmap_start(side->map));
	CHECK_OK(doca_buf_inventory_create(4096, &side->inventory));
	CHECK_OK(doca_buf_inventory_start(side->inventory));
	CHECK_OK(doca_rdma_create(side->dev, &side->rdma));
	side->ctx = doca_rdma_as_ctx(side->rdma);
	CHECK_OK(doca_pe_connect_ctx(side->pe, side->ctx));
	CHECK_OK(doca_ctx_set_user_data(side->ctx, data));
	CHECK_OK(doca_rdma_task_read_set_conf(side->rdma, rdma_read_ended, rdma_read_ended, RDMA_TASKS));
	CHECK_OK(doca_rdma_task_write_set_conf(side->rdma, rdma_write_ended, rdma_write_ended, RDMA_TASKS));
	CHECK_OK(doca_rdma_set_max_send_buf_list_len(side->rdma, RDMA_LIST_LEN));
	CHECK_OK(doca_rdma_set_max_num_connections(side->rdma, 4));
}

RIG enum doca_ctx_states rdma_state(const struct rdma_side *side)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(side->ctx, &state));
	return state;
}

RIG void rdma_side_stop(struct rdma_side *side)
{
	doca_error_t result = doca_ctx_stop(side->ctx);

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(side->pe, rdma_state(side) == DOCA_CTX_STATE_IDLE);
}

RIG void rdma_side_close(struct rdma_side *side)
{
	rdma_side_stop(side);
	CHECK_OK(doca_rdma_destroy(side->rdma));
	CHECK_OK(doca_buf_inventory_destroy(side->inventory));
	CHECK_OK(doca_mmap_destroy(side->map));
	CHECK_OK(doca_pe_destroy(side->pe));
	CHECK_OK(doca_dev_close(side->dev));
	free(side->memory);
}

/* Connects two new connections with each other. */
RIG void rdma_connect(struct rdma_pair *pair, struct doca_rdma_connection **connection, struct doca_rdma_connection **peer)
{
	const void *details, *peer_details;
	size_t len, peer_len;

	CHECK_OK(doca_rdma_export(pair->requester.rdma, &details, &len, connection));
	CHECK_OK(doca_rdma_export(pair->responder.rdma, &peer_details, &peer_len, peer));
	CHECK_OK(doca_rdma_connect(pair->requester.rdma, peer_details, peer_len, *connection));
	CHECK_OK(doca_rdma_connect(pair->responder.rdma, details, len, *peer));
}

RIG struct doca_mmap *rdma_import(struct rdma_pair *pair)
{
	struct doca_mmap *imported;
	const void *desc;
	size_t len;

	CHECK_OK(doca_mmap_export_rdma(pair->responder.map, pair->responder.dev, &desc, &len));
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, pair->requester.dev, &imported));
	return imported;
}

RIG void rdma_pair_open(struct rdma_pair *pair, uint32_t map_permissions, uint32_t context_permissions)
{
	rdma_side_open(&pair->requester, "03:00.0", 0);
	rdma_side_open(&pair->responder, "81:00.0", map_permissions);
	CHECK_OK(doca_rdma_set_permissions(pair->responder.rdma, context_permissions));
	CHECK_OK(doca_ctx_start(pair->requester.ctx));
	CHECK_OK(doca_ctx_start(pair->responder.ctx));
	rdma_connect(pair, &pair->connection, &pair->peer);
	pair->remote = rdma_import(pair);
}

RIG void rdma_pair_close(struct rdma_pair *pair)
{
	rdma_side_stop(&pair->requester);
	CHECK_OK(doca_mmap_destroy(pair->remote));
	rdma_side_close(&pair->requester);
	rdma_side_close(&pair->responder);
	rig_check_nothing_is_left();
}

/* Returns a buffer with content at an offset of the requester's memory. */
RIG struct doca_buf *rdma_local(struct rdma_pair *pair, size_t offset, size_t len, int is_source)
{
	struct rdma_side *side = &pair->requester;
	struct doca_buf *buf;

	if (is_source)
		CHECK_OK(doca_buf_inventory_buf_get_by_data(side->inventory, side->map, side->memory + offset, len, &buf));
	else
		CHECK_OK(doca_buf_inventory_buf_get_by_addr(side->inventory, side->map, side->memory + offset, len, &buf));
	return buf;
}

/* The same for the memory of the responder. */
RIG struct doca_buf *rdma_remote(struct rdma_pair *pair, size_t offset, size_t len, int is_source)
{
	struct doca_buf_inventory *inventory = pair->requester.inventory;
	void *addr = pair->responder.memory + offset;
	struct doca_buf *buf;

	if (is_source)
		CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, pair->remote, addr, len, &buf));
	else
		CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, pair->remote, addr, len, &buf));
	return buf;
}

RIG void rdma_submit_write(struct rdma_pair *pair, struct doca_rdma_connection *connection, struct doca_buf *src,
			   struct doca_buf *dst, uint64_t number)
{
	union doca_data data = { .u64 = number };
	struct doca_rdma_task_write *task;

	CHECK_OK(doca_rdma_task_write_allocate_init(pair->requester.rdma, connection, src, dst, data, &task));
	CHECK_OK(doca_task_submit(doca_rdma_task_write_as_task(task)));
}

RIG void rdma_submit_read(struct rdma_pair *pair, struct doca_rdma_connection *connection, struct doca_buf *src,
			  struct doca_buf *dst, uint64_t number)
{
	union doca_data data = { .u64 = number };
	struct doca_rdma_task_read *task;

	CHECK_OK(doca_rdma_task_read_allocate_init(pair->requester.rdma, connection, src, dst, data, &task));
	CHECK_OK(doca_task_submit(doca_rdma_task_read_as_task(task)));
}

RIG void rdma_wait(struct rdma_pair *pair, int num_ended)
{
	RIG_PROGRESS_UNTIL(pair->requester.pe, pair->requester.completed + pair->requester.failed >= num_ended);
	CHECK_EQ(pair->requester.completed + pair->requester.failed, num_ended);
}

/* Writes or reads len bytes between the same offsets of both sides; waits for the end. */
RIG doca_error_t rdma_transfer(struct rdma_pair *pair, struct doca_rdma_connection *connection, int is_write, size_t offset,
			       size_t len)
{
	struct doca_buf *local = rdma_local(pair, offset, len, is_write);
	struct doca_buf *remote = rdma_remote(pair, offset, len, !is_write);
	int num_ended = pair->requester.completed + pair->requester.failed;

	if (is_write)
		rdma_submit_write(pair, connection, local, remote, 0);
	else
		rdma_submit_read(pair, connection, remote, local, 0);
	rdma_wait(pair, num_ended + 1);
	rig_drop(local);
	rig_drop(remote);
	return pair->requester.last_status;
}

#endif
