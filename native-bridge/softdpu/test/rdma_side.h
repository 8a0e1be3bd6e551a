/*
 * An RDMA context of this process, with an engine and memory. The side has callbacks for all tasks, and counts their
 * ends.
 */
#ifndef RDMA_SIDE_H
#define RDMA_SIDE_H

#include <endian.h>
#include <string.h>

#include "doca_rdma.h"
#include "rig.h"

#ifndef RDMA_MEMORY
#define RDMA_MEMORY (1 << 20)
#endif

enum { RDMA_TASKS = 256, RDMA_LIST_LEN = 8 };

/* The results of a receive task. */
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

#endif
