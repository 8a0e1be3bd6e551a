/* Listens for tunnels. See sd_tunnel.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sd_config.h"
#include "sd_log.h"
#include "tunnel.h"

enum { BACKLOG = 128 };

static const uint64_t BEGIN_NS = 5000000000u;	/* limit until a tunnel is open: an attacker holds a guest no longer */
static const uint64_t SHORTAGE_NS = 10000000u;

struct sd_gate {
	struct sd_watch watch;			/**< first member */
	struct sd_pause pause;
	int fd;
	uint16_t port;
	uint8_t is_short;			/**< the log names the failure already */
	char name[SD_RENDEZVOUS_NAME];		/**< empty: sockets that the clients name */
};

/* An honest guest begins at once, so the oldest one of too many is not honest. */
static void admit(const struct sd_gate *gate, int fd, const struct sockaddr_in6 *peer)
{
	struct tunnel *tunnel;

	tunnel_end_surplus();
	tunnel_set_options(fd);
	tunnel = tunnel_new(fd, peer, 1, tunnel_begin);
	if (tunnel == NULL)
		return;
	strcpy(tunnel->name, gate->name);
	tunnel_limit(tunnel, BEGIN_NS);
	(void)tunnel_watch(&tunnel->remote, EPOLLIN);
}

static void gate_ready(struct sd_watch *watch, uint32_t events)
{
	struct sd_gate *gate = (struct sd_gate *)watch;
	struct sockaddr_in6 peer = { .sin6_family = AF_INET6 };
	socklen_t len = sizeof(peer);
	int fd = accept4(gate->fd, (struct sockaddr *)&peer, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (fd >= 0) {
		gate->is_short = 0;
		admit(gate, fd, &peer);
	} else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
		if (!gate->is_short)
			SD_LOG_ERROR("port %u of SOFTDPU_RDMA_ADDRESS accepts no RDMA peers for now: accept4: %s", gate->port,
				     strerror(errno));
		gate->is_short = 1;
		sd_service_pause(&gate->pause, watch, EPOLLIN, SHORTAGE_NS);
	}
}

static doca_error_t failed(const char *what, uint16_t port)
{
	doca_error_t result = errno == EADDRINUSE ? DOCA_ERROR_ALREADY_EXIST : DOCA_ERROR_DRIVER;

	SD_LOG_ERROR("cannot listen to port %u of SOFTDPU_RDMA_ADDRESS: %s: %s", port, what, strerror(errno));
	return result;
}

static doca_error_t listen_to(struct sd_gate *gate, uint16_t port)
{
	struct sockaddr_in6 address;
	socklen_t len = sizeof(address);
	const int one = 1;

	tunnel_address(&address, sd_config()->tcp.address, port);
	if (setsockopt(gate->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0)
		return failed("setsockopt", port);
	if (bind(gate->fd, (const struct sockaddr *)&address, len) != 0)
		return failed("bind", port);
	if (listen(gate->fd, BACKLOG) != 0)
		return failed("listen", port);
	if (getsockname(gate->fd, (struct sockaddr *)&address, &len) != 0)
		return failed("getsockname", port);
	gate->port = ntohs(address.sin6_port);
	return sd_service_watch(&gate->watch, gate->fd, EPOLLIN, gate_ready) == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_DRIVER;
}

doca_error_t sd_gate_open(uint16_t port, const char *name, struct sd_gate **gate)
{
	struct sd_gate *created = calloc(1, sizeof(*created));
	doca_error_t result;

	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	snprintf(created->name, sizeof(created->name), "%s", name == NULL ? "" : name);
	created->fd = tunnel_socket();
	result = created->fd < 0 ? failed("socket", port) : listen_to(created, port);
	if (result == DOCA_SUCCESS) {
		*gate = created;
		return DOCA_SUCCESS;
	}
	if (created->fd >= 0)
		close(created->fd);
	free(created);
	return result;
}

uint16_t sd_gate_port(const struct sd_gate *gate)
{
	return gate->port;
}

void sd_gate_close(struct sd_gate *gate)
{
	sd_service_unwatch(&gate->watch);
	sd_service_cancel(&gate->pause.job);
	sd_service_unwatch(&gate->watch); /* the pause may have watched it again */
	close(gate->fd);
	free(gate);
}
