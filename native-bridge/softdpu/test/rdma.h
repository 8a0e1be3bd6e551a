/*
 * Two RDMA contexts of this process, requester and responder. The requester accesses the memory of the responder through a map that it
 * imported, and an event of the responder. Both send and receive messages.
 */
#ifndef RDMA_H
#define RDMA_H

#include "doca_sync_event.h"
#include "rdma_side.h"

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
	CHECK_EQ(len, 120);
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

/* Returns the time of the device: virtual with inline execution. */
RIG uint64_t rdma_now_ns(void)
{
	struct timespec now;

	if (softdpu_get_execution() == SOFTDPU_EXECUTION_INLINE)
		return softdpu_clock_now();
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
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
