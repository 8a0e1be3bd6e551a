/* Moves packets between the two sockets of an open tunnel, or its line and its socket. See tunnel.h. */
#include <sys/epoll.h>
#include <sys/socket.h>

#include "sd_log.h"
#include "tunnel.h"

enum { FRAMES_PER_STEP = 32 };

static const uint64_t LAST_PACKETS_NS = 1000000000u;

/* The local socket has ended. The peer's bytes are of no use: the step waits for the end of its socket only. */
static void drain(struct tunnel *tunnel)
{
	static uint8_t bytes[16 << 10];

	for (int i = 0; i < FRAMES_PER_STEP; i++) {
		ssize_t len = recv(tunnel->remote.fd, bytes, sizeof(bytes), MSG_DONTWAIT);

		if (len < 0)
			break;
		if (len == 0) {
			tunnel_end(tunnel);
			return;
		}
	}
	if (tunnel->remote.watch.slot == 0)
		tunnel_end(tunnel); /* both sides have ended */
}

/* A socket that is closed with unread bytes loses the bytes in flight to the peer. So the peer ends its socket first. */
static void end_local(struct tunnel *tunnel)
{
	tunnel_close_local(tunnel);
	frame_clear(&tunnel->in);
	tls_end(tunnel->ssl);
	(void)shutdown(tunnel->remote.fd, SHUT_WR); /* fails only if the peer has ended */
	tunnel->step = drain;
	tunnel_limit(tunnel, LAST_PACKETS_NS);
	tunnel_wait(&tunnel->remote, EPOLLIN);
	tunnel_repeat(tunnel, 0);
}

/* The epoll events for which a direction of the tunnel waits. */
struct needs {
	uint32_t local, remote;
};

/* Returns 1 if a packet or a part was moved. *is_over: the tunnel has ended, or drains. */
static uint8_t move_in(struct tunnel *tunnel, struct needs *needs, uint8_t *is_over)
{
	struct frame *in = &tunnel->in;
	enum frame_result delivered;
	enum tls_result result;
	size_t len;
	void *room;

	if (frame_is_complete(in)) {
		delivered = tunnel->line != NULL ? line_deliver(tunnel->line, in) : frame_deliver(in, tunnel->local.fd);
		if (delivered == FRAME_AGAIN)
			needs->local |= EPOLLOUT;
		else
			frame_clear(in); /* a local socket that has ended is found by move_out() */
		return delivered != FRAME_AGAIN;
	}
	room = frame_room(in, &len);
	result = tls_read(tunnel->ssl, room, len, &len);
	if (result == TLS_DONE && frame_received(in, len))
		return 1;
	if (result == TLS_DONE)
		SD_LOG_ERROR("the RDMA peer %s sent a frame of %u bytes: the tunnel ends", tunnel->peer, in->len);
	if (result == TLS_READ || result == TLS_WRITE) {
		needs->remote |= result == TLS_READ ? EPOLLIN : EPOLLOUT;
		return 0;
	}
	tunnel_end(tunnel);
	*is_over = 1;
	return 0;
}

/* Sends a part of the frame. Returns as move_out(). */
static uint8_t send_out(struct tunnel *tunnel, struct needs *needs)
{
	enum tls_result result;
	const void *bytes;
	size_t len;

	bytes = frame_left(&tunnel->out, &len);
	result = tls_write(tunnel->ssl, bytes, len, &len);
	if (result == TLS_READ || result == TLS_WRITE) {
		needs->remote |= result == TLS_READ ? EPOLLIN : EPOLLOUT;
		return 0;
	}
	if (result == TLS_DONE)
		tunnel->out.done += (uint32_t)len;
	else
		tunnel->is_cut = 1; /* its last packets may still be here */
	if (tunnel->is_cut || frame_is_complete(&tunnel->out))
		frame_clear(&tunnel->out);
	return 1;
}

/* Returns as move_in(). */
static uint8_t move_out(struct tunnel *tunnel, struct needs *needs, uint8_t *is_over)
{
	if (tunnel->is_cut)
		return 0;
	if (tunnel->out.bytes != NULL)
		return send_out(tunnel, needs);
	switch (tunnel->line != NULL ? line_take(tunnel->line, &tunnel->out) : frame_receive(&tunnel->out, tunnel->local.fd)) {
	case FRAME_DONE:
		return 1;
	case FRAME_AGAIN:
		needs->local |= EPOLLIN;
		return 0;
	case FRAME_NO_MEMORY:
		SD_LOG_ERROR("no memory for a packet to the RDMA peer %s: the tunnel ends", tunnel->peer);
		tunnel_end(tunnel);
		break;
	default:
		end_local(tunnel);
	}
	*is_over = 1;
	return 0;
}

void tunnel_relay(struct tunnel *tunnel)
{
	struct needs needs = { 0, 0 };
	uint8_t is_over = 0, has_moved = 1;

	for (int i = 0; i < FRAMES_PER_STEP && has_moved; i++) {
		needs = (struct needs){ 0, 0 };
		has_moved = move_in(tunnel, &needs, &is_over);
		if (!is_over)
			has_moved |= move_out(tunnel, &needs, &is_over);
		if (is_over)
			return;
	}
	tunnel_wait(&tunnel->local, needs.local);
	tunnel_wait(&tunnel->remote, needs.remote);
	if (has_moved)
		tunnel_repeat(tunnel, 0);
}
