/*
 * The connection manager. A client sends REQUEST to a port, and the server answers WELCOME or REJECTED. Afterwards the connection
 * is as one by export and connect. See sd_rdma.h and wire.h.
 */
#include <stdlib.h>

#include "guest.h"
#include "sd_config.h"

enum { MAX_DEVICES = 16 };

doca_error_t doca_rdma_set_connection_state_callbacks(
	struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
	doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
	doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
	doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb)
{
	if (rdma == NULL || doca_rdma_connect_established_cb == NULL || doca_rdma_connect_failure_cb == NULL ||
	    doca_rdma_disconnect_cb == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&rdma->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	rdma->callbacks.request = doca_rdma_connect_request_cb;
	rdma->callbacks.established = doca_rdma_connect_established_cb;
	rdma->callbacks.failure = doca_rdma_connect_failure_cb;
	rdma->callbacks.disconnect = doca_rdma_disconnect_cb;
	return DOCA_SUCCESS;
}

/* Connects to the port of one of the devices of this host that have the address. Returns 0 if none listens. */
static uint8_t reach_near(const struct doca_rdma_addr *addr, struct rdma_channel *channel, pid_t *pid)
{
	uint16_t vhca_ids[MAX_DEVICES];
	size_t count = sd_address_find(addr->raw, vhca_ids, MAX_DEVICES);
	char name[SD_RENDEZVOUS_NAME];

	for (size_t i = 0; i < count; i++) {
		rdma_port_name(name, vhca_ids[i], addr->port);
		if (rdma_connect_to(name, channel, pid) == DOCA_SUCCESS)
			return 1;
	}
	return 0;
}

/* In inline execution a server of this process gets the request at once: a thread that reads sockets has no order. Errors: port. */
static doca_error_t request_near(struct doca_rdma_connection *connection, const struct doca_rdma_addr *addr)
{
	uint16_t vhca_ids[MAX_DEVICES];
	doca_error_t result = DOCA_ERROR_NOT_FOUND;
	size_t count = 0;

	if (sd_config()->execution == SOFTDPU_EXECUTION_INLINE)
		count = sd_address_find(addr->raw, vhca_ids, MAX_DEVICES);
	for (size_t i = 0; i < count && result == DOCA_ERROR_NOT_FOUND; i++)
		result = rdma_port_request(connection, vhca_ids[i], addr->port);
	return result;
}

/* Returns 0 if there is no way to the address. A tunnel finds that later. */
static uint8_t reach(const struct doca_rdma_addr *addr, struct rdma_channel *channel, pid_t *pid)
{
	if (sd_config()->rdma_path != SD_RDMA_TCP && reach_near(addr, channel, pid))
		return 1;
	*pid = 0;
	return sd_tunnel_is_on() && sd_line_connect(addr->raw, addr->port, "", &channel->line) == DOCA_SUCCESS;
}

static void request(struct doca_rdma_connection *connection, struct rdma_channel *channel, pid_t pid)
{
	const struct rdma_packet packet = {
		.type = RDMA_REQUEST,
		.value = RDMA_WIRE_VERSION,
		.key = connection->details.key,
		.permissions = connection->rdma->permissions,
		.vhca_id = connection->rdma->vhca_id,
	};

	uint8_t is_open;

	pthread_mutex_lock(&rdma_lock);
	is_open = rdma_link_open(connection, channel) == DOCA_SUCCESS;
	if (is_open) {
		connection->socket.pid = pid;
		rdma_limit_wait(connection, (uint64_t)connection->rdma->connection_request_timeout * 1000000u);
		rdma_socket_send(connection, &packet);
	} else {
		rdma_connection_end_locked(connection);
	}
	pthread_mutex_unlock(&rdma_lock);
	if (!is_open)
		rdma_channel_close(channel);
}

/* FULL; NO_MEMORY; DRIVER. */
static doca_error_t create_client(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data user_data,
				  struct doca_rdma_connection **connection)
{
	struct doca_rdma_connection *created;
	doca_error_t result;

	result = rdma_connection_new(rdma, RDMA_CONNECTING, &created);
	if (result != DOCA_SUCCESS)
		return result;
	created->user_data = user_data;
	created->retry_until_ns = UINT64_MAX;
	pthread_mutex_lock(&rdma_lock);
	result = rdma_connection_enter(created);
	if (result == DOCA_SUCCESS)
		rdma_address_use(created, addr);
	pthread_mutex_unlock(&rdma_lock);
	if (result == DOCA_SUCCESS)
		*connection = created;
	else
		free(created);
	return result;
}

doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data connection_user_data)
{
	struct doca_rdma_connection *connection;
	doca_error_t result;
	struct rdma_channel channel = { 0 };
	pid_t pid;

	if (rdma == NULL || addr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (rdma->transport_type == DOCA_RDMA_TRANSPORT_TYPE_DC)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (rdma->ctx.state != DOCA_CTX_STATE_RUNNING || rdma->callbacks.established == NULL)
		return DOCA_ERROR_BAD_STATE;
	result = create_client(rdma, addr, connection_user_data, &connection);
	if (result != DOCA_SUCCESS)
		return result;
	result = request_near(connection, addr);
	if (result == DOCA_ERROR_NOT_FOUND && reach(addr, &channel, &pid))
		request(connection, &channel, pid);
	else if (result != DOCA_SUCCESS)
		rdma_connection_end(connection); /* calls the program: failure */
	rdma_connections_free_surplus(rdma); /* the address may be part of one */
	return DOCA_SUCCESS;
}

/* Returns SUCCESS if the connection is a request that the program has not answered. The lock must be held. */
static doca_error_t check_request(const struct doca_rdma_connection *connection)
{
	if (connection->state == RDMA_ENDED)
		return DOCA_ERROR_CONNECTION_ABORTED;
	return connection->state == RDMA_REQUESTED ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE;
}

/* The lock must be held. */
static void welcome(struct doca_rdma_connection *connection)
{
	struct doca_rdma_connection *client = connection->peer;

	if (!connection->is_near) {
		connection->socket.is_welcome = 1;
		rdma_socket_welcome(connection);
		return;
	}
	client->state = RDMA_CONNECTED;
	client->rdma->num_parked--;
	rdma_notify(client, RDMA_ESTABLISHED_NOTICE);
	rdma_connection_next(client);
}

doca_error_t doca_rdma_connection_accept(struct doca_rdma_connection *rdma_connection, void *private_data,
					 uint8_t private_data_len)
{
	doca_error_t result;

	if (rdma_connection == NULL || (private_data == NULL && private_data_len > 0))
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&rdma_lock);
	result = check_request(rdma_connection);
	if (result == DOCA_SUCCESS) {
		rdma_connection->state = RDMA_CONNECTED;
		welcome(rdma_connection);
		rdma_notify(rdma_connection, RDMA_ESTABLISHED_NOTICE);
	}
	pthread_mutex_unlock(&rdma_lock);
	rdma_connections_free_surplus(rdma_connection->rdma); /* this one too, if it has ended */
	return result;
}

doca_error_t doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection)
{
	doca_error_t result;

	if (rdma_connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&rdma_lock);
	result = check_request(rdma_connection);
	if (result == DOCA_SUCCESS) {
		if (!rdma_connection->is_near)
			rdma_socket_answer(rdma_connection, RDMA_REJECTED, DOCA_SUCCESS);
		rdma_connection->is_rejected = 1;
		rdma_connection_end_locked(rdma_connection);
	}
	pthread_mutex_unlock(&rdma_lock);
	rdma_connections_free_surplus(rdma_connection->rdma); /* of earlier requests */
	return result;
}

doca_error_t doca_rdma_connection_get_addr(const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr)
{
	doca_error_t result = DOCA_ERROR_NOT_SUPPORTED;

	if (rdma_connection == NULL || addr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&rdma_lock);
	if (rdma_connection->addr != NULL) {
		*addr = rdma_connection->addr;
		result = DOCA_SUCCESS;
	}
	pthread_mutex_unlock(&rdma_lock);
	return result;
}
