/* Public functions of connections, and their memory. See sd_rdma.h. */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "sd_rdma.h"
#include "sd_shape.h"

static uint8_t is_started(const struct doca_rdma *rdma)
{
	return rdma->ctx.state == DOCA_CTX_STATE_STARTING || rdma->ctx.state == DOCA_CTX_STATE_RUNNING;
}

static struct doca_rdma_connection *take_first(struct rdma_list *list)
{
	struct doca_rdma_connection *first = list->head;

	if (first != NULL)
		rdma_list_remove(list, first, RDMA_OF_OWNER);
	return first;
}

void rdma_connections_withdraw(struct doca_rdma *rdma)
{
	for (struct doca_rdma_connection *one = rdma->ended.head; one != NULL; one = one->next[RDMA_OF_OWNER])
		rdma_link_close(one);
	rdma_unseen_free();
	if (rdma->has_listener)
		rdma_listener_release();
	rdma->has_listener = 0;
}

void rdma_connections_free(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *first;

	while ((first = take_first(&rdma->ended)) != NULL)
		free(first);
	rdma->num_ended = 0;
	rdma->next_id = 0;
}

/*
 * A program may use an ended connection for some time: it disconnects a second time, and submitted tasks name it. As many ended
 * connections stay as can be open. Returns the oldest one beyond, or NULL.
 */
static struct doca_rdma_connection *take_surplus(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *oldest = NULL;

	pthread_mutex_lock(&rdma_lock);
	if (rdma->num_ended > rdma->max_num_connections && atomic_load(&rdma->ended.head->num_tasks) == 0) {
		oldest = take_first(&rdma->ended);
		rdma->num_ended--;
	}
	pthread_mutex_unlock(&rdma_lock);
	return oldest;
}

void rdma_connections_free_surplus(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *surplus;

	while ((surplus = take_surplus(rdma)) != NULL) {
		rdma_link_close(surplus);
		free(surplus);
	}
}

doca_error_t rdma_connection_new(struct doca_rdma *rdma, enum rdma_state state, struct doca_rdma_connection **connection)
{
	struct doca_rdma_connection *created = calloc(1, sizeof(*created));
	doca_error_t result;

	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->rdma = rdma;
	created->state = state;
	created->is_managed = state != RDMA_EXPORTED;
	result = rdma_details_write(&created->details, rdma->transport_type, state == RDMA_EXPORTED ? rdma->port : 0);
	if (result == DOCA_SUCCESS)
		*connection = created;
	else
		free(created);
	return result;
}

doca_error_t rdma_connection_enter(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;

	if (rdma->num_open >= rdma->max_num_connections)
		return DOCA_ERROR_FULL;
	if (!rdma_table_add(connection))
		return DOCA_ERROR_NO_MEMORY;
	rdma_list_append(&rdma->open, connection, RDMA_OF_OWNER);
	rdma->num_open++;
	connection->id = rdma->next_id++;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_export(struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size,
			      struct doca_rdma_connection **rdma_connection)
{
	struct doca_rdma_connection *created;
	doca_error_t result;

	if (rdma == NULL || local_rdma_conn_details == NULL || local_rdma_conn_details_size == NULL || rdma_connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_started(rdma))
		return DOCA_ERROR_BAD_STATE;
	rdma_connections_free_surplus(rdma);
	if (!rdma->has_listener) {
		result = rdma_listener_acquire(&rdma->port);
		if (result != DOCA_SUCCESS)
			return result;
		rdma->has_listener = 1;
	}
	result = rdma_connection_new(rdma, RDMA_EXPORTED, &created);
	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&rdma_lock);
	result = rdma_connection_enter(created);
	pthread_mutex_unlock(&rdma_lock);
	if (result != DOCA_SUCCESS) {
		free(created);
		return result;
	}
	*local_rdma_conn_details = &created->details;
	*local_rdma_conn_details_size = sizeof(created->details);
	*rdma_connection = created;
	return DOCA_SUCCESS;
}

/* Returns whether the program may connect the connection. The lock must be held. */
static doca_error_t check_unconnected(const struct doca_rdma_connection *connection)
{
	if (connection->state == RDMA_CONNECTED || connection->state == RDMA_CONNECTING || connection->is_managed)
		return DOCA_ERROR_BAD_STATE;
	return connection->state == RDMA_ENDED ? DOCA_ERROR_CONNECTION_ABORTED : DOCA_SUCCESS;
}

/*
 * Returns whether the peer has connected and ended already. The connect of this program succeeds then, once, as it does before the
 * end. The lock must be held.
 */
static uint8_t is_late(struct doca_rdma_connection *connection, uint64_t key)
{
	if (connection->state != RDMA_ENDED || connection->joined_by == 0 || connection->joined_by != key)
		return 0;
	connection->joined_by = 0;
	return 1;
}

/* Returns what the connection joins: the peer, or a new sender of a DC connection; NULL: none. The lock must be held. */
static struct doca_rdma_connection *find_near(const struct doca_rdma_connection *connection, uint64_t key)
{
	struct doca_rdma_connection *peer = rdma_table_find(key);

	if (peer == NULL || peer == connection || peer->is_managed)
		return NULL;
	if (rdma_is_dc(peer))
		return rdma_sender_new(peer);
	if (rdma_has_socket(connection) || rdma_has_socket(peer) || (connection->peer != NULL && connection->peer != peer) ||
	    (peer->peer != NULL && peer->peer != connection))
		return NULL;
	return peer;
}

