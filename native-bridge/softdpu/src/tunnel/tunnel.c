/* Public part of tunnels. See sd_tunnel.h. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sd_config.h"
#include "sd_line.h"
#include "sd_log.h"
#include "tunnel.h"

static const uint64_t BEGIN_NS = 5000000000u;	/* limit until a tunnel is open */
static const time_t LAST_PACKETS_S = 1;

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;	/* guards num_users */
static uint32_t num_users;
static pid_t owner;				/* process of the users */

uint8_t sd_tunnel_is_on(void)
{
	return sd_config()->tcp.key_len > 0;
}

/* A forked child has the parent's sockets, but no use for them. */
static void forget_parent(void)
{
	if (owner != 0 && owner != getpid()) {
		tunnel_end_all(0);
		num_users = 0;
	}
	owner = getpid();
}

doca_error_t sd_tunnel_acquire(void)
{
	doca_error_t result;

	pthread_mutex_lock(&life_lock);
	forget_parent();
	result = tls_open() ? sd_service_acquire() : DOCA_ERROR_NOT_SUPPORTED;
	if (result == DOCA_SUCCESS)
		num_users++;
	pthread_mutex_unlock(&life_lock);
	return result;
}

void sd_tunnel_release(void)
{
	pthread_mutex_lock(&life_lock);
	if (--num_users == 0)
		tunnel_end_all(LAST_PACKETS_S);
	sd_service_release();
	pthread_mutex_unlock(&life_lock);
}

/* Service thread: the connect has begun. */
static void first_step(struct tunnel *tunnel)
{
	tunnel->step = tunnel_begin;
	tunnel_limit(tunnel, BEGIN_NS);
	(void)tunnel_watch(&tunnel->remote, EPOLLOUT);
}

static doca_error_t no_socket(const char *what)
{
	SD_LOG_ERROR("no tunnel to an RDMA peer: %s: %s", what, strerror(errno));
	return DOCA_ERROR_OPERATING_SYSTEM;
}

/* A failed connect ends the local socket later, as a lost one does. */
static struct tunnel *create(int remote_fd, const struct sockaddr_in6 *peer, const char *name)
{
	struct tunnel *tunnel;

	tunnel_set_options(remote_fd);
	if (connect(remote_fd, (const struct sockaddr *)peer, sizeof(*peer)) != 0 && errno != EINPROGRESS) {
		int error = errno;

		SD_LOG_WARNING("cannot connect to an RDMA peer: %s", strerror(error));
		close(remote_fd);
		return NULL;
	}
	tunnel = tunnel_new(remote_fd, peer, 0, first_step);
	if (tunnel != NULL)
		snprintf(tunnel->name, sizeof(tunnel->name), "%s", name);
	return tunnel;
}

/* The caller sets the local side, then wakes the tunnel. */
static doca_error_t begin(const uint8_t address[SD_TCP_ADDRESS_LEN], uint16_t port, const char *name, struct tunnel **tunnel)
{
	struct sockaddr_in6 peer;
	int fd = tunnel_socket();

	if (fd < 0)
		return no_socket("socket");
	tunnel_address(&peer, address, port);
	*tunnel = create(fd, &peer, name);
	return *tunnel == NULL ? DOCA_ERROR_OPERATING_SYSTEM : DOCA_SUCCESS;
}

doca_error_t sd_tunnel_connect(const uint8_t address[SD_TCP_ADDRESS_LEN], uint16_t port, const char *name, int *fd)
{
	struct tunnel *tunnel;
	doca_error_t result;
	int local_fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, local_fds) != 0)
		return no_socket("socketpair");
	result = begin(address, port, name, &tunnel);
	if (result != DOCA_SUCCESS) {
		close(local_fds[0]);
		close(local_fds[1]);
		return result;
	}
	tunnel->local.fd = local_fds[1];
	*fd = local_fds[0];
	tunnel_wake(tunnel);
	return DOCA_SUCCESS;
}

doca_error_t sd_line_connect(const uint8_t address[SD_TCP_ADDRESS_LEN], uint16_t port, const char *name, struct sd_line **line)
{
	struct tunnel *tunnel;
	doca_error_t result = begin(address, port, name, &tunnel);

	if (result != DOCA_SUCCESS)
		return result;
	*line = tunnel->line = line_new(tunnel, tunnel_wake);
	if (*line == NULL) {
		tunnel_end(tunnel);
		return DOCA_ERROR_NO_MEMORY;
	}
	tunnel_wake(tunnel);
	return DOCA_SUCCESS;
}
