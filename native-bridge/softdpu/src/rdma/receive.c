/*
 * Receive tasks, and messages that wait for one. A receive task serves any connection of its context. See sd_rdma.h.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

/* Completes the receive task with a message that has all data, and answers the message. */
static void deliver(struct doca_rdma_connection *connection, struct rdma_task *receive, const struct rdma_message *message)
{
	rdma_receive_end(receive, connection, message, DOCA_SUCCESS);
	rdma_socket_answer(connection, RDMA_ANSWER, DOCA_SUCCESS);
}

/* Returns 0 if the message still needs its data. */
static uint8_t begin(struct doca_rdma_connection *connection, struct rdma_task *receive, const struct rdma_message *message,
		     const uint8_t *bytes, size_t len)
{
	uint8_t is_written = message->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM;

	receive->done = 0;
	if (!is_written && message->total > receive->local.total) {
		connection->socket.has_failed = 1;
		rdma_receive_end(receive, connection, NULL, DOCA_ERROR_IO_FAILED);
		rdma_socket_answer(connection, RDMA_ANSWER, DOCA_ERROR_IO_FAILED);
		return 1;
	}
	if (!is_written && len < message->total)
		return 0;
	if (len > 0)
		sd_latch_write(&receive->local, 0, bytes, len);
	deliver(connection, receive, message);
	return 1;
}

static void drop_oldest(struct rdma_socket *socket)
{
	struct rdma_incoming *oldest = socket->incoming;

	socket->incoming = oldest->next;
	socket->num_incoming--;
	socket->incoming_bytes -= oldest->len;
	free(oldest);
}

/* Gives a receive task to the oldest incoming message. */
static void begin_oldest(struct doca_rdma_connection *connection, struct rdma_task *receive)
{
	struct rdma_socket *socket = &connection->socket;
	const struct rdma_incoming *oldest = socket->incoming;

	if (begin(connection, receive, &oldest->message, oldest->bytes, oldest->len)) {
		drop_oldest(socket);
		return;
	}
	socket->receive = receive;
	rdma_socket_answer(connection, RDMA_READY, DOCA_SUCCESS);
}

/* Continues with the incoming messages. Messages of other connections that wait have waited longer. */
static void proceed(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;

	while (connection->socket.incoming != NULL && connection->socket.receive == NULL && !connection->socket.has_failed) {
		if (rdma->receives.head == NULL || rdma->starved.head != NULL) {
			connection->socket.is_starved = 1;
			rdma_list_append(&rdma->starved, connection, RDMA_STARVED);
			rdma_socket_answer(connection, RDMA_NOT_READY, DOCA_SUCCESS);
			return;
		}
		begin_oldest(connection, rdma_queue_take(&rdma->receives));
	}
}

void rdma_receive_finish(struct doca_rdma_connection *connection)
{
	struct rdma_socket *socket = &connection->socket;

	deliver(connection, socket->receive, &socket->incoming->message);
	socket->receive = NULL;
	drop_oldest(socket);
	proceed(connection);
}

/* Returns 0 if too many messages wait, or without memory. */
static uint8_t store(struct rdma_socket *socket, const struct rdma_message *message, const uint8_t *bytes, size_t len)
{
	struct rdma_incoming *stored;

	if (socket->num_incoming == RDMA_MAX_AHEAD || socket->incoming_bytes + len > RDMA_MAX_AHEAD_BYTES)
		return 0;
	stored = malloc(sizeof(*stored) + len);
	if (stored == NULL)
		return 0;
	stored->message = *message;
	stored->len = len;
	if (len > 0)
		memcpy(stored->bytes, bytes, len);
	SD_APPEND(socket->incoming, socket->last_incoming, stored, next);
	socket->num_incoming++;
	socket->incoming_bytes += len;
	return 1;
}

uint8_t rdma_receive_incoming(struct doca_rdma_connection *connection, const struct rdma_message *message, const uint8_t *bytes,
			      size_t len)
{
	struct rdma_socket *socket = &connection->socket;
	uint8_t is_idle = socket->incoming == NULL;
	struct rdma_task *receive;

	if (socket->has_failed)
		return 1; /* the peer ends the connection when it reads the answer */
	receive = is_idle ? rdma_queue_take(&connection->rdma->receives) : NULL;
	if (receive != NULL && begin(connection, receive, message, bytes, len))
		return 1;
	if (!store(socket, message, bytes, len)) {
		if (receive != NULL)
			rdma_receive_return(receive);
		return 0;
	}
	if (receive != NULL) {
		socket->receive = receive;
		rdma_socket_answer(connection, RDMA_READY, DOCA_SUCCESS);
	} else if (is_idle) {
		proceed(connection);
	}
	return 1;
}

/* Gives posted receive tasks to the messages that have waited longest. The lock must be held. */
static void serve(struct doca_rdma *rdma)
{
	while (rdma->receives.head != NULL && rdma->starved.head != NULL) {
		struct doca_rdma_connection *connection = rdma->starved.head;

		if (connection->rdma == rdma && connection->socket.is_starved) {
			end_wait(connection);
			begin_oldest(connection, rdma_queue_take(&rdma->receives));
			proceed(connection);
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
	while (connection->socket.incoming != NULL)
		drop_oldest(&connection->socket);
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

static void post(struct doca_task *base)
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

	/* A write with immediate data has its bytes elsewhere: the receive buffer stays as it is. */
	if (base->status == DOCA_SUCCESS && task->connection != NULL && task->opcode != DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM) {
		if (base->fault.corrupt && task->done > 0)
			sd_latch_flip_bit(&task->local, task->done / 2);
		sd_latch_commit(&task->local, task->done);
	}
	sd_latch_release(&task->local);
	if (task->connection != NULL)
		atomic_fetch_sub(&task->connection->num_tasks, 1);
}

const struct sd_task_operation rdma_receive = {
	.name = "rdma-receive",
	.task_size = sizeof(struct rdma_task),
	.validate = validate,
	.latch = latch,
	.begin = post,
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
