/* Connections to exporting processes. */
#include "import_peer.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "export_desc.h"
#include "guard.h"
#include "link.h"
#include "process.h"
#include "sd_config.h"
#include "sd_list.h"
#include "sd_quirk.h"
#include "sd_tunnel.h"

enum { REPLY_LIMIT_MS = 5000, POLL_INTERVAL_MS = 50 };

static pthread_mutex_t peers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct import_peer *peers;

static void before_fork(void)
{
	pthread_mutex_lock(&peers_lock);
	import_reader_hold();
}

static void after_fork(void)
{
	import_reader_release();
	pthread_mutex_unlock(&peers_lock);
}

__attribute__((constructor)) static void prepare_for_fork(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Returns whether the socket is ready. The wait ends at the limit, or if other processes need this thread; a signal does not end it. */
static uint8_t await(const struct import_peer *peer, short events)
{
	struct pollfd wait = { .fd = peer->socket, .events = events };
	uint64_t deadline_ms = now_ms() + REPLY_LIMIT_MS;

	do {
		if (poll(&wait, 1, POLL_INTERVAL_MS) > 0)
			return 1;
	} while (now_ms() < deadline_ms && !sd_peer_is_overdue());
	return 0;
}

/* Receives the reply to a request. The peer's lock must be held. */
static doca_error_t receive_reply(struct import_peer *peer, void *in, size_t in_len, int *receive_fd)
{
	struct link_reply reply;
	size_t len = in_len;

	if (!await(peer, POLLIN) ||
	    link_receive(peer->socket, &reply, sizeof(reply), in, &len, receive_fd) <= 0 || reply.magic != LINK_MAGIC ||
	    (reply.status == DOCA_SUCCESS && len != in_len)) {
		atomic_store(&peer->is_lost, 1);
		return DOCA_ERROR_IO_FAILED;
	}
	return (doca_error_t)reply.status;
}

doca_error_t import_peer_call(struct import_peer *peer, const struct link_request *request, const void *out, size_t out_len,
			      void *in, size_t in_len, int send_fd, int *receive_fd)
{
	doca_error_t result = DOCA_ERROR_IO_FAILED;

	pthread_mutex_lock(&peer->lock);
	if (!atomic_load(&peer->is_lost) && await(peer, POLLOUT) &&
	    link_send(peer->socket, request, sizeof(*request), out, out_len, send_fd))
		result = receive_reply(peer, in, in_len, receive_fd);
	pthread_mutex_unlock(&peer->lock);
	return result;
}

/* Sends the pass and receives the board. */
static doca_error_t greet(struct import_peer *peer)
{
	const struct link_request request = { .magic = LINK_MAGIC, .verb = LINK_HELLO, .cookie = peer->cookie };
	int pass_fd, board_fd = -1;

	peer->pass = guard_create("softdpu-pass", sizeof(*peer->pass), &pass_fd);
	if (peer->pass == NULL)
		return DOCA_ERROR_OPERATING_SYSTEM;
	if (import_peer_call(peer, &request, NULL, 0, NULL, 0, pass_fd, &board_fd) == DOCA_SUCCESS && board_fd >= 0)
		peer->board = guard_map(board_fd, sizeof(*peer->board));
	close(pass_fd);
	if (board_fd >= 0)
		close(board_fd);
	if (peer->board == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	peer->life = guard_life(peer->board);
	return DOCA_SUCCESS;
}

/* The exporter is reached by its socket, or not at all. */
static doca_error_t connect_far(struct import_peer *peer, const struct sd_endpoint *endpoint)
{
	const struct link_request request = { .magic = LINK_MAGIC, .verb = LINK_HELLO, .cookie = peer->cookie };
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result = sd_tunnel_acquire();

	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NOT_SUPPORTED ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_OPERATING_SYSTEM;
	peer->is_far = 1;
	atomic_store(&peer->must_ask, 1);
	link_name(name, (uint32_t)peer->pid, peer->start_time, peer->cookie);
	result = sd_tunnel_connect(endpoint->address, endpoint->port, name, &peer->socket);
	if (result == DOCA_SUCCESS && import_peer_call(peer, &request, NULL, 0, NULL, 0, -1, NULL) != DOCA_SUCCESS)
		result = DOCA_ERROR_INVALID_VALUE;
	return result;
}

static doca_error_t connect_near(struct import_peer *peer)
{
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result;
	pid_t pid;

	peer->pid_fd = (int)syscall(SYS_pidfd_open, peer->pid, 0);
	if (process_start_time(peer->pid) != peer->start_time)
		return DOCA_ERROR_INVALID_VALUE;
	link_name(name, (uint32_t)peer->pid, peer->start_time, peer->cookie);
	result = sd_rendezvous_connect(name, &peer->socket, &pid);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_OPERATING_SYSTEM ? result : DOCA_ERROR_INVALID_VALUE;
	return pid == peer->pid ? greet(peer) : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t connect_peer(struct import_peer *peer, const struct sd_endpoint *endpoint)
{
	switch (endpoint == NULL ? SD_ROUTE_LOCAL : sd_endpoint_route(endpoint)) {
	case SD_ROUTE_LOCAL:
		return connect_near(peer);
	case SD_ROUTE_TUNNEL:
		return connect_far(peer, endpoint);
	default:
		return DOCA_ERROR_INVALID_VALUE;
	}
}

static void free_peer(struct import_peer *peer)
{
	if (peer->socket >= 0)
		close(peer->socket);
	if (peer->is_far)
		sd_tunnel_release();
	if (peer->pid_fd >= 0)
		close(peer->pid_fd);
	if (peer->pass != NULL)
		munmap(peer->pass, sizeof(*peer->pass));
	if (peer->board != NULL)
		munmap((void *)(uintptr_t)peer->board, sizeof(*peer->board));
	pthread_mutex_destroy(&peer->lock);
	free(peer);
}

static void free_abandoned(struct import_reader *reader)
{
	free_peer((struct import_peer *)((char *)reader - offsetof(struct import_peer, reader)));
}

/* A stuck reader thread uses the peer. Then that thread frees it. */
static void destroy(struct import_peer *peer)
{
	if (import_reader_close(&peer->reader, free_abandoned))
		free_peer(peer);
}

static doca_error_t create(const struct export_desc *desc, const struct sd_endpoint *endpoint, struct import_peer **peer)
{
	struct import_peer *p = calloc(1, sizeof(*p));
	doca_error_t result;

	if (p == NULL)
		return DOCA_ERROR_NO_MEMORY;
	p->owner = getpid();
	p->pid = (pid_t)desc->pid;
	p->start_time = desc->start_time;
	p->cookie = desc->cookie;
	p->socket = -1;
	p->pid_fd = -1;
	p->must_ask = sd_config()->no_process_vm || sd_quirk_is_on(SD_QUIRK_NO_DIRECT_COPY);
	pthread_mutex_init(&p->lock, NULL);
	result = connect_peer(p, endpoint);
	if (result == DOCA_SUCCESS)
		*peer = p;
	else
		destroy(p);
	return result;
}

/*
 * Finds a connected peer. Skips a peer that hung up: a new one may use the same name. Skips those of the parent of a forked child: the
 * parent uses their sockets, and may hold their locks. The lock of peers must be held.
 */
static struct import_peer *find(const struct export_desc *desc, uint8_t may_be_far)
{
	struct import_peer *peer;
	pid_t owner = getpid();

	for (peer = peers; peer != NULL; peer = peer->next) {
		struct pollfd state = { .fd = peer->socket };

		if (peer->owner == owner && peer->pid == (pid_t)desc->pid && peer->start_time == desc->start_time && peer->cookie == desc->cookie &&
		    peer->is_far <= may_be_far && !atomic_load(&peer->is_lost) && poll(&state, 1, 0) == 0)
			return peer;
	}
	return NULL;
}

/* Returns a connected peer with one import more: one of the list, else the new one, which enters the list. created: may be NULL. */
static struct import_peer *share(const struct export_desc *desc, uint8_t may_be_far, struct import_peer *created)
{
	struct import_peer *peer;

	pthread_mutex_lock(&peers_lock);
	peer = find(desc, may_be_far);
	if (peer == NULL && created != NULL) {
		peer = created;
		peer->next = peers;
		peers = peer;
	}
	if (peer != NULL)
		peer->num_imports++;
	pthread_mutex_unlock(&peers_lock);
	return peer;
}

/* A connect to a silent exporter lasts for seconds, and must not delay imports from others. It holds no lock. */
doca_error_t import_peer_acquire(const struct export_desc *desc, const struct sd_endpoint *endpoint, struct import_peer **peer)
{
	struct import_peer *created;
	doca_error_t result;

	*peer = share(desc, endpoint != NULL, NULL);
	if (*peer != NULL)
		return DOCA_SUCCESS;
	result = create(desc, endpoint, &created);
	if (result != DOCA_SUCCESS)
		created = NULL;
	*peer = share(desc, endpoint != NULL, created); /* another thread may have connected in the meantime */
	if (created != NULL && *peer != created)
		destroy(created);
	return *peer != NULL ? DOCA_SUCCESS : result;
}

void import_peer_release(struct import_peer *peer)
{
	uint8_t is_last;

	pthread_mutex_lock(&peers_lock);
	is_last = --peer->num_imports == 0;
	if (is_last)
		SD_REMOVE(peers, peer, next);
	pthread_mutex_unlock(&peers_lock);
	if (is_last)
		destroy(peer); /* may wait for the reader thread */
}

doca_error_t import_peer_check(struct import_peer *peer, const struct export_desc *desc, uint64_t key)
{
	const struct link_request request = {
		.magic = LINK_MAGIC,
		.verb = LINK_CHECK,
		.cookie = desc->cookie,
		.generation = desc->generation,
		.addr = desc->addr,
		.len = desc->len,
		.slot = desc->slot,
		.permissions = desc->permissions,
		.key = key,
	};
	doca_error_t result = import_peer_call(peer, &request, NULL, 0, NULL, 0, -1, NULL);

	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}
