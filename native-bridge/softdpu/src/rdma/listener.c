/*
 * The socket of this process, on which connections of other processes arrive. A new socket must begin with HELLO, which names a
 * connection of this process. The listener limits sockets without HELLO, and their time. Service thread, unless a function states
 * otherwise. See sd_rdma.h and wire.h.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "sd_log.h"
#include "sd_rdma.h"
#include "sd_rendezvous.h"

enum { MAX_GUESTS = 64 };

static const uint64_t GREETING_NS = 5000000000u;	/* deadline of HELLO */
static const uint64_t SHORTAGE_NS = 10000000u;
static const uint64_t CONNECT_NS = 1000000000u;		/* limit of the wait for a full backlog */

/* A socket without HELLO. */
struct guest {
	struct sd_watch watch;
	struct sd_job deadline;
	struct guest *next;			/* newest first */
	pid_t pid;
};

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;	/* guards num_users and port */
static uint32_t num_users;
static uint64_t port;
static struct sd_listener listener;
static struct sd_watch listener_watch;
static struct sd_pause listener_pause;
static pthread_mutex_t guests_lock = PTHREAD_MUTEX_INITIALIZER;
static struct guest *guests;

static void make_name(char name[SD_RENDEZVOUS_NAME], uint32_t pid, uint64_t of_port)
{
	char scope[16], label[24];

	snprintf(scope, sizeof(scope), "%u", pid);
	snprintf(label, sizeof(label), "%llx", (unsigned long long)of_port);
	sd_rendezvous_name(name, "rdma", scope, label);
}

/* Removes a guest from the list. The caller that gets 1 destroys it. */
static uint8_t take_off(struct guest *guest)
{
	struct guest **place = &guests;

	pthread_mutex_lock(&guests_lock);
	while (*place != NULL && *place != guest)
		place = &(*place)->next;
	if (*place != NULL)
		*place = guest->next;
	else
		guest = NULL;
	pthread_mutex_unlock(&guests_lock);
	return guest != NULL;
}

/* keeps_fd: a connection uses the descriptor. */
static void destroy(struct guest *guest, uint8_t keeps_fd)
{
	sd_service_unwatch(&guest->watch);
	sd_service_cancel(&guest->deadline);
	if (!keeps_fd)
		close(guest->watch.fd);
	free(guest);
}

/* Returns the connection that the HELLO addresses, if it may use this socket. The lock must be held. */
static struct doca_rdma_connection *find_addressed(const struct rdma_packet *hello)
{
	struct doca_rdma_connection *connection = rdma_table_find(hello->peer_key);

	if (connection == NULL || connection->peer != NULL || connection->socket.is_welcome ||
	    (connection->state != RDMA_EXPORTED && connection->state != RDMA_CONNECTING))
		return NULL;
	if (connection->socket.peer_key != 0 && connection->socket.peer_key != hello->key)
		return NULL;
	return connection;
}

static struct rdma_packet welcome_of(const struct doca_rdma_connection *connection)
{
	return (struct rdma_packet){
		.type = RDMA_WELCOME,
		.permissions = connection->rdma->permissions,
		.vhca_id = connection->rdma->vhca_id,
	};
}

/* Both sides connected at the same time: the socket of the smaller key stays. */
static uint8_t is_crossed(const struct doca_rdma_connection *connection, const struct rdma_packet *hello)
{
	return connection->socket.is_open && connection->details.key < hello->key;
}

