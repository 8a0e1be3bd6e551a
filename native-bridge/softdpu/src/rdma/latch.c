/* Latching of buffers at submission. Thread: program's. See sd_rdma.h. */
#include "sd_rdma.h"

enum { NUMBER = sizeof(uint64_t) };

static doca_error_t latch_source(struct rdma_task *task)
{
	return task->src == NULL ? DOCA_SUCCESS : sd_latch_source(&task->local, task->src, task->base.ctx->dev);
}

/* Latches a destination with room for the total. Without bytes, there may be none. */
static doca_error_t latch_destination(struct rdma_task *task)
{
	doca_error_t result = DOCA_SUCCESS;

	if (task->dst != NULL || task->total > 0)
		result = sd_latch_destination(&task->local, task->dst, task->base.ctx->dev);
	if (result == DOCA_SUCCESS && task->local.total < task->total)
		result = DOCA_ERROR_INVALID_VALUE;
	return result;
}

static doca_error_t latch_remote(struct rdma_task *task, const struct doca_buf *buf)
{
	return sd_latch_remote(&task->remote, buf, task->base.ctx->dev, rdma_kind_of(task)->permission, task->total);
}

doca_error_t rdma_latch_write(struct rdma_task *task)
{
	doca_error_t result = latch_source(task);

	task->total = task->local.total;
	if (result == DOCA_SUCCESS && (task->dst != NULL || task->total > 0))
		result = latch_remote(task, task->dst);
	return result;
}

doca_error_t rdma_latch_read(struct rdma_task *task)
{
	doca_error_t result = DOCA_SUCCESS;

	if (task->src != NULL)
		result = doca_buf_get_data_len(task->src, &task->total);
	if (result == DOCA_SUCCESS && task->src != NULL)
		result = latch_remote(task, task->src);
	return result == DOCA_SUCCESS ? latch_destination(task) : result;
}

doca_error_t rdma_latch_send(struct rdma_task *task)
{
	doca_error_t result = latch_source(task);

	task->total = task->local.total;
	return result;
}

/* The program's src is the remote number; dst receives the value before the change. */
doca_error_t rdma_latch_atomic(struct rdma_task *task)
{
	doca_error_t result;

	task->total = NUMBER;
	result = latch_remote(task, task->src);
	if (result == DOCA_SUCCESS && (uintptr_t)task->remote.segments[0].addr % NUMBER != 0)
		result = DOCA_ERROR_INVALID_VALUE;
	return result == DOCA_SUCCESS ? latch_destination(task) : result;
}

static doca_error_t hold_event(struct rdma_task *task)
{
	if (task->event == NULL || task->event->dev != task->base.ctx->dev)
		return DOCA_ERROR_INVALID_VALUE;
	task->held_event = task->event;
	sd_remote_event_hold(task->event);
	return DOCA_SUCCESS;
}

doca_error_t rdma_latch_event_result(struct rdma_task *task)
{
	task->total = NUMBER;
	return hold_event(task) == DOCA_SUCCESS ? latch_destination(task) : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t rdma_latch_event_value(struct rdma_task *task)
{
	doca_error_t result = hold_event(task);

	if (result == DOCA_SUCCESS)
		result = sd_latch_source(&task->local, task->src, task->base.ctx->dev);
	task->total = NUMBER;
	return result == DOCA_SUCCESS && task->local.total != NUMBER ? DOCA_ERROR_INVALID_VALUE : result;
}

void rdma_release(struct rdma_task *task)
{
	sd_latch_release(&task->local);
	sd_latch_release(&task->remote);
	if (task->held_event != NULL)
		sd_remote_event_release(task->held_event);
	task->held_event = NULL;
}

doca_error_t rdma_latch(struct rdma_task *task)
{
	const struct doca_rdma *rdma = (const struct doca_rdma *)task->base.ctx;
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	task->total = 0;
	if (task->connection != NULL && task->connection->rdma == rdma)
		result = rdma_kind_of(task)->latch(task);
	if (result == DOCA_SUCCESS &&
	    (task->total > RDMA_MAX_MESSAGE_SIZE || task->local.count > rdma->max_send_buf_list_len))
		result = DOCA_ERROR_INVALID_VALUE;
	if (result != DOCA_SUCCESS)
		rdma_release(task);
	return result;
}
