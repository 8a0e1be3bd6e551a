#include "rdma.h"

#include <stdlib.h>

#include <doca_pe.h>

#include "report.h"

struct rdma_receive {
	struct rdma_inbox *inbox;
	struct doca_buf *buf;
	const uint8_t *bytes;
};

static void post(struct rdma_receive *receive, struct doca_rdma_task_receive *task)
{
	doca_error_t result = doca_buf_reset_data_len(receive->buf);

	if (result == DOCA_SUCCESS)
		result = doca_task_submit(doca_rdma_task_receive_as_task(task));
	if (report(result, "doca_task_submit", "receive"))
		return;
	doca_task_free(doca_rdma_task_receive_as_task(task));
	receive->inbox->failed = true;
}

static void on_received(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data)
{
	struct rdma_receive *receive = task_data.ptr;
	struct rdma_inbox *inbox = receive->inbox;

	(void)ctx_data;
	inbox->handle(inbox->owner, doca_rdma_task_receive_get_result_rdma_connection(task), receive->bytes,
		      doca_rdma_task_receive_get_result_len(task));
	post(receive, task);
}

/* A receive fails when its context stops, when a connection ends within a message, or when a message is too long. */
static void on_not_received(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data)
{
	struct rdma_receive *receive = task_data.ptr;
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	(void)ctx_data;
	report(doca_ctx_get_state(receive->inbox->ctx, &state), "doca_ctx_get_state", "receive");
	if (state == DOCA_CTX_STATE_RUNNING)
		post(receive, task);
	else
		doca_task_free(doca_rdma_task_receive_as_task(task));
}

doca_error_t rdma_inbox_configure(struct doca_rdma *rdma, uint32_t num)
{
	return doca_rdma_task_receive_set_conf(rdma, on_received, on_not_received, num);
}

static bool open_receive(struct rdma_inbox *inbox, struct doca_rdma *rdma, struct rdma_receive *receive, size_t len)
{
	union doca_data data = { .ptr = receive };
	struct doca_rdma_task_receive *task;

	receive->inbox = inbox;
	receive->bytes = inbox->region.base + (size_t)(receive - inbox->receives) * len;
	if (!report(doca_buf_inventory_buf_get_by_addr(inbox->inventory, inbox->region.map, (void *)(uintptr_t)receive->bytes, len,
						       &receive->buf),
		    "doca_buf_inventory_buf_get_by_addr", "receive") ||
	    !report(doca_rdma_task_receive_allocate_init(rdma, receive->buf, data, &task), "doca_rdma_task_receive_allocate_init",
		    "receive"))
		return false;
	post(receive, task);
	return !inbox->failed;
}

bool rdma_inbox_open(struct rdma_inbox *inbox, struct doca_rdma *rdma, struct doca_dev *dev, uint32_t num, size_t len)
{
	uint32_t i;

	inbox->ctx = doca_rdma_as_ctx(rdma);
	inbox->count = num;
	inbox->receives = calloc(num, sizeof(*inbox->receives));
	if (inbox->receives == NULL)
		return report(DOCA_ERROR_NO_MEMORY, "calloc", "%u receives", num);
	inbox->inventory = region_open_inventory(num);
	if (inbox->inventory == NULL || !region_open(&inbox->region, num * len, dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE))
		return false;
	for (i = 0; i < num; i++)
		if (!open_receive(inbox, rdma, &inbox->receives[i], len))
			return false;
	return true;
}

bool rdma_inbox_close(struct rdma_inbox *inbox)
{
	bool clean = true;
	uint32_t i;

	for (i = 0; inbox->receives != NULL && i < inbox->count && inbox->receives[i].buf != NULL; i++)
		clean = report(doca_buf_dec_refcount(inbox->receives[i].buf, NULL), "doca_buf_dec_refcount", "receive") && clean;
	free(inbox->receives);
	inbox->receives = NULL;
	if (inbox->inventory != NULL)
		clean = report(doca_buf_inventory_destroy(inbox->inventory), "doca_buf_inventory_destroy", "receives") && clean;
	inbox->inventory = NULL;
	return region_close(&inbox->region) && clean;
}
