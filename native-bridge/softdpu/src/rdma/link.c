/* Reads the sockets of connections. Service thread, unless a function states otherwise. See sd_rdma.h and wire.h. */
#include <sys/epoll.h>

#include "sd_log.h"
#include "sd_rdma.h"

void rdma_link_welcome(struct doca_rdma_connection *connection, const struct rdma_packet *packet)
{
	connection->socket.is_welcome = 1;
	connection->peer_permissions = packet->permissions;
	connection->peer_vhca_id = (uint16_t)packet->vhca_id;
	if (connection->state != RDMA_CONNECTING)
		return;
	connection->state = RDMA_CONNECTED;
	connection->retry_until_ns = UINT64_MAX;
	if (connection->is_managed) {
		connection->socket.peer_key = packet->key;
		rdma_notify(connection, RDMA_ESTABLISHED_NOTICE);
	}
	rdma_connection_next(connection);
}

/* The current task continues on the device. */
static void resume(struct doca_rdma_connection *connection)
{
	connection->is_held = 0;
	rdma_flight_limit(connection);
	rdma_proceed(connection->current);
}

static uint8_t read_message(struct doca_rdma_connection *connection, const struct rdma_packet *packet, const uint8_t *bytes,
			    size_t len)
{
	const struct rdma_message message = {
		.opcode = (enum doca_rdma_opcode)packet->value,
		.immediate = packet->immediate,
		.total = packet->total,
	};
	uint8_t is_written = packet->value == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM;

	if (packet->value > DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM || packet->total > RDMA_MAX_MESSAGE_SIZE)
		return 0;
	if (is_written && (connection->rdma->permissions & DOCA_ACCESS_FLAG_RDMA_WRITE) == 0)
		return 0;
	if (len != 0 && (is_written || len != packet->total))
		return 0;
	return rdma_receive_incoming(connection, &message, bytes, len);
}

static uint8_t read_data(struct doca_rdma_connection *connection, const uint8_t *bytes, size_t len)
{
	struct rdma_socket *socket = &connection->socket;
	struct rdma_task *receive = socket->receive;

	if (receive == NULL || len == 0 || len > socket->incoming->message.total - receive->done)
		return 0;
	sd_latch_write(&receive->local, receive->done, bytes, len);
	receive->done += len;
	if (receive->done == socket->incoming->message.total)
		rdma_receive_finish(connection);
	return 1;
}

static uint8_t read_not_ready(struct doca_rdma_connection *connection)
{
	uint8_t count = connection->rdma->rnr_retry_count;

	if (connection->socket.sending != RDMA_ASKED)
		return 0;
	if (count == 0) {
		rdma_connection_end_locked(connection);
		return 1;
	}
	connection->socket.sending = RDMA_REFUSED;
	connection->retry_until_ns = UINT64_MAX;
	if (count != RDMA_NO_RETRY_LIMIT)
		rdma_limit_wait(connection, (uint64_t)count * RDMA_RETRY_NS);
	return 1;
}

static uint8_t read_ready(struct doca_rdma_connection *connection)
{
	struct rdma_socket *socket = &connection->socket;

	if (socket->sending != RDMA_ASKED && socket->sending != RDMA_REFUSED)
		return 0;
	if (socket->unanswered.head->done == socket->unanswered.head->total)
		return 0;
	socket->sending = RDMA_IS_READY;
	rdma_flight_limit(connection);
	rdma_connection_next(connection);
	return 1;
}

static uint8_t answer_oldest(struct doca_rdma_connection *connection, doca_error_t status)
{
	struct rdma_socket *socket = &connection->socket;
	struct rdma_task *task = socket->unanswered.head;

	if (task == NULL)
		return 0;
	rdma_flight_take(connection);
	if (task == connection->current) { /* the device completes it, and may be sending at this time */
		socket->is_answered = 1;
		socket->answer = status;
		if (connection->is_held)
			resume(connection);
		return 1;
	}
	status = rdma_flight_status(task, status);
	rdma_end_task(task, status);
	if (status != DOCA_SUCCESS)
		rdma_connection_end_locked(connection);
	return 1;
}

static uint8_t read_answer(struct doca_rdma_connection *connection, const struct rdma_packet *packet)
{
	for (uint64_t i = 0; i < packet->total && connection->state != RDMA_ENDED; i++) {
		if (!answer_oldest(connection, DOCA_SUCCESS))
			return 0;
	}
	if (connection->state == RDMA_ENDED)
		return 1;
	if (!answer_oldest(connection, packet->value == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED))
		return 0;
	rdma_flight_limit(connection);
	rdma_connection_next(connection);
	return 1;
}

