/* The kinds of tasks of connections. See sd_rdma.h. */
#include <stdatomic.h>

#include "sd_fault.h"
#include "sd_rdma.h"

static uint8_t names_connection(const struct rdma_task *task)
{
	return task->connection != NULL && task->connection->rdma == (const struct doca_rdma *)task->base.ctx;
}

static struct sd_task_order *order(const struct doca_task *base)
{
	const struct rdma_task *task = (const struct rdma_task *)base;

	return names_connection(task) ? &task->connection->order : NULL;
}

static doca_error_t validate(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (rdma_latch(task) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	rdma_release(task);
	return DOCA_SUCCESS;
}

/* A task with invalid lists fails when it is its turn: older tasks of the connection must not fail with it. */
static doca_error_t latch(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	task->done = 0;
	task->receive = NULL;
	task->latched = rdma_latch(task);
	if (!names_connection(task))
		return DOCA_ERROR_IO_FAILED;
	sd_fault_draw_link(SD_FAULT_RDMA_LINK, &base->fault);
	atomic_fetch_add(&task->connection->num_tasks, 1);
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

static void complete(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (base->status == DOCA_SUCCESS)
		sd_latch_commit(&task->local, task->done); /* has no effect on a source */
	else
		task->done = 0;
	rdma_release(task);
	if (!names_connection(task))
		return;
	if (base->status != DOCA_SUCCESS && base->fault.is_link_down)
		rdma_connections_end(task->connection->rdma);
	else if (base->status != DOCA_SUCCESS)
		rdma_connection_end(task->connection);
	atomic_fetch_sub(&task->connection->num_tasks, 1);
}

static uint8_t is_held_up(const struct doca_task *base)
{
	const struct rdma_task *task = (const struct rdma_task *)base;

	return sd_latch_is_held_up(&task->remote) ||
	       (task->held_event != NULL && sd_remote_event_is_held_up(task->held_event));
}

static void corrupt_local(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (task->done > 0)
		sd_latch_flip_bit(&task->local, task->done / 2);
}

static void corrupt_remote(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (task->done > 0)
		sd_latch_flip_bit(&task->remote, task->done / 2);
}

static doca_error_t move_read(struct rdma_task *task, size_t len)
{
	return sd_latch_copy_part(&task->local, &task->remote, task->done, len);
}

static doca_error_t move_write(struct rdma_task *task, size_t len)
{
	return sd_latch_copy_part(&task->remote, &task->local, task->done, len);
}

static doca_error_t move_send(struct rdma_task *task, size_t len)
{
	return sd_latch_copy_part(&task->receive->local, &task->local, task->done, len);
}

/* Writes a number to the beginning of the local list. */
static doca_error_t put(struct rdma_task *task, doca_error_t result, uint64_t number)
{
	if (result == DOCA_SUCCESS)
		sd_latch_write(&task->local, 0, (const uint8_t *)&number, sizeof(number));
	return result;
}

static doca_error_t change_remote(struct rdma_task *task, enum number_verb verb)
{
	const struct number_change change = { verb, task->operand, task->compared };
	uint64_t before = 0;
	doca_error_t result = sd_latch_apply(&task->remote, &change, &before);

	return put(task, result, before);
}

static doca_error_t move_cmp_swp(struct rdma_task *task, size_t len)
{
	(void)len;
	return change_remote(task, NUMBER_SWAP);
}

static doca_error_t move_fetch_add(struct rdma_task *task, size_t len)
{
	(void)len;
	return change_remote(task, NUMBER_ADD);
}

static doca_error_t move_event_get(struct rdma_task *task, size_t len)
{
	uint64_t value = 0;
	doca_error_t result = sd_remote_event_load(task->held_event, task->connection->socket.peer_key, &value);

	(void)len;
	return put(task, result, value);
}

static doca_error_t move_event_set(struct rdma_task *task, size_t len)
{
	struct number_change change = { .verb = NUMBER_SET };
	uint64_t before;

	sd_latch_read(&task->local, 0, (uint8_t *)&change.operand, len);
	return sd_remote_event_apply(task->held_event, task->connection->socket.peer_key, &change, &before);
}

static doca_error_t move_event_add(struct rdma_task *task, size_t len)
{
	const struct number_change change = { .verb = NUMBER_ADD, .operand = task->operand };
	uint64_t before = 0;
	doca_error_t result = sd_remote_event_apply(task->held_event, task->connection->socket.peer_key, &change, &before);

	(void)len;
	return put(task, result, before);
}

#define OPERATION(text, corrupt_it)                 \
	{                                           \
		.name = text,                       \
		.task_size = sizeof(struct rdma_task), \
		.validate = validate,               \
		.order = order,                     \
		.latch = latch,                     \
		.begin = begin,                     \
		.execute = rdma_execute,            \
		.is_held_up = is_held_up,           \
		.complete = complete,               \
		.corrupt = corrupt_it,              \
	}

const struct rdma_kind rdma_read = {
	.operation = OPERATION("rdma-read", corrupt_local),
	.permission = DOCA_ACCESS_FLAG_RDMA_READ,
	.latch = rdma_latch_read,
	.move = move_read,
};

const struct rdma_kind rdma_write = {
	.operation = OPERATION("rdma-write", corrupt_remote),
	.permission = DOCA_ACCESS_FLAG_RDMA_WRITE,
	.latch = rdma_latch_write,
	.move = move_write,
};

const struct rdma_kind rdma_write_imm = {
	.operation = OPERATION("rdma-write-imm", NULL),
	.permission = DOCA_ACCESS_FLAG_RDMA_WRITE,
	.needs_receive = 1,
	.opcode = DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM,
	.latch = rdma_latch_write,
	.move = move_write,
};

const struct rdma_kind rdma_send = {
	.operation = OPERATION("rdma-send", NULL),
	.needs_receive = 1,
	.opcode = DOCA_RDMA_OPCODE_RECV_SEND,
	.latch = rdma_latch_send,
	.move = move_send,
};

const struct rdma_kind rdma_send_imm = {
	.operation = OPERATION("rdma-send-imm", NULL),
	.needs_receive = 1,
	.opcode = DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM,
	.latch = rdma_latch_send,
	.move = move_send,
};

const struct rdma_kind rdma_atomic_cmp_swp = {
	.operation = OPERATION("rdma-atomic-cmp-swp", corrupt_local),
	.permission = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
	.latch = rdma_latch_atomic,
	.move = move_cmp_swp,
};

const struct rdma_kind rdma_atomic_fetch_add = {
	.operation = OPERATION("rdma-atomic-fetch-add", corrupt_local),
	.permission = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
	.latch = rdma_latch_atomic,
	.move = move_fetch_add,
};

const struct rdma_kind rdma_remote_net_sync_event_get = {
	.operation = OPERATION("rdma-event-get", corrupt_local),
	.permission = DOCA_ACCESS_FLAG_RDMA_READ,
	.latch = rdma_latch_event_result,
	.move = move_event_get,
};

const struct rdma_kind rdma_remote_net_sync_event_notify_set = {
	.operation = OPERATION("rdma-event-notify-set", NULL),
	.permission = DOCA_ACCESS_FLAG_RDMA_WRITE,
	.latch = rdma_latch_event_value,
	.move = move_event_set,
};

const struct rdma_kind rdma_remote_net_sync_event_notify_add = {
	.operation = OPERATION("rdma-event-notify-add", corrupt_local),
	.permission = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
	.latch = rdma_latch_event_result,
	.move = move_event_add,
};
