/* Tasks that send a message. */
#include <stdatomic.h>
#include <string.h>

#include "sd_comch.h"
#include "sd_comch_socket.h"
#include "sd_shape.h"

/* Returns the task's part of the message memory. */
static uint8_t *copy_of(const struct doca_comch_task_send *task)
{
	const struct comch_control *control = (const struct comch_control *)task->base.ctx;
	size_t index = (size_t)((const uint8_t *)task - task->base.pool->memory) / task->base.pool->stride;

	return control->messages + index * control->max_msg_size;
}

/*
 * Copies the message, because programs reuse its memory after the submit. The connection may end at any time before or after
 * the submit.
 */
static doca_error_t latch(struct doca_task *base)
{
	struct doca_comch_task_send *task = (struct doca_comch_task_send *)base;
	uint8_t *copy = copy_of(task);

	task->is_held = comch_control_has((struct comch_control *)base->ctx, task->connection);
	if (!task->is_held)
		return DOCA_ERROR_CONNECTION_RESET;
	comch_connection_ref(task->connection);
	memcpy(copy, task->message, task->len);
	if (base->fault.corrupt)
		copy[task->len / 2] ^= 1;
	task->out.bytes = copy;
	task->out.len = task->len;
	return DOCA_SUCCESS;
}

static doca_error_t validate(struct doca_task *base)
{
	const struct doca_comch_task_send *task = (const struct doca_comch_task_send *)base;

	return comch_control_has((struct comch_control *)base->ctx, task->connection) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void begin(struct doca_task *base)
{
	struct doca_comch_task_send *task = (struct doca_comch_task_send *)base;
	struct doca_comch_connection *connection = task->connection;

	pthread_mutex_lock(&connection->lock);
	if (connection->state == COMCH_ESTABLISHED)
		comch_transmit(connection, &task->out);
	else
		comch_send_ended(task, DOCA_ERROR_CONNECTION_RESET);
	pthread_mutex_unlock(&connection->lock);
}

static void complete(struct doca_task *base)
{
	struct doca_comch_task_send *task = (struct doca_comch_task_send *)base;

	if (task->is_held)
		comch_connection_unref(task->connection);
	task->is_held = 0;
}

const struct sd_task_operation comch_send = {
	.name = "comch-send",
	.task_size = sizeof(struct doca_comch_task_send),
	.validate = validate,
	.latch = latch,
	.begin = begin,
	.complete = complete,
};

doca_error_t comch_send_set_conf(struct comch_control *control, doca_comch_task_send_completion_cb_t completed,
				 doca_comch_task_send_completion_cb_t failed, uint32_t num_tasks)
{
	if (control == NULL || completed == NULL || failed == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&control->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	if (num_tasks > control->limits->max_send_tasks)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_task_pool_configure(&control->ctx, &comch_send, (doca_task_completion_cb_t)completed,
				      (doca_task_completion_cb_t)failed, num_tasks);
}

doca_error_t comch_send_alloc(struct comch_control *control, struct doca_comch_connection *connection, const void *message,
			      uint32_t len, struct doca_comch_task_send **task)
{
	union doca_data none = { 0 };
	doca_error_t result;

	if (control == NULL || connection == NULL || message == NULL || len == 0 || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!comch_control_has(control, connection) || len > connection->max_msg)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&control->ctx, &comch_send, none, (struct doca_task **)task);
	if (result != DOCA_SUCCESS)
		return result;
	(*task)->connection = connection;
	(*task)->message = message;
	(*task)->len = len;
	(*task)->out = (struct comch_out){ .packet.type = COMCH_MESSAGE, .task = *task };
	return DOCA_SUCCESS;
}

SD_PART(doca_comch_task_send_as_task, struct doca_comch_task_send, struct doca_task, base)