static uint8_t read_welcome(struct doca_rdma_connection *connection, const struct rdma_packet *packet)
{
	if (packet->type == RDMA_WELCOME)
		rdma_link_welcome(connection, packet);
	else if (packet->type == RDMA_REJECTED && connection->is_managed)
		rdma_connection_end_locked(connection);
	else
		return 0;
	return 1;
}

/* Returns 0 for a packet that the protocol does not permit. The lock must be held. */
static uint8_t read_packet(struct doca_rdma_connection *connection, const struct rdma_packet *packet, const uint8_t *bytes,
			   size_t len)
{
	if (!connection->socket.is_welcome)
		return len == 0 && connection->state == RDMA_CONNECTING && read_welcome(connection, packet);
	if (packet->type == RDMA_DATA)
		return read_data(connection, bytes, len);
	if (packet->type == RDMA_MESSAGE)
		return read_message(connection, packet, bytes, len);
	if (len != 0)
		return 0;
	switch (packet->type) {
	case RDMA_NOT_READY:
		return read_not_ready(connection);
	case RDMA_READY:
		return read_ready(connection);
	case RDMA_ANSWER:
		return read_answer(connection, packet);
	default:
		return 0;
	}
}

/* The lock must be held. */
static void read_socket(struct doca_rdma_connection *connection)
{
	static uint8_t bytes[RDMA_PART]; /* of the service thread */
	struct rdma_packet packet;
	size_t len = sizeof(bytes);
	enum sd_line_result received = rdma_channel_receive(&connection->socket.channel, &packet, bytes, &len);

	if (received == SD_LINE_AGAIN)
		return;
	if (received == SD_LINE_DONE && packet.type == RDMA_CROSSED && !connection->socket.is_welcome && !connection->is_managed) {
		connection->socket.is_crossed = 1; /* the peer's own socket arrives */
		return;
	}
	if (received == SD_LINE_END) {
		rdma_connection_end_by_peer(connection);
	} else if (!read_packet(connection, &packet, bytes, len)) {
		SD_LOG_WARNING("process %d sent an invalid packet of type %u on an RDMA connection: the connection ends",
			       (int)connection->socket.pid, packet.type);
		rdma_connection_end_locked(connection);
	}
}

/* The lock must be held. */
static void write_socket(struct doca_rdma_connection *connection)
{
	if (!rdma_socket_flush(connection))
		return;
	rdma_channel_rearm(&connection->socket.channel, EPOLLIN);
	if (connection->is_held)
		resume(connection);
}

static void ready(struct sd_watch *watch, uint32_t events)
{
	struct doca_rdma_connection *connection = SD_OWNER(watch, struct doca_rdma_connection, socket.channel.watch);

	pthread_mutex_lock(&rdma_lock);
	if (connection->state != RDMA_ENDED && (events & EPOLLOUT) != 0)
		write_socket(connection);
	if (connection->state != RDMA_ENDED && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
		read_socket(connection);
	if ((connection->state == RDMA_ENDED && !connection->is_moving) || connection->socket.is_crossed)
		rdma_link_drop(connection);
	connection->socket.is_crossed = 0;
	pthread_mutex_unlock(&rdma_lock);
}

doca_error_t rdma_link_open(struct doca_rdma_connection *connection, const struct rdma_channel *channel)
{
	doca_error_t result;

	connection->socket.channel.watch.fd = channel->watch.fd;
	connection->socket.channel.line = channel->line;
	result = rdma_channel_watch(&connection->socket.channel, EPOLLIN, ready);
	connection->socket.is_open = result == DOCA_SUCCESS;
	if (result != DOCA_SUCCESS)
		connection->socket.channel.line = NULL; /* the caller keeps the channel */
	connection->socket.has_ends = 0;
	return result;
}

void rdma_link_drop(struct doca_rdma_connection *connection)
{
	if (!connection->socket.is_open)
		return;
	rdma_channel_unwatch(&connection->socket.channel);
	rdma_channel_close(&connection->socket.channel);
	connection->socket.is_open = 0;
	connection->socket.num_pending = 0;
}

/* A running call of ready() sees that the channel is not open any more. */
void rdma_link_close(struct doca_rdma_connection *connection)
{
	struct rdma_channel channel = { 0 };
	uint8_t is_open;

	sd_service_cancel(&connection->retry_job);
	sd_service_unwatch(&connection->socket.channel.watch);
	pthread_mutex_lock(&rdma_lock);
	is_open = connection->socket.is_open;
	connection->socket.is_open = 0;
	channel.watch.fd = connection->socket.channel.watch.fd;
	channel.line = connection->socket.channel.line;
	pthread_mutex_unlock(&rdma_lock);
	if (is_open)
		rdma_channel_close(&channel);
}
