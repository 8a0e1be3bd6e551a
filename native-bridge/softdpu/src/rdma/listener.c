/*
 * The socket of this process, on which connections of other processes arrive. A new socket begins with HELLO, which names a
 * connection of this process. Service thread, unless a function states otherwise. See sd_rdma.h and wire.h.
 */
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "guest.h"
#include "sd_log.h"
#include "sd_secret.h"

static const uint64_t CONNECT_NS = 1000000000u;		/* limit of the wait for a full backlog */

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;	/* guards num_users and port */
static uint32_t num_users;
static uint64_t port;

static void make_name(char name[SD_RENDEZVOUS_NAME], uint32_t pid, uint64_t of_port)
{
	char scope[16], label[24];

	snprintf(scope, sizeof(scope), "%u", pid);
	snprintf(label, sizeof(label), "%llx", (unsigned long long)of_port);
	sd_rendezvous_name(name, "rdma", scope, label);
}

/* Returns the connection for the socket, if the addressed one has no other. NULL: none. The lock must be held. */
static struct doca_rdma_connection *find_addressed(const struct rdma_packet *hello)
{
	struct doca_rdma_connection *connection = rdma_table_find(hello->peer_key);

	if (hello->type != RDMA_HELLO || connection == NULL || connection->is_managed)
		return NULL;
	if (rdma_is_dc(connection))
		return rdma_sender_new(connection);
	if (connection->peer != NULL || connection->socket.is_welcome ||
	    (connection->state != RDMA_EXPORTED && connection->state != RDMA_CONNECTING))
		return NULL;
	if (connection->socket.peer_key != 0 && connection->socket.peer_key != hello->key)
		return NULL;
	return connection;
}

/* Both sides connected at the same time: the socket of the smaller key stays. */
static uint8_t is_crossed(const struct doca_rdma_connection *connection, const struct rdma_packet *hello)
{
	return connection->socket.is_open && connection->details.key < hello->key;
}

static void reject(struct rdma_channel *channel)
{
	const struct rdma_packet crossed = { .type = RDMA_CROSSED };

	if (rdma_channel_send(channel, &crossed, NULL, 0) != SD_LINE_DONE)
		SD_LOG_DEBUG("an RDMA connection has ended while it was being connected");
}

/* Gives the socket of a guest to its connection. The lock must be held. */
static uint8_t adopt(struct doca_rdma_connection *connection, const struct rdma_packet *hello, struct rdma_guest *guest)
{
	rdma_link_drop(connection); /* its own one, if both sides connected */
	rdma_channel_unwatch(&guest->channel);
	if (rdma_link_open(connection, &guest->channel) != DOCA_SUCCESS)
		return 0;
	connection->socket.pid = guest->pid;
	connection->socket.peer_key = hello->key;
	if (connection->state == RDMA_EXPORTED)
		connection->joined_by = hello->key;
	rdma_socket_welcome(connection);
	rdma_link_welcome(connection, hello);
	return 1;
}

/* Returns 1 if a connection uses the socket from now on. */
static uint8_t greet(struct rdma_guest *guest, const struct rdma_packet *hello)
{
	struct doca_rdma_connection *connection;
	uint8_t is_adopted = 0;

	rdma_unseen_free();
	pthread_mutex_lock(&rdma_lock);
	connection = find_addressed(hello);
	if (connection != NULL && is_crossed(connection, hello))
		reject(&guest->channel);
	else if (connection != NULL)
		is_adopted = adopt(connection, hello, guest);
	if (connection != NULL && !is_adopted && connection->target != NULL)
		rdma_connection_end_locked(connection);
	pthread_mutex_unlock(&rdma_lock);
	return is_adopted;
}

static struct rdma_listener listener = { .greet = greet };

/* The life lock must be held. */
static doca_error_t open_listener(void)
{
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result = sd_secret_draw(&port);

	if (result != DOCA_SUCCESS)
		return result;
	make_name(name, (uint32_t)getpid(), port);
	return rdma_listener_open(&listener, name) == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_DRIVER;
}

/* The life lock must be held. */
static doca_error_t open_reachable(void)
{
	doca_error_t result;

	if (sd_endpoint_acquire() != DOCA_SUCCESS)
		return DOCA_ERROR_DRIVER;
	result = open_listener();
	if (result != DOCA_SUCCESS)
		sd_endpoint_release();
	return result;
}

doca_error_t rdma_listener_acquire(uint64_t *of_port)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&life_lock);
	if (num_users == 0)
		result = open_reachable();
	if (result == DOCA_SUCCESS)
		num_users++;
	*of_port = port;
	pthread_mutex_unlock(&life_lock);
	return result;
}

void rdma_listener_release(void)
{
	pthread_mutex_lock(&life_lock);
	if (--num_users == 0) {
		rdma_listener_close(&listener);
		sd_endpoint_release();
	}
	pthread_mutex_unlock(&life_lock);
}

doca_error_t rdma_connect_to(const char *name, struct rdma_channel *channel, pid_t *pid)
{
	uint64_t until = rdma_now() + CONNECT_NS;
	doca_error_t result;

	do {
		result = sd_rendezvous_connect(name, &channel->watch.fd, pid);
	} while (result == DOCA_ERROR_AGAIN && sched_yield() == 0 && rdma_now() < until);
	return result;
}

static doca_error_t connect_near(const char *name, const struct rdma_details *details, struct rdma_channel *channel)
{
	pid_t pid;

	if (rdma_connect_to(name, channel, &pid) != DOCA_SUCCESS)
		return DOCA_ERROR_CONNECTION_ABORTED;
	if (pid == (pid_t)details->pid)
		return DOCA_SUCCESS;
	rdma_channel_close(channel);
	return DOCA_ERROR_CONNECTION_ABORTED;
}

doca_error_t rdma_listener_connect(const struct rdma_details *details, struct rdma_channel *channel)
{
	const struct sd_endpoint *endpoint = &details->endpoint;
	enum sd_route route = sd_endpoint_route(endpoint);
	char name[SD_RENDEZVOUS_NAME];

	make_name(name, details->pid, details->port);
	if (route == SD_ROUTE_LOCAL)
		return connect_near(name, details, channel);
	if (route == SD_ROUTE_TUNNEL && sd_line_connect(endpoint->address, endpoint->port, name, &channel->line) == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	return DOCA_ERROR_CONNECTION_ABORTED;
}
