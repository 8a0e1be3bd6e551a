/* Read and write tasks. */
#include "sd_rdma.h"

static const struct rdma_kind *kind_of(const struct rdma_task *task)
{
	return (const struct rdma_kind *)task->base.pool->operation;
}

static doca_error_t latch_write(struct rdma_task *task)
{
	const struct doca_dev *dev = task->base.ctx->dev;
	doca_error_t result = DOCA_SUCCESS;

	if (task->src != NULL)
		result = sd_latch_source(&task->in, task->src, dev);
	if (result == DOCA_SUCCESS && (task->dst != NULL || task->in.total > 0))
		result = sd_latch_remote(&task->out, task->dst, dev, rdma_write.permission, task->in.total);
	return result;
}

static doca_error_t latch_read(struct rdma_task *task)
{
	const struct doca_dev *dev = task->base.ctx->dev;
	doca_error_t result = DOCA_SUCCESS;
	size_t len = 0;

	if (task->src != NULL)
		result = doca_buf_get_data_len(task->src, &len);
	if (result == DOCA_SUCCESS && task->src != NULL)
		result = sd_latch_remote(&task->in, task->src, dev, rdma_read.permission, len);
	if (result == DOCA_SUCCESS && (task->dst != NULL || len > 0))
		result = sd_latch_destination(&task->out, task->dst, dev);
	return result;
}

static const struct sd_latch *remote_of_write(const struct rdma_task *task)
{
	return &task->out;
}

static const struct sd_latch *remote_of_read(const struct rdma_task *task)
{
	return &task->in;
}

static void release(struct rdma_task *task)
{
	sd_latch_release(&task->in);
	sd_latch_release(&task->out);
}

/* Latches both lists and checks them; after an error nothing stays latched. */
static doca_error_t latch_lists(struct rdma_task *task)
{
	const struct doca_rdma *rdma = (const struct doca_rdma *)task->base.ctx;
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	if (task->connection != NULL && task->connection->rdma == rdma)
		result = kind_of(task)->latch(task);
	if (result == DOCA_SUCCESS && (task->in.total > task->out.total || task->in.total > RDMA_MAX_MESSAGE_SIZE ||
				       task->in.count > rdma->max_send_buf_list_len ||
				       task->out.count > rdma->max_send_buf_list_len))
		result = DOCA_ERROR_INVALID_VALUE;
	if (result != DOCA_SUCCESS)
		release(task);
	return result;
}

static doca_error_t validate(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (latch_lists(task) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	release(task);
	return DOCA_SUCCESS;
}

/* A task with invalid lists fails when it is its turn: older tasks of the connection must not fail with it. */
static doca_error_t latch(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	task->executed_len = 0;
	task->latched = latch_lists(task);
	if (task->connection == NULL || task->connection->rdma != (const struct doca_rdma *)base->ctx)
		return DOCA_ERROR_IO_FAILED;
	task->is_late = task->connection->has_failed_task;
	/* The device fails this task without begin(). */
	if (base->fault.error != DOCA_SUCCESS || base->fault.lost)
		task->connection->has_failed_task = 1;
	return DOCA_SUCCESS;
}

static void begin(struct doca_task *base)
{
	rdma_connection_submit((struct rdma_task *)base);
}

static doca_error_t copy(struct rdma_task *task)
{
	const struct rdma_kind *kind = kind_of(task);
	doca_error_t result = rdma_connection_check(task->connection, kind->permission, kind->remote(task));

	return result == DOCA_SUCCESS ? sd_latch_copy(&task->out, &task->in, NULL, 0) : result;
}

static doca_error_t execute(struct doca_task *base, void *unit)
{
	struct rdma_task *task = (struct rdma_task *)base;
	doca_error_t result = task->latched == DOCA_SUCCESS ? copy(task) : DOCA_ERROR_IO_FAILED;

	(void)unit;
	if (result == DOCA_SUCCESS)
		task->executed_len = task->in.total;
	rdma_connection_executed(task->connection, result);
	return result;
}

static void complete(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (base->status == DOCA_SUCCESS) {
		sd_latch_commit(&task->out, task->executed_len);
	} else {
		task->executed_len = 0;
		if (task->connection != NULL && task->connection->rdma == (const struct doca_rdma *)base->ctx)
			rdma_connection_end(task->connection);
	}
	release(task);
}

static void corrupt(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (task->executed_len > 0)
		sd_latch_flip_bit(&task->out, task->executed_len / 2);
}

#define OPERATION(text, type)                       \
	{                                           \
		.name = text,                       \
		.task_size = sizeof(struct type),   \
		.validate = validate,               \
		.latch = latch,                     \
		.begin = begin,                     \
		.execute = execute,                 \
		.complete = complete,               \
		.corrupt = corrupt,                 \
	}

const struct rdma_kind rdma_read = {
	.operation = OPERATION("rdma-read", doca_rdma_task_read),
	.permission = DOCA_ACCESS_FLAG_RDMA_READ,
	.latch = latch_read,
	.remote = remote_of_read,
};

const struct rdma_kind rdma_write = {
	.operation = OPERATION("rdma-write", doca_rdma_task_write),
	.permission = DOCA_ACCESS_FLAG_RDMA_WRITE,
	.latch = latch_write,
	.remote = remote_of_write,
};
