/* Functions of doca_comch, resolved at run time. */
#ifndef BRIDGE_COMCH_H
#define BRIDGE_COMCH_H

#include "base/doca_abi.h"

typedef void (*doca_message_cb)(void *event, uint8_t *bytes, uint32_t len, struct doca_comch_connection *connection);
typedef void (*doca_connection_cb)(void *event, struct doca_comch_connection *connection, uint8_t is_successful);
typedef void (*doca_consumer_cb)(void *event, struct doca_comch_connection *connection, uint32_t id);

/** Functions of doca_comch that the bridge calls. All are set, or none. */
struct doca_comch {
	void (*task_set_user_data)(struct doca_task *task, union doca_data user_data);
	int (*ctx_get_user_data)(const struct doca_ctx *ctx, union doca_data *user_data);
	struct doca_ctx *(*server_as_ctx)(void *server);
	int (*server_get_max_msg_size)(const void *server, uint32_t *size);
	int (*server_event_msg_recv_register)(void *server, doca_message_cb received);
	int (*server_event_consumer_register)(void *server, doca_consumer_cb is_new, doca_consumer_cb has_expired);
	int (*server_event_connection_register)(void *server, doca_connection_cb connected, doca_connection_cb disconnected);
	int (*server_disconnect)(void *server, struct doca_comch_connection *connection);
	void *(*server_get_server_ctx)(const struct doca_comch_connection *connection);
	struct doca_ctx *(*client_as_ctx)(void *client);
	int (*client_get_max_msg_size)(const void *client, uint32_t *size);
	int (*client_event_msg_recv_register)(void *client, doca_message_cb received);
	int (*client_event_consumer_register)(void *client, doca_consumer_cb is_new, doca_consumer_cb has_expired);
	int (*client_get_connection)(const void *client, struct doca_comch_connection **connection);
	void *(*client_get_client_ctx)(const struct doca_comch_connection *connection);
	union doca_data (*connection_get_user_data)(const struct doca_comch_connection *connection);
	int (*connection_set_user_data)(struct doca_comch_connection *connection, union doca_data user_data);
};

extern struct doca_comch bridge_comch;

/** Resolves the functions of doca_comch if the library is doca_comch or depends on it. */
void bridge_comch_resolve(void *library);
void bridge_comch_forget(void);

#endif
