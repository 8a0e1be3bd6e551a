/* Listens on and connects to the sockets of servers. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "sd_log.h"
#include "sd_rendezvous.h"

enum {
	BACKLOG = 128,
	LOCK_NAME = SD_RENDEZVOUS_NAME + 8,
	LOCK_TRIES = 8,
	ENTER_TRIES = 500,
	MAX_CLEARED = 1024,
	SOCKET_TYPE = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
};

#define LOCK_SUFFIX ".lock"

/* The address uses the folder's descriptor: its length is bounded, and no process can exchange the folder. */
static void make_address(struct sockaddr_un *address, int folder_fd, const char *name)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), "/proc/self/fd/%d/%s", folder_fd, name);
}

static void make_lock_name(char *lock_name, const char *name)
{
	snprintf(lock_name, LOCK_NAME, "%s" LOCK_SUFFIX, name);
}

/* Returns true if the locked file is still in the folder. The previous server may have removed it. */
static uint8_t is_current(int folder_fd, const char *lock_name, int lock_fd)
{
	struct stat in_folder, locked;

	return fstatat(folder_fd, lock_name, &in_folder, AT_SYMLINK_NOFOLLOW) == 0 && fstat(lock_fd, &locked) == 0 &&
	       in_folder.st_ino == locked.st_ino && in_folder.st_dev == locked.st_dev;
}

/* AGAIN: the file belonged to a server that has just ended. */
static doca_error_t try_to_lock(struct sd_listener *listener, const char *lock_name)
{
	int fd = openat(listener->folder_fd, lock_name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	doca_error_t result;

	if (fd < 0)
		return DOCA_ERROR_OPERATING_SYSTEM;
	result = flock(fd, LOCK_EX | LOCK_NB) != 0		      ? DOCA_ERROR_ALREADY_EXIST :
		 !is_current(listener->folder_fd, lock_name, fd) ? DOCA_ERROR_AGAIN :
								      DOCA_SUCCESS;
	if (result == DOCA_SUCCESS)
		listener->lock_fd = fd;
	else
		close(fd);
	return result;
}

static doca_error_t lock_name_of(struct sd_listener *listener)
{
	doca_error_t result = DOCA_ERROR_AGAIN;
	char lock_name[LOCK_NAME];

	make_lock_name(lock_name, listener->name);
	for (int i = 0; i < LOCK_TRIES && result == DOCA_ERROR_AGAIN; i++)
		result = try_to_lock(listener, lock_name);
	return result == DOCA_ERROR_AGAIN ? DOCA_ERROR_ALREADY_EXIST : result;
}

/*
 * Locks the folder. One server at a time removes files of dead servers and takes a name. Removal holds the locks of dead
 * servers briefly; without the folder's lock, another server could mistake these for running servers. A process that is
 * stopped with the folder's lock delays other servers by half a second each.
 */
static void enter_folder(int folder_fd)
{
	static const struct timespec moment = { .tv_nsec = 1000000 };

	for (int i = 0; i < ENTER_TRIES && flock(folder_fd, LOCK_EX | LOCK_NB) != 0; i++)
		nanosleep(&moment, NULL);
}

static void leave_folder(int folder_fd)
{
	flock(folder_fd, LOCK_UN);
}

/* Removes a server's files if no process holds its lock. */
static void clear_if_stale(int folder_fd, const char *lock_name)
{
	int fd = openat(folder_fd, lock_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	char name[LOCK_NAME];

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_current(folder_fd, lock_name, fd)) {
		snprintf(name, sizeof(name), "%.*s", (int)(strlen(lock_name) - strlen(LOCK_SUFFIX)), lock_name);
		unlinkat(folder_fd, name, 0);
		unlinkat(folder_fd, lock_name, 0);
	}
	close(fd);
}

/* Removes the files of killed servers. Each new server calls this function. */
static void clear_stale(int folder_fd)
{
	int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	for (int i = 0; i < MAX_CLEARED && (entry = readdir(folder)) != NULL; i++) {
		size_t len = strlen(entry->d_name);

		if (len > strlen(LOCK_SUFFIX) && len < LOCK_NAME &&
		    strcmp(entry->d_name + len - strlen(LOCK_SUFFIX), LOCK_SUFFIX) == 0)
			clear_if_stale(folder_fd, entry->d_name);
	}
	closedir(folder);
}

static doca_error_t bind_socket(struct sd_listener *listener)
{
	struct sockaddr_un address;

	listener->fd = socket(AF_UNIX, SOCKET_TYPE, 0);
	if (listener->fd < 0)
		return DOCA_ERROR_OPERATING_SYSTEM;
	make_address(&address, listener->folder_fd, listener->name);
	/* This process holds the lock, so the creator of an existing socket is dead. */
	if (unlinkat(listener->folder_fd, listener->name, 0) == 0)
		SD_LOG_INFO("removed the socket %s of a dead server", listener->name);
	if (bind(listener->fd, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(listener->fd, BACKLOG) == 0)
		return DOCA_SUCCESS;
	return DOCA_ERROR_OPERATING_SYSTEM;
}

doca_error_t sd_rendezvous_listen(struct sd_listener *listener, const char *name)
{
	doca_error_t result;

	memset(listener, 0, sizeof(*listener));
	listener->fd = -1;
	listener->lock_fd = -1;
	listener->folder_fd = -1;
	listener->owner = getpid();
	snprintf(listener->name, sizeof(listener->name), "%s", name);
	result = sd_rendezvous_folder(1, &listener->folder_fd);
	if (result != DOCA_SUCCESS)
		return result;
	enter_folder(listener->folder_fd);
	clear_stale(listener->folder_fd);
	result = lock_name_of(listener);
	if (result == DOCA_SUCCESS)
		result = bind_socket(listener);
	leave_folder(listener->folder_fd);
	if (result == DOCA_ERROR_OPERATING_SYSTEM)
		SD_LOG_ERROR("cannot create the socket %s: %s", name, strerror(errno));
	if (result != DOCA_SUCCESS)
		sd_rendezvous_close(listener);
	return result;
}

void sd_rendezvous_close(struct sd_listener *listener)
{
	char lock_name[LOCK_NAME];

	make_lock_name(lock_name, listener->name);
	if (listener->lock_fd >= 0 && listener->owner == getpid()) {
		unlinkat(listener->folder_fd, listener->name, 0);
		unlinkat(listener->folder_fd, lock_name, 0);
	}
	if (listener->fd >= 0)
		close(listener->fd);
	if (listener->lock_fd >= 0)
		close(listener->lock_fd);
	if (listener->folder_fd >= 0)
		close(listener->folder_fd);
	listener->fd = -1;
	listener->lock_fd = -1;
	listener->folder_fd = -1;
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
	candidate = socket(AF_UNIX, SOCKET_TYPE, 0);
	if (candidate < 0) {
		result = cannot_connect(name, "socket", errno);
		close(folder_fd);
		return result;
	}
	make_address(&address, folder_fd, name);
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
