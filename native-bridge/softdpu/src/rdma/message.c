/*
 * Sends messages by the socket of a connection. A task leaves the device after its MESSAGE, and waits for the answer in the list of
 * the connection. If the packet does not carry the data, the task is executed again after READY. Hardware threads. See sd_rdma.h
 * and wire.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "sd_rdma.h"

/*
 * Returns whether the peer has ended the connection, although the service thread may not know it yet. No system call is necessary
 * while no connection of the peer's process ends.
 */
static uint8_t has_hung_up(const struct rdma_task *task)
{
	struct rdma_socket *socket = &task->connection->socket;
	uint64_t ends = 0;
	uint8_t is_known = sd_latch_ends(&task->remote, socket->pid, &ends);

	if (!socket->is_open || (is_known && socket->has_ends && socket->ends == ends))
		return 0;
	if (rdma_channel_has_ended(&socket->channel))
		return 1;
	socket->ends = ends; /* from before the poll */
	socket->has_ends = is_known;
	return 0;
}

/* A connection by TCP does not know the process of its peer. The lock must be held. */
static uint8_t is_peer(const struct doca_rdma_connection *connection, pid_t exporter)
{
	const struct rdma_socket *socket = &connection->socket;

	if (exporter == 0)
		return !rdma_has_socket(connection) || rdma_table_find(socket->peer_key) != NULL;
	return exporter == SD_EXPORTER_CHECKS || exporter == socket->pid || socket->channel.line != NULL;
}

/* A connection gives access only to its peer's process. The lock must be held. */
static uint8_t is_of_peer(const struct rdma_task *task)
{
	if (task->remote.count > 0)
		return is_peer(task->connection, sd_latch_exporter(&task->remote));
	return task->held_event == NULL || is_peer(task->connection, sd_remote_event_exporter(task->held_event));
}

/* The lock must be held. */
doca_error_t rdma_check(const struct rdma_task *task)
{
	const struct doca_rdma_connection *connection = task->connection;
	uint32_t permission = rdma_kind_of(task)->permission;

	if (connection->state != RDMA_CONNECTED || (connection->peer_permissions & permission) != permission)
		return DOCA_ERROR_IO_FAILED;
	if (task->remote.count > 0 && sd_latch_remote_vhca_id(&task->remote) != connection->peer_vhca_id)
		return DOCA_ERROR_IO_FAILED;
	if (!is_of_peer(task))
		return DOCA_ERROR_IO_FAILED;
	/* The end of the socket must not pass the answers in it. */
	if (connection->socket.unanswered.head != NULL)
		return DOCA_SUCCESS;
	return has_hung_up(task) ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS;
}

/* The task continues with room in the socket. The lock must be held. */
static doca_error_t hold(struct doca_rdma_connection *connection)
{
	rdma_channel_rearm(&connection->socket.channel, EPOLLIN | EPOLLOUT);
	connection->is_held = 1;
	rdma_flight_limit(connection);
	return DOCA_ERROR_IN_PROGRESS;
}

/* The answer arrived while the task was the current one. The lock must be held. */
static doca_error_t finish(struct rdma_task *task)
{
	struct rdma_socket *socket = &task->connection->socket;

	socket->is_answered = 0;
	return rdma_flight_status(task, socket->answer);
}

/* Returns whether the task sends its data after READY, not its MESSAGE. The lock must be held. */
static uint8_t sends_data(const struct rdma_task *task)
{
	const struct rdma_socket *socket = &task->connection->socket;

	return socket->sending == RDMA_SENDING && socket->unanswered.head == task;
}

/* SUCCESS: the thread sends. The lock must be held. */
static doca_error_t begin(struct rdma_task *task)
{
	struct doca_rdma_connection *connection = task->connection;
	doca_error_t result = rdma_check(task);

	if (result != DOCA_SUCCESS)
		return result;
	if (connection->socket.num_pending > 0)
		return hold(connection);
	if (!task->is_unanswered) {
		rdma_flight_add(task); /* before it is sent: the answer may arrive at once */
		if (connection->socket.num_unanswered == 1)
			rdma_flight_limit(connection);
	}
	connection->is_moving = 1;
	return DOCA_SUCCESS;
}

