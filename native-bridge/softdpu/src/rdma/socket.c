/* Packets of a connection's socket. The lock must be held, except for data. See sd_rdma.h and wire.h. */
#include <string.h>
#include <sys/epoll.h>

#include "sd_log.h"
#include "sd_rdma.h"

/* Answers that wait for room become one packet, so that a peer cannot make their number grow. Returns 0 for another packet. */
static uint8_t merge(struct rdma_socket *socket, const struct rdma_packet *packet)
{
	struct rdma_packet *last;

	if (packet->type != RDMA_ANSWER)
		return 0;
	if (socket->num_pending > 0 && socket->pending[socket->num_pending - 1].type == RDMA_NOT_READY)
		socket->num_pending--; /* of the message that has an answer now */
	if (socket->num_pending == 0)
		return 0;
	last = &socket->pending[socket->num_pending - 1];
	if (last->type != RDMA_ANSWER || last->value != DOCA_SUCCESS)
		return 0;
	last->value = packet->value;
	last->total++;
	return 1;
}

void rdma_socket_send(struct doca_rdma_connection *connection, const struct rdma_packet *packet)
{
	struct rdma_socket *socket = &connection->socket;

	if (merge(socket, packet))
		return;
	if (socket->num_pending == 0 && rdma_channel_send(&socket->channel, packet, NULL, 0) != SD_LINE_AGAIN)
		return; /* the end of a broken socket arrives as an event */
	if (socket->num_pending == RDMA_MAX_PENDING) {
		SD_LOG_WARNING("process %d does not read its RDMA connection: the connection ends", (int)socket->pid);
		rdma_socket_end(connection);
		return;
	}
	socket->pending[socket->num_pending++] = *packet;
	rdma_channel_rearm(&socket->channel, EPOLLIN | EPOLLOUT);
}

void rdma_socket_answer(struct doca_rdma_connection *connection, enum rdma_packet_type type, doca_error_t status)
{
	const struct rdma_packet packet = { .type = type, .value = (uint32_t)status };

	rdma_socket_send(connection, &packet);
}

void rdma_socket_welcome(struct doca_rdma_connection *connection)
{
	const struct rdma_packet packet = {
		.type = RDMA_WELCOME,
		.key = connection->details.key,
		.permissions = connection->rdma->permissions,
		.vhca_id = connection->rdma->vhca_id,
	};

	rdma_socket_send(connection, &packet);
}

uint8_t rdma_socket_flush(struct doca_rdma_connection *connection)
{
	struct rdma_socket *socket = &connection->socket;
	uint32_t sent = 0;

	while (sent < socket->num_pending &&
	       rdma_channel_send(&socket->channel, &socket->pending[sent], NULL, 0) != SD_LINE_AGAIN)
		sent++;
	socket->num_pending -= sent;
	memmove(socket->pending, socket->pending + sent, socket->num_pending * sizeof(socket->pending[0]));
	return socket->num_pending == 0;
}

void rdma_socket_end(struct doca_rdma_connection *connection)
{
	if (connection->socket.is_open)
		rdma_channel_end(&connection->socket.channel);
}
