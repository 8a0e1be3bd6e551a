#include "channel_inside.h"

#include <doca_ctx.h>
#include <doca_pe.h>

#include "report.h"

/*
 * Returns the peer of a connection. A client's context has the only peer; connections of a server have it as user data. NULL: a
 * refused connection.
 */
static struct peer *peer_of(struct doca_comch_connection *connection)
{
	struct doca_comch_client *client = doca_comch_client_get_client_ctx(connection);
	union doca_data data = { .ptr = NULL };
	struct peer *peer;

	if (client == NULL)
		return doca_comch_connection_get_user_data(connection).ptr;
	doca_ctx_get_user_data(doca_comch_client_as_ctx(client), &data);
	peer = ((struct channel *)data.ptr)->peers;
	/* A message may arrive before the state change. */
	if (!peer->opened)
		peer_open(peer, connection);
	return peer;
}

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
		       struct doca_comch_connection *connection)
{
	struct peer *peer = peer_of(connection);

	(void)event;
	if (peer == NULL || peer->leaving || peer->channel->settings.role->received == NULL)
		return;
	peer->channel->settings.role->received(peer, bytes, len);
}

static void on_consumer(struct doca_comch_event_consumer *event, struct doca_comch_connection *connection, uint32_t id)
{
	struct peer *peer = peer_of(connection);

	(void)event;
	if (peer != NULL && !peer->leaving && peer->channel->settings.role->consumer != NULL)
		peer->channel->settings.role->consumer(peer, id);
}

/* Ignored: the failed tasks of the consumer's users, or the end of the connection, report the end of the consumer. */
static void on_consumer_expired(struct doca_comch_event_consumer *event, struct doca_comch_connection *connection, uint32_t id)
{
	(void)event;
	(void)connection;
	(void)id;
}

static void on_connect(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
		       uint8_t successful)
{
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	union doca_data data = { .ptr = NULL };
	struct channel *channel;

	(void)event;
	if (!successful)
		return;
	doca_ctx_get_user_data(doca_comch_server_as_ctx(server), &data);
	channel = data.ptr;
	data.ptr = channel->ending_since_ns == 0 ? peer_add(channel) : NULL;
	if (data.ptr == NULL) {
		report(doca_comch_server_disconnect(server, connection), "doca_comch_server_disconnect", "a client is refused");
		return;
	}
	if (!report(doca_comch_connection_set_user_data(connection, data), "doca_comch_connection_set_user_data", "a client"))
		peer_fail(data.ptr);
	peer_open(data.ptr, connection);
}

static void on_disconnect(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
			  uint8_t successful)
{
	struct peer *peer = peer_of(connection);

	(void)event;
	(void)successful;
	if (peer == NULL)
		return;
	peer->gone = true;
	peer->connection = NULL;
}

static void on_sent(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	struct peer *peer = task_data.ptr;

	(void)ctx_data;
	peer->sending--;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void on_not_sent(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	struct peer *peer = task_data.ptr;
	doca_error_t result = doca_task_get_status(doca_comch_task_send_as_task(task));

	/* A peer that is done may disconnect without waiting for our messages. */
	if (!peer->leaving && !peer->complete && !peer->gone) {
		report(result, "doca_comch_task_send", "message of \"%s\"", peer->channel->settings.name);
		peer_fail(peer);
	}
	on_sent(task, task_data, ctx_data);
}

/* A client that loses its server, or finds none, stops by itself. */
static void on_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
		     enum doca_ctx_states next)
{
	struct channel *channel = user_data.ptr;
	struct peer *peer = channel->peers;
	struct doca_comch_connection *connection;

	(void)ctx;
	(void)previous;
	if (channel->client == NULL || peer == NULL)
		return;
	if (next == DOCA_CTX_STATE_RUNNING && !peer->opened) {
		if (report(doca_comch_client_get_connection(channel->client, &connection), "doca_comch_client_get_connection",
			   "client of \"%s\"", channel->settings.name))
			peer_open(peer, connection);
		else
			peer_fail(peer);
	} else if (next == DOCA_CTX_STATE_STOPPING || next == DOCA_CTX_STATE_IDLE) {
		peer->gone = true;
		peer->connection = NULL;
	}
}

static bool register_server(struct doca_comch_server *server, uint32_t num_sends)
{
	return report(doca_comch_server_task_send_set_conf(server, on_sent, on_not_sent, num_sends),
		      "doca_comch_server_task_send_set_conf", "%u messages", num_sends) &&
	       report(doca_comch_server_event_msg_recv_register(server, on_message), "doca_comch_server_event_msg_recv_register",
		      "server") &&
	       report(doca_comch_server_event_connection_status_changed_register(server, on_connect, on_disconnect),
		      "doca_comch_server_event_connection_status_changed_register", "server") &&
	       report(doca_comch_server_event_consumer_register(server, on_consumer, on_consumer_expired),
		      "doca_comch_server_event_consumer_register", "server");
}

static bool register_client(struct doca_comch_client *client, uint32_t num_sends)
{
	return report(doca_comch_client_task_send_set_conf(client, on_sent, on_not_sent, num_sends),
		      "doca_comch_client_task_send_set_conf", "%u messages", num_sends) &&
	       report(doca_comch_client_event_msg_recv_register(client, on_message), "doca_comch_client_event_msg_recv_register",
		      "client") &&
	       report(doca_comch_client_event_consumer_register(client, on_consumer, on_consumer_expired),
		      "doca_comch_client_event_consumer_register", "client");
}

bool channel_register(struct channel *channel, uint32_t num_sends)
{
	union doca_data user_data = { .ptr = channel };

	return (channel->server != NULL ? register_server(channel->server, num_sends) :
					  register_client(channel->client, num_sends)) &&
	       report(doca_ctx_set_user_data(channel->ctx, user_data), "doca_ctx_set_user_data", "%s", channel->settings.name) &&
	       report(doca_ctx_set_state_changed_cb(channel->ctx, on_state), "doca_ctx_set_state_changed_cb", "%s",
		      channel->settings.name);
}
