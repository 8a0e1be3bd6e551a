/*
 * Receive tasks, and messages that wait for one. A receive task serves any connection of its context. See sd_rdma.h.
 */
#include <stdatomic.h>

#include "sd_list.h"
#include "sd_rdma.h"

static void end_wait(struct doca_rdma_connection *connection)
{
	connection->socket.is_starved = 0;
	rdma_list_remove(&connection->rdma->starved, connection, RDMA_STARVED);
}

void rdma_receive_end(struct rdma_task *receive, struct doca_rdma_connection *connection, const struct rdma_message *message,
		      doca_error_t status)
{
	if (status == DOCA_SUCCESS) {
		receive->done = message->total;
		receive->opcode = message->opcode;
		receive->immediate = message->immediate;
	}
	if (connection != NULL && connection->target != NULL)
		connection = connection->target;
	receive->connection = connection;
	if (connection != NULL)
		atomic_fetch_add(&connection->num_tasks, 1);
	rdma_end_task(receive, status);
}

void rdma_receive_finish(struct doca_rdma_connection *connection, doca_error_t status)
{
	struct rdma_socket *socket = &connection->socket;
	struct rdma_task *receive = socket->receive;

	socket->receive = NULL;
	socket->has_incoming = 0;
	if (receive != NULL)
		rdma_receive_end(receive, connection, &socket->incoming, status);
	rdma_socket_answer(connection, RDMA_ANSWER, status);
}

/* A receive task is there for the incoming message. */
static void begin_incoming(struct doca_rdma_connection *connection, struct rdma_task *receive)
{
	const struct rdma_message *message = &connection->socket.incoming;
	uint8_t is_written = message->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM;

	connection->socket.receive = receive;
	receive->done = 0;
	if (!is_written && message->total > receive->local.total)
		rdma_receive_finish(connection, DOCA_ERROR_IO_FAILED);
	else if (is_written || message->total == 0)
		rdma_receive_finish(connection, DOCA_SUCCESS);
	else
		rdma_socket_answer(connection, RDMA_READY, DOCA_SUCCESS);
}

void rdma_receive_incoming(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	struct rdma_task *receive = rdma_queue_take(&rdma->receives);

	connection->socket.has_incoming = 1;
	if (receive != NULL) {
		begin_incoming(connection, receive);
		return;
	}
	connection->socket.is_starved = 1;
	rdma_list_append(&rdma->starved, connection, RDMA_STARVED);
	rdma_socket_answer(connection, RDMA_NOT_READY, DOCA_SUCCESS);
}

/* Gives posted receive tasks to the messages that have waited longest. The lock must be held. */
static void serve(struct doca_rdma *rdma)
{
	while (rdma->receives.head != NULL && rdma->starved.head != NULL) {
		struct doca_rdma_connection *connection = rdma->starved.head;

		if (connection->rdma == rdma && connection->socket.is_starved) {
			end_wait(connection);
			begin_incoming(connection, rdma_queue_take(&rdma->receives));
			continue;
		}
		connection->current->receive = rdma_queue_take(&rdma->receives);
		rdma_unpark(connection);
		rdma_proceed(connection->current);
	}
}

struct rdma_task *rdma_receive_take(struct doca_rdma *rdma)
{
	return rdma_queue_take(&rdma->receives);
}

void rdma_receive_return(struct rdma_task *receive)
{
	struct doca_rdma *rdma = (struct doca_rdma *)receive->base.ctx;

	if (rdma->is_stopping) {
		rdma_end_task(receive, DOCA_ERROR_IO_FAILED);
		return;
	}
	receive->next = rdma->receives.head;
	if (rdma->receives.head == NULL)
		rdma->receives.tail = receive;
	rdma->receives.head = receive;
	serve(rdma);
}

void rdma_receive_drop(struct doca_rdma_connection *connection)
{
	struct rdma_task *receive = connection->socket.receive;

	if (connection->socket.is_starved)
		end_wait(connection);
	connection->socket.receive = NULL;
	connection->socket.has_incoming = 0;
	if (receive == NULL)
		return;
	if (receive->done == 0)
		rdma_receive_return(receive);
	else
		rdma_receive_end(receive, connection, NULL, DOCA_ERROR_IO_FAILED);
}

void rdma_unpark(struct doca_rdma_connection *connection)
{
	if (!connection->is_parked)
		return;
	connection->is_parked = 0;
	connection->rdma->num_parked--;
	rdma_list_remove(&connection->peer->rdma->starved, connection, RDMA_STARVED);
}

static doca_error_t latch(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;
	const struct doca_rdma *rdma = (const struct doca_rdma *)base->ctx;
	doca_error_t result;

	task->connection = NULL;
	task->done = 0;
	if (task->dst == NULL)
		return DOCA_SUCCESS;
	result = sd_latch_destination(&task->local, task->dst, base->ctx->dev);
	if (result == DOCA_SUCCESS && task->local.count > rdma->receive_list_len) {
		sd_latch_release(&task->local);
		result = DOCA_ERROR_INVALID_VALUE;
	}
	return result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
}

static doca_error_t validate(struct doca_task *base)
{
	doca_error_t result = latch(base);

	if (result == DOCA_SUCCESS)
		sd_latch_release(&((struct rdma_task *)base)->local);
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void begin(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;
	struct doca_rdma *rdma = (struct doca_rdma *)base->ctx;

	pthread_mutex_lock(&rdma_lock);
	SD_APPEND(rdma->receives.head, rdma->receives.tail, task, next);
	serve(rdma);
	pthread_mutex_unlock(&rdma_lock);
}

static void complete(struct doca_task *base)
{
	struct rdma_task *task = (struct rdma_task *)base;

	if (base->status == DOCA_SUCCESS && task->connection != NULL)
		sd_latch_commit(&task->local, task->done);
	sd_latch_release(&task->local);
	if (task->connection != NULL)
		atomic_fetch_sub(&task->connection->num_tasks, 1);
}

const struct sd_task_operation rdma_receive = {
	.name = "rdma-receive",
	.task_size = sizeof(struct rdma_task),
	.validate = validate,
	.latch = latch,
	.begin = begin,
	.complete = complete,
};

void rdma_receives_flush(struct doca_rdma *rdma)
{
	struct rdma_task *receive;

	pthread_mutex_lock(&rdma_lock);
	rdma->is_stopping = 1;
	while ((receive = rdma_queue_take(&rdma->receives)) != NULL)
		rdma_end_task(receive, DOCA_ERROR_IO_FAILED);
	pthread_mutex_unlock(&rdma_lock);
}
