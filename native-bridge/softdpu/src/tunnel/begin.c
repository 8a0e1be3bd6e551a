/*
 * Opens tunnels: connect, TLS, greeting, then the line or the local socket. Each function that ends with "step" is a step. See
 * tunnel.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "sd_log.h"
#include "tunnel.h"

enum { MAX_ERRORS_PER_S = 8 };

static const uint64_t BACKLOG_NS = 10000000u;	/* pause while the local socket accepts no more connections */

static void refuse(struct tunnel *tunnel, const char *why)
{
	SD_LOG_ERROR("the RDMA peer %s is refused: %s", tunnel->peer, why);
	tunnel_end(tunnel);
}

static void open_tunnel(struct tunnel *tunnel)
{
	sd_service_cancel(&tunnel->deadline);
	tunnel->is_open = 1;
	tunnel->step = tunnel_relay;
	if (tunnel->line != NULL)
		line_open(tunnel->line);
	else if (!tunnel_watch(&tunnel->local, EPOLLIN))
		return;
	tunnel_relay(tunnel);
}

/* Returns whether the greeting names a socket that this tunnel may reach. */
static uint8_t read_greeting(struct tunnel *tunnel)
{
	struct tunnel_greeting greeting;

	if (tunnel->in.len != sizeof(greeting))
		return 0;
	memcpy(&greeting, tunnel->in.bytes, sizeof(greeting));
	frame_clear(&tunnel->in);
	if (greeting.magic != TUNNEL_MAGIC || greeting.version != TUNNEL_VERSION ||
	    memchr(greeting.name, '\0', sizeof(greeting.name)) == NULL || strchr(greeting.name, '/') != NULL)
		return 0;
	if (tunnel->name[0] != '\0')
		return greeting.name[0] == '\0';
	strcpy(tunnel->name, greeting.name);
	return strncmp(tunnel->name, "rdma.", 5) == 0 || strncmp(tunnel->name, "memory.", 7) == 0;
}

/* Server: returns 1 if a listener of this process has accepted the line of the tunnel. */
static uint8_t offer_line(struct tunnel *tunnel)
{
	struct sd_line *line = line_new(tunnel, tunnel_wake);

	if (line == NULL)
		return 0;
	if (!line_offer(tunnel->name, line)) {
		sd_line_close(line);
		line_leave(line);
		return 0;
	}
	tunnel->line = line;
	return 1;
}

/* Server: connects the socket that the greeting named. */
static void local_step(struct tunnel *tunnel)
{
	doca_error_t result;
	pid_t pid;

	if (offer_line(tunnel)) {
		open_tunnel(tunnel);
		return;
	}
	result = sd_rendezvous_connect(tunnel->name, &tunnel->local.fd, &pid);
	if (result == DOCA_ERROR_AGAIN) {
		tunnel_wait(&tunnel->remote, 0);
		tunnel_repeat(tunnel, BACKLOG_NS);
		return;
	}
	if (result != DOCA_SUCCESS || pid != getpid()) {
		SD_LOG_INFO("the RDMA peer %s requested a socket that has ended", tunnel->peer);
		tunnel_end(tunnel);
		return;
	}
	open_tunnel(tunnel);
}

/* Server: reads the greeting. */
static void greeting_step(struct tunnel *tunnel)
{
	while (!frame_is_complete(&tunnel->in)) {
		size_t len;
		void *room = frame_room(&tunnel->in, &len);
		enum tls_result result = tls_read(tunnel->ssl, room, len, &len);

		if (result == TLS_READ || result == TLS_WRITE) {
			tunnel_wait(&tunnel->remote, result == TLS_READ ? EPOLLIN : EPOLLOUT);
			return;
		}
		if (result != TLS_DONE) {
			tunnel_end(tunnel);
			return;
		}
		if (!frame_received(&tunnel->in, len) || tunnel->in.len > sizeof(struct tunnel_greeting)) {
			refuse(tunnel, "its greeting is not valid (do both hosts have the same version and byte order?)");
			return;
		}
	}
	if (!read_greeting(tunnel)) {
		refuse(tunnel, "its greeting is not valid (do both hosts have the same version and byte order?)");
		return;
	}
	tunnel->step = local_step;
	local_step(tunnel);
}

/* Client: sends the greeting; the local socket is there already. */
static void greet(struct tunnel *tunnel)
{
	struct tunnel_greeting greeting = { .magic = TUNNEL_MAGIC, .version = TUNNEL_VERSION };

	strcpy(greeting.name, tunnel->name);
	if (!frame_begin(&tunnel->out, &greeting, sizeof(greeting))) {
		refuse(tunnel, "no memory");
		return;
	}
	open_tunnel(tunnel);
}

/* Any process that reaches the port can fail, so the log has a limit. */
static uint8_t may_log(void)
{
	static time_t second;
	static uint32_t count;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec != second)
		count = 0;
	second = now.tv_sec;
	return count++ < MAX_ERRORS_PER_S;
}

static void handshake_failed(struct tunnel *tunnel)
{
	if (may_log())
		SD_LOG_ERROR("no TLS session with the RDMA peer %s: %s (do both sides have the same key in SOFTDPU_RDMA_KEY?)",
			     tunnel->peer, tls_reason());
	tunnel_end(tunnel);
}

static void handshake_step(struct tunnel *tunnel)
{
	switch (tls_shake_hands(tunnel->ssl)) {
	case TLS_DONE:
		tunnel->step = greeting_step;
		if (tunnel->is_server)
			greeting_step(tunnel);
		else
			greet(tunnel);
		break;
	case TLS_READ:
		tunnel_wait(&tunnel->remote, EPOLLIN);
		break;
	case TLS_WRITE:
		tunnel_wait(&tunnel->remote, EPOLLOUT);
		break;
	case TLS_END:
		SD_LOG_INFO("the RDMA peer %s hung up", tunnel->peer);
		tunnel_end(tunnel);
		break;
	default:
		handshake_failed(tunnel);
	}
}

void tunnel_begin(struct tunnel *tunnel)
{
	socklen_t len = sizeof(int);
	int error = 0;

	(void)getsockopt(tunnel->remote.fd, SOL_SOCKET, SO_ERROR, &error, &len);
	if (error != 0) {
		SD_LOG_WARNING("cannot connect to the RDMA peer %s: %s", tunnel->peer, strerror(error));
		tunnel_end(tunnel);
		return;
	}
	tunnel->ssl = tls_new(tunnel->remote.fd, tunnel->is_server);
	if (tunnel->ssl == NULL) {
		refuse(tunnel, "no memory");
		return;
	}
	tunnel->step = handshake_step;
	handshake_step(tunnel);
}
