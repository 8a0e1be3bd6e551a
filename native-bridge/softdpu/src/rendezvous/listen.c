/* Listening sockets of servers: their files, their locks, and their end in forked children. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sd_list.h"
#include "sd_log.h"
#include "socket.h"

enum {
	BACKLOG = 128,
	LOCK_NAME = SD_RENDEZVOUS_NAME + 8,
	LOCK_TRIES = 8,
	ENTER_TRIES = 500,
	MAX_CLEARED = 1024,
};

#define LOCK_SUFFIX ".lock"

/* Guards the list, and the members fd and lock_fd of its listeners. No other lock is taken, and nothing is logged, under it. */
static pthread_mutex_t listeners_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sd_listener *listeners;

static void before_fork(void)
{
	pthread_mutex_lock(&listeners_lock);
}

static void after_fork_in_parent(void)
{
	pthread_mutex_unlock(&listeners_lock);
}

static void close_descriptors(struct sd_listener *listener)
{
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

/* The child is not the server. Its copies of the descriptors would keep the name, and its socket, of a parent that has ended. */
static void after_fork_in_child(void)
{
	for (struct sd_listener *listener = listeners; listener != NULL; listener = listener->next)
		close_descriptors(listener);
	listeners = NULL;
	pthread_mutex_init(&listeners_lock, NULL);
}

static void prepare_for_fork(void)
{
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void sd_rendezvous_prepare_for_fork(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare_for_fork);
}

static void list_listener(struct sd_listener *listener)
{
	sd_rendezvous_prepare_for_fork();
	pthread_mutex_lock(&listeners_lock);
	listener->next = listeners;
	listeners = listener;
	pthread_mutex_unlock(&listeners_lock);
}

static void unlist_listener(struct sd_listener *listener)
{
	pthread_mutex_lock(&listeners_lock);
	SD_REMOVE(listeners, listener, next);
	pthread_mutex_unlock(&listeners_lock);
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

/* AGAIN: the file belonged to a server that has just ended. The listeners' lock must be held. */
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
	pthread_mutex_lock(&listeners_lock);
	for (int i = 0; i < LOCK_TRIES && result == DOCA_ERROR_AGAIN; i++)
		result = try_to_lock(listener, lock_name);
	pthread_mutex_unlock(&listeners_lock);
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

	pthread_mutex_lock(&listeners_lock);
	listener->fd = socket(AF_UNIX, RENDEZVOUS_SOCKET_TYPE, 0);
	pthread_mutex_unlock(&listeners_lock);
	if (listener->fd < 0)
		return DOCA_ERROR_OPERATING_SYSTEM;
	rendezvous_address(&address, listener->folder_fd, listener->name);
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
	list_listener(listener);
	result = sd_rendezvous_folder(1, &listener->folder_fd);
	if (result != DOCA_SUCCESS) {
		unlist_listener(listener);
		return result;
	}
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
	unlist_listener(listener);
	close_descriptors(listener);
}
