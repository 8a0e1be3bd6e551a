/* The control path of comch: any context is a server or a client. Consumers and producers are missing, as in an older DOCA. */
#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"

enum { SERVER_SEND = 5, CLIENT_SEND = 6 };

struct doca_comch_connection *fake_connect(struct doca_ctx *ctx)
{
	struct doca_comch_connection *connection = calloc(1, sizeof(*connection));

	connection->ctx = ctx;
	if (ctx->is_server)
		ctx->connected(NULL, connection, 1);
	else
		ctx->connection = connection;
	return connection;
}

void fake_connect_in_vain(struct doca_ctx *ctx)
{
	struct doca_comch_connection connection = { .ctx = ctx };

	ctx->connected(NULL, &connection, 0);
}

void fake_connection_free(struct doca_comch_connection *connection)
{
	free(connection);
}

void fake_peer_leaves(struct doca_comch_connection *connection)
{
	if (connection->ctx->is_server)
		connection->ctx->disconnected(NULL, connection, 1);
	free(connection);
}

void fake_message(struct doca_comch_connection *connection, const void *bytes, uint32_t len)
{
	uint8_t copy[4096];

	/* As with a real library, the bytes are invalid after the callback. */
	memcpy(copy, bytes, len);
	connection->ctx->received(NULL, copy, len, connection);
	memset(copy, 0xee, len);
}

void fake_consumer(struct doca_comch_connection *connection, uint32_t id, bool is_new)
{
	if (is_new)
		connection->ctx->consumer_new(NULL, connection, id);
	else
		connection->ctx->consumer_expired(NULL, connection, id);
}

void fake_disconnect_answers(struct doca_ctx *ctx, int status)
{
	ctx->disconnect_answer = status;
}

void fake_max_msg_size(struct doca_ctx *ctx, uint32_t size)
{
	ctx->max_msg_size = size;
}

#define FAKE_ROLE(role, kind)                                                                                               \
	struct doca_ctx *doca_comch_##role##_as_ctx(struct doca_ctx *object);                                                \
	int doca_comch_##role##_get_max_msg_size(const struct doca_ctx *object, uint32_t *size);                             \
	int doca_comch_##role##_event_msg_recv_register(struct doca_ctx *object, fake_message_cb received);                  \
	int doca_comch_##role##_event_consumer_register(struct doca_ctx *object, fake_consumer_cb is_new,                    \
							fake_consumer_cb has_expired);                                       \
	int doca_comch_##role##_task_send_set_conf(struct doca_ctx *object, fake_completion_cb done, fake_completion_cb failed, \
						   uint32_t num_tasks);                                                      \
	int doca_comch_##role##_task_send_alloc_init(struct doca_ctx *object, struct doca_comch_connection *peer,            \
						     const void *message, uint32_t len, struct doca_task **task);            \
	struct doca_ctx *doca_comch_##role##_as_ctx(struct doca_ctx *object)                                                 \
	{                                                                                                                    \
		return object;                                                                                               \
	}                                                                                                                    \
	int doca_comch_##role##_get_max_msg_size(const struct doca_ctx *object, uint32_t *size)                              \
	{                                                                                                                    \
		*size = object->max_msg_size;                                                                                \
		return 0;                                                                                                    \
	}                                                                                                                    \
	int doca_comch_##role##_event_msg_recv_register(struct doca_ctx *object, fake_message_cb received)                   \
	{                                                                                                                    \
		object->received = received;                                                                                 \
		return object->state == 0 ? 0 : 18;                                                                          \
	}                                                                                                                    \
	int doca_comch_##role##_event_consumer_register(struct doca_ctx *object, fake_consumer_cb is_new,                    \
							fake_consumer_cb has_expired)                                        \
	{                                                                                                                    \
		object->consumer_new = is_new;                                                                               \
		object->consumer_expired = has_expired;                                                                      \
		return 0;                                                                                                    \
	}                                                                                                                    \
	int doca_comch_##role##_task_send_set_conf(struct doca_ctx *object, fake_completion_cb done, fake_completion_cb failed, \
						   uint32_t num_tasks)                                                       \
	{                                                                                                                    \
		return fake_set_conf(object, kind, done, failed, num_tasks);                                                 \
	}                                                                                                                    \
	int doca_comch_##role##_task_send_alloc_init(struct doca_ctx *object, struct doca_comch_connection *peer,            \
						     const void *message, uint32_t len, struct doca_task **task)             \
	{                                                                                                                    \
		union doca_data none = { .ptr = NULL };                                                                      \
                                                                                                                             \
		if (peer == NULL || message == NULL || len > object->max_msg_size)                                           \
			return 6;                                                                                            \
		return fake_alloc_init(object, kind, NULL, NULL, none, task);                                                \
	}

FAKE_ROLE(server, SERVER_SEND)
FAKE_ROLE(client, CLIENT_SEND)

int doca_comch_server_event_connection_status_changed_register(struct doca_ctx *object, fake_connection_cb connected,
							       fake_connection_cb disconnected);
int doca_comch_server_disconnect(struct doca_ctx *object, struct doca_comch_connection *connection);
struct doca_ctx *doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection);
struct doca_ctx *doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection);
int doca_comch_client_get_connection(const struct doca_ctx *object, struct doca_comch_connection **connection);
union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection);
int doca_comch_connection_set_user_data(struct doca_comch_connection *connection, union doca_data user_data);
struct doca_task *doca_comch_task_send_as_task(struct doca_task *task);

int doca_comch_server_event_connection_status_changed_register(struct doca_ctx *object, fake_connection_cb connected,
							       fake_connection_cb disconnected)
{
	object->is_server = true;
	object->connected = connected;
	object->disconnected = disconnected;
	return 0;
}

int doca_comch_server_disconnect(struct doca_ctx *object, struct doca_comch_connection *connection)
{
	return connection->ctx == object ? object->disconnect_answer : 6;
}

struct doca_ctx *doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection)
{
	return connection->ctx->is_server ? connection->ctx : NULL;
}

struct doca_ctx *doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection)
{
	return connection->ctx->is_server ? NULL : connection->ctx;
}

int doca_comch_client_get_connection(const struct doca_ctx *object, struct doca_comch_connection **connection)
{
	*connection = object->connection;
	return object->state == 2 && object->connection != NULL ? 0 : 18;
}

union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection)
{
	return connection->user_data;
}

int doca_comch_connection_set_user_data(struct doca_comch_connection *connection, union doca_data user_data)
{
	connection->user_data = user_data;
	return 0;
}

struct doca_task *doca_comch_task_send_as_task(struct doca_task *task)
{
	return task;
}
