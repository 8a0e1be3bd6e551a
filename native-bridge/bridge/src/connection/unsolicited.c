#include "connection/unsolicited.h"

#include <stdlib.h>
#include <string.h>

#include "base/comch.h"
#include "connection/connection.h"
#include "ring/overflow.h"
#include "ring/ring.h"

/** An event in the overflow queue. */
struct event {
	struct bridge_overflow_item item;
	struct bridge_connection *connection;	/**< NULL for a failed attempt */
	uint8_t bytes[];			/**< copy of a message */
};

/* Every message takes a cell, also one that is too long. */
static void fill_cell(struct dpubridge *bridge, struct dpubridge_record *record, const uint8_t *bytes)
{
	if (record->produced > bridge->header->message_bytes) {
		record->status = DOCA_ERROR_TOO_BIG;
		record->produced = 0;
	}
	memcpy(bridge_ring_cell(bridge), bytes, record->produced);
	bridge->header->message_tail++;
}

/* Puts a record into the ring, which has room. Owner. */
static void put(struct dpubridge *bridge, struct bridge_connection *connection, struct dpubridge_record *record,
		const uint8_t *bytes)
{
	if (connection != NULL)
		record->states = bridge_connection_handle(connection);
	if (record->type == DPUBRIDGE_RECORD_MESSAGE)
		fill_cell(bridge, record, bytes);
	bridge_ring_put(bridge, record);
}

static void deliver(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	struct event *event = (struct event *)item;

	put(bridge, event->connection, &item->record, event->bytes);
	if (event->connection != NULL)
		bridge_connection_delivered(event->connection);
	free(event);
}

/* Creates an event with a copy of a message's bytes. Returns NULL without memory. */
static struct event *copy(struct bridge_connection *connection, const struct dpubridge_record *record, const uint8_t *bytes)
{
	size_t len = bytes != NULL ? record->produced : 0;
	struct event *event = malloc(sizeof(*event) + len);

	if (event == NULL)
		return NULL;
	*event = (struct event){ .item = { .deliver = deliver, .record = *record }, .connection = connection };
	if (bytes != NULL)
		memcpy(event->bytes, bytes, len);
	return event;
}

/* The caller ends connections of RDMA: a completed receive may still name them. */
static bool ends(const struct bridge_context *context, const struct dpubridge_record *record)
{
	return record->type == DPUBRIDGE_RECORD_DISCONNECTED && context->role != BRIDGE_PEER;
}

/*
 * Queues an event. DISCONNECTED also ends a connection of comch. Ignores events of a connection that has ended. Without memory the event
 * is lost, and the next enter reports the loss. Any thread.
 */
static void put_into_overflow(struct bridge_context *context, struct bridge_connection *connection,
			      const void *pointer, const struct dpubridge_record *record, const uint8_t *bytes)
{
	struct dpubridge *bridge = context->bridge;
	struct event *event = copy(connection, record, bytes);
	bool is_late;

	if (event == NULL)
		bridge_lose(bridge, "a connection's message or event, for lack of memory");
	pthread_mutex_lock(&bridge->overflow.lock);
	is_late = connection != NULL && bridge_connection_pointer(connection) != pointer;
	if (event != NULL && !is_late) {
		bridge_overflow_append(bridge, &event->item);
		if (connection != NULL)
			connection->num_queued++;
		event = NULL;
	}
	if (!is_late && ends(context, record))
		bridge_connection_cut(connection);
	pthread_mutex_unlock(&bridge->overflow.lock);
	free(event);
}

static void report(struct bridge_context *context, struct bridge_connection *connection, const void *pointer,
		   struct dpubridge_record *record, const uint8_t *bytes)
{
	struct dpubridge *bridge = context->bridge;

	record->user_data = context->user_data;
	record->context = context->handle;
	if (!bridge_overflow_may_pass(bridge) || !bridge_ring_has_room(bridge, record)) {
		put_into_overflow(context, connection, pointer, record, bytes);
		return;
	}
	put(bridge, connection, record, bytes);
	if (ends(context, record))
		bridge_connection_end(connection);
}

void bridge_unsolicited_report(struct bridge_connection *connection, struct dpubridge_record *record)
{
	report(connection->context, connection, bridge_connection_pointer(connection), record, NULL);
}

