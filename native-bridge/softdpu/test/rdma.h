/*
 * Two RDMA contexts of this process, requester and responder, with an engine and memory each. The requester accesses the memory
 * of the responder through a map that it imported, and an event of the responder. Both send and receive messages.
 */
#ifndef RDMA_H
#define RDMA_H

#include <endian.h>
#include <string.h>

#include "doca_rdma.h"
#include "doca_sync_event.h"
#include "rig.h"

enum { RDMA_MEMORY = 1 << 20, RDMA_TASKS = 256, RDMA_LIST_LEN = 8 };

/* What a receive task reports. */
struct rdma_message {
	uint64_t number;			/* user data of the task */
	enum doca_rdma_opcode opcode;
	uint32_t immediate, len;
	const struct doca_rdma_connection *connection;
	struct doca_buf *buf;
};

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
	int received, unreceived;		/* ended receive tasks: successful and failed */
	struct rdma_message message;		/* of the last received one */
	void (*on_task)(uint64_t number);	/**< called for each ended task, if not NULL */
};

struct rdma_pair {
	struct rdma_side requester, responder;
	struct doca_rdma_connection *connection, *peer;	/* of the requester and of the responder */
	struct doca_mmap *remote;		/* memory of the responder */
	struct doca_sync_event *event;		/* of the responder; see rdma_event_open() */
	struct doca_sync_event_remote_net *remote_event;
};

#define RDMA_ALL (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

enum rdma_op {
	RDMA_READ,
	RDMA_WRITE,
	RDMA_WRITE_IMM,
	RDMA_SEND,
	RDMA_SEND_IMM,
	RDMA_SWAP,
	RDMA_ADD,
	RDMA_EVENT_GET,
	RDMA_EVENT_SET,
	RDMA_EVENT_ADD,
	RDMA_OPS
};

enum { RDMA_IMMEDIATE = 0x1234abcd, RDMA_COMPARED = 7, RDMA_OPERAND = 1000 };

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

/* Of all other tasks except receive tasks; DOCA makes the callbacks' types call-compatible. */
RIG void rdma_ended(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	rdma_task_ended(ctx_data.ptr, task);
}

RIG void rdma_received(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data)
{
	struct rdma_side *side = ctx_data.ptr;

	side->received++;
	side->message = (struct rdma_message){
		.number = task_data.u64,
		.opcode = doca_rdma_task_receive_get_result_opcode(task),
		.immediate = be32toh(doca_rdma_task_receive_get_result_immediate_data(task)),
		.len = doca_rdma_task_receive_get_result_len(task),
		.connection = doca_rdma_task_receive_get_result_rdma_connection(task),
		.buf = doca_rdma_task_receive_get_dst_buf(task),
	};
	doca_task_free(doca_rdma_task_receive_as_task(task));
}

RIG void rdma_unreceived(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data)
{
	struct rdma_side *side = ctx_data.ptr;

	(void)task_data;
	side->unreceived++;
	CHECK_ERROR(doca_task_get_status(doca_rdma_task_receive_as_task(task)), DOCA_ERROR_IO_FAILED);
	doca_task_free(doca_rdma_task_receive_as_task(task));
}

