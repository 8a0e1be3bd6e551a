/* Packets of a connection: by a socket of this host, or by the line of a tunnel to another one. See sd_rdma.h. */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sd_rdma.h"

doca_error_t rdma_channel_watch(struct rdma_channel *channel, uint32_t events, void (*ready)(struct sd_watch *watch, uint32_t events))
{
	if (channel->line == NULL)
		return sd_service_watch(&channel->watch, channel->watch.fd, events, ready);
	sd_line_watch(channel->line, &channel->watch, events, ready);
	return DOCA_SUCCESS;
}

void rdma_channel_unwatch(struct rdma_channel *channel)
{
	if (channel->line == NULL)
		sd_service_unwatch(&channel->watch);
	else
		sd_line_unwatch(channel->line);
}

void rdma_channel_rearm(struct rdma_channel *channel, uint32_t events)
{
	if (channel->line == NULL)
		sd_service_rearm(&channel->watch, events);
	else
		sd_line_rearm(channel->line, events);
}

static enum sd_line_result send_to_socket(int fd, const struct rdma_packet *packet, const void *bytes, size_t len)
{
	struct iovec parts[2] = {
		{ .iov_base = (void *)(uintptr_t)packet, .iov_len = sizeof(*packet) },
		{ .iov_base = (void *)(uintptr_t)bytes, .iov_len = len },
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = len > 0 ? 2 : 1 };
	ssize_t sent;

	do {
		sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	if (sent >= 0)
		return SD_LINE_DONE;
	return errno == EAGAIN || errno == ENOBUFS ? SD_LINE_AGAIN : SD_LINE_END;
}

enum sd_line_result rdma_channel_send(struct rdma_channel *channel, const struct rdma_packet *packet, const void *bytes, size_t len)
{
	return channel->line == NULL ? send_to_socket(channel->watch.fd, packet, bytes, len) :
				       sd_line_send(channel->line, packet, sizeof(*packet), bytes, len);
}

static enum sd_line_result receive_from_socket(int fd, struct rdma_packet *packet, void *bytes, size_t *len)
{
	struct iovec parts[2] = { { packet, sizeof(*packet) }, { bytes, *len } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t received = recvmsg(fd, &message, MSG_DONTWAIT);

	if (received < 0 && (errno == EAGAIN || errno == EINTR))
		return SD_LINE_AGAIN;
	if (received < (ssize_t)sizeof(*packet) || (message.msg_flags & MSG_TRUNC) != 0)
		return SD_LINE_END;
	*len = (size_t)received - sizeof(*packet);
	return SD_LINE_DONE;
}

enum sd_line_result rdma_channel_receive(struct rdma_channel *channel, struct rdma_packet *packet, void *bytes, size_t *len)
{
	return channel->line == NULL ? receive_from_socket(channel->watch.fd, packet, bytes, len) :
				       sd_line_receive(channel->line, packet, sizeof(*packet), bytes, len);
}

uint8_t rdma_channel_has_ended(const struct rdma_channel *channel)
{
	struct pollfd state = { .fd = channel->watch.fd };

	return channel->line == NULL ? poll(&state, 1, 0) > 0 : sd_line_has_ended(channel->line);
}

void rdma_channel_end(struct rdma_channel *channel)
{
	if (channel->line == NULL)
		(void)shutdown(channel->watch.fd, SHUT_RDWR); /* fails only if the peer has ended */
	else
		sd_line_end(channel->line);
}

void rdma_channel_close(struct rdma_channel *channel)
{
	if (channel->line == NULL)
		close(channel->watch.fd);
	else
		sd_line_close(channel->line);
	channel->line = NULL;
}