static struct bridge_context *context_of(const struct doca_comch_connection *pointer)
{
	void *server = bridge_comch.server_get_server_ctx(pointer);
	union doca_data data = { .ptr = NULL };
	struct doca_ctx *ctx;

	if (server != NULL)
		ctx = bridge_comch.server_as_ctx(server);
	else
		ctx = bridge_comch.client_as_ctx(bridge_comch.client_get_client_ctx(pointer));
	return bridge_comch.ctx_get_user_data(ctx, &data) == DOCA_SUCCESS ? data.ptr : NULL;
}

/*
 * Returns the connection that an event names, usually from DOCA's user data. An event of a client may be the first that
 * names its connection. An event of a server after the end is late: returns NULL.
 */
static struct bridge_connection *named(struct doca_comch_connection *pointer)
{
	struct bridge_connection *connection = bridge_comch.connection_get_user_data(pointer).ptr;
	struct bridge_context *context;

	if (connection != NULL && bridge_connection_pointer(connection) == pointer)
		return connection;
	context = context_of(pointer);
	if (context == NULL || (connection != NULL && context->role == BRIDGE_SERVER))
		return NULL;
	return bridge_connection_of(context, pointer);
}

static void received(void *event, uint8_t *bytes, uint32_t len, struct doca_comch_connection *pointer)
{
	struct dpubridge_record record = { .type = DPUBRIDGE_RECORD_MESSAGE, .produced = len };
	struct bridge_connection *connection = named(pointer);

	(void)event;
	if (connection != NULL)
		report(connection->context, connection, pointer, &record, bytes);
}

static void consumer(struct doca_comch_connection *pointer, uint8_t type, uint32_t id)
{
	struct dpubridge_record record = { .type = type, .produced = id };
	struct bridge_connection *connection = named(pointer);

	if (connection != NULL)
		report(connection->context, connection, pointer, &record, NULL);
}

static void consumer_new(void *event, struct doca_comch_connection *pointer, uint32_t id)
{
	(void)event;
	consumer(pointer, DPUBRIDGE_RECORD_CONSUMER_NEW, id);
}

static void consumer_expired(void *event, struct doca_comch_connection *pointer, uint32_t id)
{
	(void)event;
	consumer(pointer, DPUBRIDGE_RECORD_CONSUMER_EXPIRED, id);
}

/* A failed attempt has no connection. */
static void connected(void *event, struct doca_comch_connection *pointer, uint8_t is_successful)
{
	struct dpubridge_record record = { .type = DPUBRIDGE_RECORD_CONNECTED };
	struct bridge_context *context = context_of(pointer);
	struct bridge_connection *connection = NULL;

	(void)event;
	if (context == NULL)
		return;
	if (is_successful)
		connection = bridge_connection_of(context, pointer);
	else
		record.status = DOCA_ERROR_CONNECTION_ABORTED;
	if (!is_successful || connection != NULL)
		report(context, connection, pointer, &record, NULL);
}

/* Ignores a connection that was never reported. */
static void disconnected(void *event, struct doca_comch_connection *pointer, uint8_t is_successful)
{
	struct dpubridge_record record = {
		.type = DPUBRIDGE_RECORD_DISCONNECTED,
		.status = is_successful ? DOCA_SUCCESS : DOCA_ERROR_CONNECTION_ABORTED,
	};
	struct bridge_connection *connection = bridge_comch.connection_get_user_data(pointer).ptr;

	(void)event;
	if (connection != NULL && bridge_connection_pointer(connection) == pointer)
		report(connection->context, connection, pointer, &record, NULL);
}

static int register_server(void *server)
{
	int status = bridge_comch.server_event_msg_recv_register(server, received);

	if (status == DOCA_SUCCESS)
		status = bridge_comch.server_event_consumer_register(server, consumer_new, consumer_expired);
	if (status == DOCA_SUCCESS)
		status = bridge_comch.server_event_connection_register(server, connected, disconnected);
	return status;
}

static int register_client(void *client)
{
	int status = bridge_comch.client_event_msg_recv_register(client, received);

	if (status == DOCA_SUCCESS)
		status = bridge_comch.client_event_consumer_register(client, consumer_new, consumer_expired);
	return status;
}

int bridge_unsolicited_register(const struct bridge_context *context, enum bridge_role role)
{
	return role == BRIDGE_SERVER ? register_server(context->object) : register_client(context->object);
}