static void reject(int fd)
{
	const struct rdma_packet crossed = { .type = RDMA_CROSSED };

	if (send(fd, &crossed, sizeof(crossed), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		SD_LOG_DEBUG("an RDMA connection has ended while it was being connected");
}

/* Gives the socket of a guest to its connection. The lock must be held. */
static uint8_t adopt(struct doca_rdma_connection *connection, const struct rdma_packet *hello, struct guest *guest)
{
	struct rdma_packet welcome = welcome_of(connection);

	rdma_link_drop(connection); /* its own one, if both sides connected */
	sd_service_unwatch(&guest->watch);
	if (rdma_link_open(connection, guest->watch.fd) != DOCA_SUCCESS)
		return 0;
	connection->socket.pid = guest->pid;
	connection->socket.peer_key = hello->key;
	rdma_socket_send(connection, &welcome);
	rdma_link_welcome(connection, hello);
	return 1;
}

/* Returns 1 if a connection uses the socket from now on. */
static uint8_t greet(struct guest *guest, const struct rdma_packet *hello)
{
	struct doca_rdma_connection *connection;
	uint8_t is_adopted = 0;

	pthread_mutex_lock(&rdma_lock);
	connection = find_addressed(hello);
	if (connection != NULL && is_crossed(connection, hello))
		reject(guest->watch.fd);
	else if (connection != NULL)
		is_adopted = adopt(connection, hello, guest);
	pthread_mutex_unlock(&rdma_lock);
	return is_adopted;
}

static void guest_ready(struct sd_watch *watch, uint32_t events)
{
	struct guest *guest = (struct guest *)watch;
	struct rdma_packet hello;
	ssize_t len = recv(watch->fd, &hello, sizeof(hello), MSG_DONTWAIT | MSG_TRUNC);

	(void)events;
	if ((len < 0 && (errno == EAGAIN || errno == EINTR)) || !take_off(guest))
		return;
	if (len == sizeof(hello) && (hello.type != RDMA_HELLO || hello.value != RDMA_WIRE_VERSION || hello.key == 0))
		len = 0;
	destroy(guest, len == sizeof(hello) && greet(guest, &hello));
}

static void greeting_is_late(struct sd_job *job)
{
	struct guest *guest = (struct guest *)((uint8_t *)job - offsetof(struct guest, deadline));

	if (take_off(guest))
		destroy(guest, 0);
}

static struct guest *find_oldest(uint32_t *count)
{
	struct guest *oldest = NULL;

	*count = 0;
	pthread_mutex_lock(&guests_lock);
	for (struct guest *guest = guests; guest != NULL; guest = guest->next, ++*count)
		oldest = guest;
	pthread_mutex_unlock(&guests_lock);
	return oldest;
}

static void admit(int fd, pid_t pid)
{
	struct guest *guest = calloc(1, sizeof(*guest)), *oldest;
	uint32_t count;

	if (guest == NULL) {
		close(fd);
		return;
	}
	/* An honest guest sends HELLO at once, so the oldest one of too many is not honest. */
	oldest = find_oldest(&count);
	if (count >= MAX_GUESTS && take_off(oldest))
		destroy(oldest, 0);
	guest->watch.fd = fd;
	guest->pid = pid;
	pthread_mutex_lock(&guests_lock);
	guest->next = guests;
	guests = guest;
	pthread_mutex_unlock(&guests_lock);
	sd_service_schedule(&guest->deadline, GREETING_NS, greeting_is_late);
	if (sd_service_watch(&guest->watch, fd, EPOLLIN, guest_ready) != DOCA_SUCCESS && take_off(guest))
		destroy(guest, 0);
}

static void listener_ready(struct sd_watch *watch, uint32_t events)
{
	doca_error_t result;
	pid_t pid;
	int fd;

	(void)events;
	result = sd_rendezvous_accept(&listener, &fd, &pid);
	if (result == DOCA_SUCCESS)
		admit(fd, pid);
	else if (result == DOCA_ERROR_OPERATING_SYSTEM) /* no free descriptor: accept the sockets later */
		sd_service_pause(&listener_pause, watch, EPOLLIN, SHORTAGE_NS);
}

/* The life lock must be held. */
static doca_error_t open_listener(void)
{
	char name[SD_RENDEZVOUS_NAME];

	port = rdma_random();
	make_name(name, (uint32_t)getpid(), port);
	if (sd_rendezvous_listen(&listener, name) != DOCA_SUCCESS)
		return DOCA_ERROR_DRIVER;
	if (sd_service_watch(&listener_watch, listener.fd, EPOLLIN, listener_ready) == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	sd_rendezvous_close(&listener);
	return DOCA_ERROR_DRIVER;
}

doca_error_t rdma_listener_acquire(uint64_t *of_port)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&life_lock);
	if (num_users == 0)
		result = open_listener();
	if (result == DOCA_SUCCESS)
		num_users++;
	*of_port = port;
	pthread_mutex_unlock(&life_lock);
	return result;
}

static void free_guests(void)
{
	uint32_t count;

	for (struct guest *guest; (guest = find_oldest(&count)) != NULL;) {
		if (take_off(guest))
			destroy(guest, 0);
	}
}

void rdma_listener_release(void)
{
	pthread_mutex_lock(&life_lock);
	if (--num_users == 0) {
		sd_service_unwatch(&listener_watch);
		sd_service_cancel(&listener_pause.job);
		sd_service_unwatch(&listener_watch); /* the pause may have watched it again */
		sd_rendezvous_close(&listener);
		free_guests();
	}
	pthread_mutex_unlock(&life_lock);
}

doca_error_t rdma_listener_connect(const struct rdma_details *details, int *fd)
{
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result;
	struct timespec begin, now;
	pid_t pid;

	make_name(name, details->pid, details->port);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		result = sd_rendezvous_connect(name, fd, &pid);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (result == DOCA_ERROR_AGAIN && sched_yield() == 0 &&
		 (uint64_t)(now.tv_sec - begin.tv_sec) * 1000000000u < CONNECT_NS);
	if (result != DOCA_SUCCESS)
		return DOCA_ERROR_CONNECTION_ABORTED;
	if (pid == (pid_t)details->pid)
		return DOCA_SUCCESS;
	close(*fd);
	return DOCA_ERROR_CONNECTION_ABORTED;
}
