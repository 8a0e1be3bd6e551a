/*
 * Ports of the connection manager. A port is a socket in the rendezvous folder, one per user, device and port. A client sends
 * REQUEST to it. See sd_rdma.h and wire.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "guest.h"
#include "sd_device.h"
#include "sd_list.h"
#include "sd_log.h"

struct rdma_port {
	struct rdma_listener listener;		/**< first member */
	struct rdma_port *next;
	struct rdma_port *next_of_process;
	struct doca_rdma *rdma;
	struct sd_gate *gate;			/**< for clients of other hosts; NULL: TCP is off */
	uint16_t number;
	uint8_t has_ended;			/**< with its host; the program can still close it */
};

/* Program's threads add and remove their ports; under the lock. */
static struct rdma_port *ports_of_process;

void rdma_port_name(char name[SD_RENDEZVOUS_NAME], uint16_t vhca_id, uint16_t port)
{
	char scope[8], label[8];

	snprintf(scope, sizeof(scope), "%u", vhca_id);
	snprintf(label, sizeof(label), "%u", port);
	sd_rendezvous_name(name, "rdmacm", scope, label);
}

/* Takes a request for the context. Service thread. The lock must be held. */
static uint8_t take_request(struct doca_rdma_connection *connection, const struct rdma_guest *guest,
			    const struct rdma_packet *request)
{
	if (connection->rdma->is_stopping || rdma_connection_enter(connection) != DOCA_SUCCESS)
		return 0;
	if (rdma_link_open(connection, &guest->channel) != DOCA_SUCCESS) {
		connection->notices = RDMA_REQUESTED_NOTICE; /* not posted: the program never received the connection */
		rdma_connection_end_locked(connection);
		return 1; /* a later request frees the connection; it has no channel */
	}
	connection->socket.pid = guest->pid;
	connection->socket.peer_key = request->key;
	connection->peer_permissions = request->permissions;
	connection->peer_vhca_id = (uint16_t)request->vhca_id;
	rdma_notify(connection, RDMA_REQUESTED_NOTICE);
	return 1;
}

static uint8_t greet(struct rdma_guest *guest, const struct rdma_packet *request)
{
	const struct rdma_port *port = (const struct rdma_port *)guest->listener;
	struct doca_rdma_connection *connection;
	uint8_t is_taken, is_open = 0;

	if (request->type != RDMA_REQUEST || rdma_connection_new(port->rdma, RDMA_REQUESTED, &connection) != DOCA_SUCCESS)
		return 0;
	rdma_address_of_port(connection, port->number);
	rdma_unseen_free();
	rdma_channel_unwatch(&guest->channel);
	pthread_mutex_lock(&rdma_lock);
	is_taken = take_request(connection, guest, request);
	is_open = connection->socket.is_open;
	pthread_mutex_unlock(&rdma_lock);
	if (!is_taken)
		free(connection);
	return is_taken && is_open;
}

/* The lock must be held. */
static struct rdma_port *find_of_process(uint16_t vhca_id, uint16_t number)
{
	struct rdma_port *port = ports_of_process;

	while (port != NULL && (port->number != number || port->rdma->vhca_id != vhca_id))
		port = port->next_of_process;
	return port;
}

/* Makes two connections peers. The lock must be held. */
static void pair(struct doca_rdma_connection *connection, struct doca_rdma_connection *peer)
{
	connection->is_near = 1;
	connection->peer = peer;
	connection->peer_permissions = peer->rdma->permissions;
	connection->peer_vhca_id = peer->rdma->vhca_id;
}

/* The lock must be held. */
static doca_error_t request(struct doca_rdma_connection *client, uint16_t vhca_id, uint16_t number)
{
	struct rdma_port *port = find_of_process(vhca_id, number);
	struct doca_rdma_connection *served;
	doca_error_t result;

	if (port == NULL)
		return DOCA_ERROR_NOT_FOUND;
	result = rdma_connection_new(port->rdma, RDMA_REQUESTED, &served);
	if (result != DOCA_SUCCESS)
		return result;
	result = rdma_connection_enter(served);
	if (result != DOCA_SUCCESS) {
		free(served);
		return result;
	}
	rdma_address_of_port(served, number);
	pair(client, served);
	pair(served, client);
	client->rdma->num_parked++;
	rdma_notify(served, RDMA_REQUESTED_NOTICE);
	return DOCA_SUCCESS;
}

