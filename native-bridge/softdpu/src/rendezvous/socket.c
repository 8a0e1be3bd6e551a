/* Addresses of the sockets of servers, and the connections to them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sd_log.h"
#include "socket.h"

void rendezvous_address(struct sockaddr_un *address, int folder_fd, const char *name)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), "/proc/self/fd/%d/%s", folder_fd, name);
}

doca_error_t sd_rendezvous_peer(int fd, pid_t *peer)
{
	struct ucred credentials;
	socklen_t len = sizeof(credentials);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &len) != 0) {
		SD_LOG_ERROR("cannot find the process at the other end of a socket: getsockopt: %s", strerror(errno));
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	if (credentials.uid != geteuid()) {
		SD_LOG_WARNING("refused process %d of user %u: only user %u may connect", (int)credentials.pid,
			       (unsigned int)credentials.uid, (unsigned int)geteuid());
		return DOCA_ERROR_NOT_PERMITTED;
	}
	*peer = credentials.pid;
	return DOCA_SUCCESS;
}

static doca_error_t keep_own(int candidate, int *fd, pid_t *peer)
{
	doca_error_t result = sd_rendezvous_peer(candidate, peer);

	if (result == DOCA_SUCCESS)
		*fd = candidate;
	else
		close(candidate);
	return result;
}

doca_error_t sd_rendezvous_accept(struct sd_listener *listener, int *fd, pid_t *peer)
{
	int accepted;

	do {
		accepted = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	} while (accepted < 0 && (errno == EINTR || errno == ECONNABORTED));
	if (accepted >= 0) {
		listener->is_short = 0;
		return keep_own(accepted, fd, peer);
	}
	if (errno == EAGAIN)
		return DOCA_ERROR_AGAIN;
	if (!listener->is_short)
		SD_LOG_ERROR("the socket %s accepts no clients for now: accept4: %s", listener->name, strerror(errno));
	listener->is_short = 1;
	return DOCA_ERROR_OPERATING_SYSTEM;
}

/* Logs a failure of this process. Clients expect a missing or busy server. */
static doca_error_t cannot_connect(const char *name, const char *what, int error)
{
	SD_LOG_ERROR("cannot connect to the socket %s: %s: %s", name, what, strerror(error));
	return error == EACCES || error == EPERM ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_OPERATING_SYSTEM;
}

static doca_error_t connect_error(const char *name, int error)
{
	switch (error) {
	case ENOENT: /* no server has created this name */
	case ECONNREFUSED: /* the server is dead */
		return DOCA_ERROR_NOT_FOUND;
	case EAGAIN:
		return DOCA_ERROR_AGAIN;
	default:
		return cannot_connect(name, "connect", error);
	}
}

doca_error_t sd_rendezvous_connect(const char *name, int *fd, pid_t *peer)
{
	struct sockaddr_un address;
	doca_error_t result;
	int folder_fd, candidate, status;

	result = sd_rendezvous_folder(0, &folder_fd);
	if (result != DOCA_SUCCESS)
		return result;
	candidate = socket(AF_UNIX, RENDEZVOUS_SOCKET_TYPE, 0);
	if (candidate < 0) {
		result = cannot_connect(name, "socket", errno);
		close(folder_fd);
		return result;
	}
	rendezvous_address(&address, folder_fd, name);
	do {
		status = connect(candidate, (struct sockaddr *)&address, sizeof(address));
	} while (status != 0 && errno == EINTR);
	result = status == 0 ? DOCA_SUCCESS : connect_error(name, errno);
	close(folder_fd);
	if (result == DOCA_SUCCESS)
		return keep_own(candidate, fd, peer);
	close(candidate);
	return result;
}