/*
 * Fault "corrupt": returns a copy of these bytes with one wrong bit, if the middle byte of the message is among them; else NULL.
 * Without memory the message is not damaged.
 */
static uint8_t *damage(const struct rdma_task *task, uint64_t offset, const uint8_t *bytes, size_t len)
{
	uint64_t middle = task->total / 2;
	uint8_t *copy;

	if (!task->base.fault.corrupt || middle < offset || middle - offset >= len)
		return NULL;
	copy = malloc(len);
	if (copy != NULL) {
		memcpy(copy, bytes, len);
		copy[middle - offset] ^= 1;
	}
	return copy;
}

/* Sends a packet with bytes of the message. Returns 0 if the socket is full. */
static uint8_t send_bytes(const struct rdma_task *task, const struct rdma_packet *packet, uint64_t offset, size_t len)
{
	const uint8_t *bytes = NULL;
	uint8_t *damaged = NULL;
	uint8_t is_sent;

	if (len > 0) {
		struct sd_cursor cursor = sd_latch_seek(&task->local, offset);

		bytes = sd_cursor_take(&cursor, len);
		damaged = damage(task, offset, bytes, len);
	}
	is_sent = rdma_channel_send(&task->connection->socket.channel, packet, damaged != NULL ? damaged : bytes, len) !=
		  SD_LINE_AGAIN;
	free(damaged);
	return is_sent;
}

/* Returns 0 if the socket is full. */
static uint8_t send_message(struct rdma_task *task)
{
	const struct rdma_packet packet = {
		.type = RDMA_MESSAGE,
		.value = rdma_kind_of(task)->opcode,
		.total = task->total,
		.immediate = task->immediate,
	};

	return send_bytes(task, &packet, 0, task->carried);
}

/* Returns 0 if the socket is full. */
static uint8_t send_data(struct rdma_task *task)
{
	const struct rdma_packet packet = { .type = RDMA_DATA };

	do {
		struct sd_cursor cursor = sd_latch_seek(&task->local, task->done);
		size_t len = sd_cursor_left(&cursor);

		if (len > RDMA_PART)
			len = RDMA_PART;
		if (!send_bytes(task, &packet, task->done, len))
			return 0;
		task->done += len;
	} while (task->done < task->total && !sd_task_delays_others(&task->base));
	return 1;
}

/* AGAIN: data is left; IN_PROGRESS: another thread may complete the task already. The lock must be held. */
static doca_error_t end(struct rdma_task *task, uint8_t is_full)
{
	struct doca_rdma_connection *connection = task->connection;

	connection->is_moving = 0;
	if (connection->socket.is_answered)
		return finish(task);
	if (connection->state != RDMA_CONNECTED)
		return DOCA_ERROR_IO_FAILED;
	if (is_full)
		return hold(connection);
	if (sends_data(task)) {
		if (task->done < task->total)
			return DOCA_ERROR_AGAIN;
		connection->socket.sending = RDMA_WAITING;
		rdma_flight_limit(connection);
	}
	connection->current = NULL;
	rdma_connection_next(connection);
	return DOCA_ERROR_IN_PROGRESS;
}

doca_error_t rdma_message_execute(struct rdma_task *task)
{
	uint8_t is_full, is_answered, is_data;
	doca_error_t result;

	pthread_mutex_lock(&rdma_lock);
	/* The peer may have disconnected since it answered. The answer counts all the same. */
	is_answered = task->connection->socket.is_answered;
	is_data = sends_data(task);
	result = is_answered ? finish(task) : begin(task);
	pthread_mutex_unlock(&rdma_lock);
	if (is_answered || result != DOCA_SUCCESS)
		return result;
	is_full = is_data ? !send_data(task) : !send_message(task);
	pthread_mutex_lock(&rdma_lock);
	result = end(task, is_full);
	pthread_mutex_unlock(&rdma_lock);
	return result;
}