#define RDMA_CALLBACK(kind) ((doca_rdma_task_##kind##_completion_cb_t)(void (*)(void))rdma_ended)
#define RDMA_CONFIGURE(side, kind) \
	CHECK_OK(doca_rdma_task_##kind##_set_conf((side)->rdma, RDMA_CALLBACK(kind), RDMA_CALLBACK(kind), RDMA_TASKS))

RIG void rdma_configure(struct rdma_side *side)
{
	CHECK_OK(doca_rdma_task_read_set_conf(side->rdma, rdma_read_ended, rdma_read_ended, RDMA_TASKS));
	CHECK_OK(doca_rdma_task_write_set_conf(side->rdma, rdma_write_ended, rdma_write_ended, RDMA_TASKS));
	CHECK_OK(doca_rdma_task_receive_set_conf(side->rdma, rdma_received, rdma_unreceived, RDMA_TASKS));
	RDMA_CONFIGURE(side, write_imm);
	RDMA_CONFIGURE(side, send);
	RDMA_CONFIGURE(side, send_imm);
	RDMA_CONFIGURE(side, atomic_cmp_swp);
	RDMA_CONFIGURE(side, atomic_fetch_add);
	RDMA_CONFIGURE(side, remote_net_sync_event_get);
	RDMA_CONFIGURE(side, remote_net_sync_event_notify_set);
	RDMA_CONFIGURE(side, remote_net_sync_event_notify_add);
	CHECK_OK(doca_rdma_set_max_send_buf_list_len(side->rdma, RDMA_LIST_LEN));
	CHECK_OK(doca_rdma_task_receive_set_dst_buf_list_len(side->rdma, RDMA_LIST_LEN));
	CHECK_OK(doca_rdma_set_max_num_connections(side->rdma, 4));
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
	rdma_configure(side);
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

RIG void rdma_pair_open_with(struct rdma_pair *pair, uint32_t map_permissions, uint32_t context_permissions,
			     uint8_t rnr_retry_count)
{
	memset(pair, 0, sizeof(*pair));
	rdma_side_open(&pair->requester, "03:00.0", 0);
	rdma_side_open(&pair->responder, "81:00.0", map_permissions);
	CHECK_OK(doca_rdma_set_permissions(pair->responder.rdma, context_permissions));
	CHECK_OK(doca_rdma_set_rnr_retry_count(pair->requester.rdma, rnr_retry_count));
	CHECK_OK(doca_ctx_start(pair->requester.ctx));
	CHECK_OK(doca_ctx_start(pair->responder.ctx));
	rdma_connect(pair, &pair->connection, &pair->peer);
	if (map_permissions != 0)
		pair->remote = rdma_import(pair);
}

RIG void rdma_pair_open(struct rdma_pair *pair, uint32_t map_permissions, uint32_t context_permissions)
{
	rdma_pair_open_with(pair, map_permissions, context_permissions, 6);
}

/* Creates an event of the responder, started for blocking calls, and imports it. */
RIG void rdma_event_open(struct rdma_pair *pair)
{
	const uint8_t *data;
	size_t len;

	CHECK_OK(doca_sync_event_create(&pair->event));
	CHECK_OK(doca_sync_event_add_publisher_location_remote_net(pair->event));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(pair->event, pair->responder.dev));
	CHECK_OK(doca_sync_event_start(pair->event));
	CHECK_OK(doca_sync_event_export_to_remote_net(pair->event, &data, &len));
	CHECK(len <= 256);
	CHECK_OK(doca_sync_event_remote_net_create_from_export(pair->requester.dev, data, len, &pair->remote_event));
}

RIG void rdma_event_close(struct rdma_pair *pair)
{
	if (pair->event != NULL) {
		CHECK_OK(doca_sync_event_stop(pair->event));
		CHECK_OK(doca_sync_event_destroy(pair->event));
		pair->event = NULL;
	}
	if (pair->remote_event != NULL)
		CHECK_OK(doca_sync_event_remote_net_destroy(pair->remote_event));
	pair->remote_event = NULL;
}

RIG void rdma_pair_close(struct rdma_pair *pair)
{
	rdma_side_stop(&pair->requester);
	rdma_event_close(pair);
	if (pair->remote != NULL)
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

/* Posts a receive task of a side. buf: NULL for none. */
RIG void rdma_post(struct rdma_side *side, struct doca_buf *buf, uint64_t number)
{
	union doca_data data = { .u64 = number };
	struct doca_rdma_task_receive *task;

	CHECK_OK(doca_rdma_task_receive_allocate_init(side->rdma, buf, data, &task));
	CHECK_OK(doca_task_submit(doca_rdma_task_receive_as_task(task)));
}

/* Returns a buffer of the responder's memory, for its receive tasks. */
RIG struct doca_buf *rdma_room(struct rdma_side *side, size_t offset, size_t len)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(side->inventory, side->map, side->memory + offset, len, &buf));
	return buf;
}

#define RDMA_ALLOCATE(kind, ...) \
	do { \
		struct doca_rdma_task_##kind *allocated; \
		CHECK_OK(doca_rdma_task_##kind##_allocate_init(pair->requester.rdma, connection, __VA_ARGS__, data, &allocated)); \
		task = doca_rdma_task_##kind##_as_task(allocated); \
	} while (0)

/* Allocates a task of the requester. local and remote: NULL where the operation has none. */
RIG struct doca_task *rdma_allocate(struct rdma_pair *pair, enum rdma_op op, struct doca_rdma_connection *connection,
				    struct doca_buf *local, struct doca_buf *remote, uint64_t number)
{
	union doca_data data = { .u64 = number };
	struct doca_task *task = NULL;

	switch (op) {
	case RDMA_READ:
		RDMA_ALLOCATE(read, remote, local);
		break;
	case RDMA_WRITE:
		RDMA_ALLOCATE(write, local, remote);
		break;
	case RDMA_WRITE_IMM:
		RDMA_ALLOCATE(write_imm, local, remote, htobe32(RDMA_IMMEDIATE));
		break;
	case RDMA_SEND:
		RDMA_ALLOCATE(send, local);
		break;
	case RDMA_SEND_IMM:
		RDMA_ALLOCATE(send_imm, local, htobe32(RDMA_IMMEDIATE));
		break;
	case RDMA_SWAP:
		RDMA_ALLOCATE(atomic_cmp_swp, remote, local, RDMA_COMPARED, RDMA_OPERAND);
		break;
	case RDMA_ADD:
		RDMA_ALLOCATE(atomic_fetch_add, remote, local, RDMA_OPERAND);
		break;
	case RDMA_EVENT_GET:
		RDMA_ALLOCATE(remote_net_sync_event_get, pair->remote_event, local);
		break;
	case RDMA_EVENT_SET:
		RDMA_ALLOCATE(remote_net_sync_event_notify_set, pair->remote_event, local);
		break;
	default:
		RDMA_ALLOCATE(remote_net_sync_event_notify_add, pair->remote_event, local, RDMA_OPERAND);
	}
	return task;
}

RIG void rdma_submit(struct rdma_pair *pair, enum rdma_op op, struct doca_rdma_connection *connection, struct doca_buf *local,
		     struct doca_buf *remote, uint64_t number)
{
	CHECK_OK(doca_task_submit(rdma_allocate(pair, op, connection, local, remote, number)));
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