/* Connects two connections of this process. The lock must be held. */
static doca_error_t join(struct doca_rdma_connection *connection, uint64_t key)
{
	struct doca_rdma_connection *peer;
	doca_error_t result;

	if (is_late(connection, key))
		return DOCA_SUCCESS;
	result = check_unconnected(connection);
	if (result != DOCA_SUCCESS)
		return result;
	peer = find_near(connection, key);
	if (peer == NULL)
		return DOCA_ERROR_CONNECTION_ABORTED;
	connection->peer = peer;
	connection->peer_permissions = peer->rdma->permissions;
	connection->peer_vhca_id = peer->rdma->vhca_id;
	peer->peer = connection;
	if (peer->state == RDMA_EXPORTED)
		peer->joined_by = connection->details.key;
	connection->joined_by = 0;
	connection->state = RDMA_CONNECTED;
	return DOCA_SUCCESS;
}

/*
 * Claims the peer for the connection. IN_PROGRESS: the peer must be reached; SUCCESS: its socket is here already. The lock must
 * be held.
 */
static doca_error_t claim(struct doca_rdma_connection *connection, const struct rdma_details *details)
{
	struct rdma_socket *socket = &connection->socket;
	doca_error_t result;

	if (is_late(connection, details->key))
		return DOCA_SUCCESS;
	result = check_unconnected(connection);
	if (result != DOCA_SUCCESS)
		return result;
	if (connection->peer != NULL || (socket->peer_key != 0 && socket->peer_key != details->key))
		return DOCA_ERROR_CONNECTION_ABORTED;
	socket->peer_key = details->key;
	connection->joined_by = 0;
	connection->state = socket->is_welcome ? RDMA_CONNECTED : RDMA_CONNECTING;
	return socket->is_welcome ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS;
}

/* The peer cannot be reached; the program may connect again. The lock must be held. */
static void unclaim(struct doca_rdma_connection *connection)
{
	if (connection->state != RDMA_CONNECTING || connection->socket.is_open)
		return;
	connection->state = RDMA_EXPORTED;
	connection->socket.peer_key = 0;
}

/*
 * SUCCESS, and sets *is_unused: the peer has connected at the same time, and its socket serves; CONNECTION_ABORTED: the channel cannot
 * be read. The lock must be held.
 */
static doca_error_t greet(struct doca_rdma_connection *connection, const struct rdma_channel *channel, pid_t pid,
			  uint8_t *is_unused)
{
	const struct rdma_packet hello = {
		.type = RDMA_HELLO,
		.value = RDMA_WIRE_VERSION,
		.key = connection->details.key,
		.peer_key = connection->socket.peer_key,
		.permissions = connection->rdma->permissions,
		.vhca_id = connection->rdma->vhca_id,
	};

	*is_unused = 1;
	if (connection->state != RDMA_CONNECTING || connection->socket.is_open)
		return DOCA_SUCCESS;
	if (rdma_link_open(connection, channel) != DOCA_SUCCESS)
		return DOCA_ERROR_CONNECTION_ABORTED;
	*is_unused = 0;
	connection->socket.pid = pid;
	rdma_limit_wait(connection, (uint64_t)connection->rdma->connection_request_timeout * 1000000u);
	rdma_socket_send(connection, &hello);
	return DOCA_SUCCESS;
}

static doca_error_t connect_far(struct doca_rdma_connection *connection, const struct rdma_details *details)
{
	struct rdma_channel channel = { 0 };
	uint8_t is_unused = 0;
	doca_error_t result;

	pthread_mutex_lock(&rdma_lock);
	result = claim(connection, details);
	pthread_mutex_unlock(&rdma_lock);
	if (result != DOCA_ERROR_IN_PROGRESS)
		return result;
	result = rdma_listener_connect(details, &channel);
	pthread_mutex_lock(&rdma_lock);
	if (result == DOCA_SUCCESS)
		result = greet(connection, &channel, (pid_t)details->pid, &is_unused);
	if (result != DOCA_SUCCESS)
		unclaim(connection);
	pthread_mutex_unlock(&rdma_lock);
	if (is_unused)
		rdma_channel_close(&channel);
	return result;
}

doca_error_t doca_rdma_connect(struct doca_rdma *rdma, const void *remote_rdma_conn_details,
			       size_t remote_rdma_conn_details_size, struct doca_rdma_connection *rdma_connection)
{
	struct rdma_details details;
	doca_error_t result;

	if (rdma == NULL || remote_rdma_conn_details == NULL || rdma_connection == NULL || rdma_connection->rdma != rdma)
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_started(rdma))
		return DOCA_ERROR_BAD_STATE;
	if (!rdma_details_read(&details, remote_rdma_conn_details, remote_rdma_conn_details_size) ||
	    details.transport != (uint32_t)rdma->transport_type)
		return DOCA_ERROR_CONNECTION_ABORTED;
	if (details.pid != (uint32_t)getpid() || !sd_endpoint_is_near(&details.endpoint))
		return connect_far(rdma_connection, &details);
	rdma_unseen_free();
	pthread_mutex_lock(&rdma_lock);
	result = join(rdma_connection, details.key);
	pthread_mutex_unlock(&rdma_lock);
	return result;
}

doca_error_t doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection)
{
	if (rdma_connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	rdma_connection_end(rdma_connection);
	return DOCA_SUCCESS;
}

SD_GETTER(doca_rdma_connection_get_id, const struct doca_rdma_connection, uint32_t, object->id)
SD_GETTER(doca_rdma_connection_get_user_data, const struct doca_rdma_connection, union doca_data, object->user_data)
SD_STORE(doca_rdma_connection_set_user_data, struct doca_rdma_connection, union doca_data, user_data)