doca_error_t rdma_port_request(struct doca_rdma_connection *client, uint16_t vhca_id, uint16_t port)
{
	doca_error_t result;

	rdma_unseen_free();
	pthread_mutex_lock(&rdma_lock);
	client->retry_until_ns = sd_clock_now() + (uint64_t)client->rdma->connection_request_timeout * 1000000u;
	result = request(client, vhca_id, port);
	pthread_mutex_unlock(&rdma_lock);
	if (result == DOCA_SUCCESS)
		sd_context_visit(&client->rdma->ctx); /* a poll ends the wait */
	return result;
}

static struct rdma_port **find_port(struct doca_rdma *rdma, uint16_t number)
{
	struct rdma_port **place = &rdma->ports;

	while (*place != NULL && (*place)->number != number)
		place = &(*place)->next;
	return place;
}

static doca_error_t open_gate(struct rdma_port *port, const char *name)
{
	doca_error_t result = sd_tunnel_is_on() ? sd_gate_open(port->number, name, &port->gate) : DOCA_SUCCESS;

	if (result != DOCA_SUCCESS)
		rdma_listener_close(&port->listener);
	return result;
}

static doca_error_t open_port(struct rdma_port *port)
{
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result;

	rdma_port_name(name, port->rdma->vhca_id, port->number);
	result = rdma_listener_open(&port->listener, name);
	if (result == DOCA_SUCCESS)
		result = open_gate(port, name);
	if (result == DOCA_ERROR_ALREADY_EXIST)
		SD_LOG_INFO("cannot listen to port %u: it is in use", port->number);
	return result == DOCA_SUCCESS || result == DOCA_ERROR_ALREADY_EXIST ? result : DOCA_ERROR_DRIVER;
}

doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
	struct rdma_port *created;
	doca_error_t result;

	if (rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (rdma->transport_type == DOCA_RDMA_TRANSPORT_TYPE_DC)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (rdma->ctx.state != DOCA_CTX_STATE_RUNNING || rdma->callbacks.request == NULL)
		return DOCA_ERROR_BAD_STATE;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->rdma = rdma;
	created->number = port;
	created->listener.greet = greet;
	result = open_port(created);
	if (result != DOCA_SUCCESS) {
		free(created);
		return result;
	}
	created->next = rdma->ports;
	rdma->ports = created;
	pthread_mutex_lock(&rdma_lock);
	created->next_of_process = ports_of_process;
	ports_of_process = created;
	pthread_mutex_unlock(&rdma_lock);
	return DOCA_SUCCESS;
}

static void leave_process(const struct rdma_port *port)
{
	pthread_mutex_lock(&rdma_lock);
	SD_REMOVE(ports_of_process, port, next_of_process);
	pthread_mutex_unlock(&rdma_lock);
}

/* The port accepts no requests from now on. Idempotent. */
static void end_port(struct rdma_port *port)
{
	if (port->has_ended)
		return;
	port->has_ended = 1;
	leave_process(port);
	if (port->gate != NULL)
		sd_gate_close(port->gate);
	rdma_listener_close(&port->listener);
}

static void close_port(struct rdma_port **place)
{
	struct rdma_port *port = *place;

	*place = port->next;
	end_port(port);
	free(port);
}

doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
	struct rdma_port **place;

	if (rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	place = find_port(rdma, port);
	if (*place == NULL)
		return DOCA_ERROR_BAD_STATE;
	close_port(place);
	return DOCA_SUCCESS;
}

void rdma_ports_end(struct doca_rdma *rdma)
{
	for (struct rdma_port *port = rdma->ports; port != NULL; port = port->next)
		end_port(port);
}

void rdma_ports_close(struct doca_rdma *rdma)
{
	while (rdma->ports != NULL)
		close_port(&rdma->ports);
}
