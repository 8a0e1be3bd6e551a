/*
 * The communication channel between the host and the DPU: control path.
 *
 * A server runs on the DPU; a name and the representor of a host function identify it. A client runs on the host and connects
 * through that function. Both sides send messages on a connection; messages arrive whole and in order. Consumers and producers
 * (doca_comch_consumer.h, doca_comch_producer.h) are created on connections.
 *
 *   server: create -> callbacks -> start (RUNNING at once) -> connect event -> messages -> disconnect event or
 *           doca_comch_server_disconnect() -> stop
 *   client: create -> callbacks -> start (IN_PROGRESS) -> RUNNING: connected -> messages -> stop; the client moves to IDLE
 *           without a stop if the server is absent, refuses, disconnects or ends
 *
 * A connection exists until it is disconnected. The tasks in flight of a disconnected connection then end with
 * CONNECTION_RESET. The connection's user data stays readable in the disconnect event, and while the connection has consumers
 * or producers.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. For a NULL argument, a function
 * returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_COMCH_H_
#define DOCA_COMCH_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_comch_client;
struct doca_comch_connection;
struct doca_comch_event_connection_status_changed;
struct doca_comch_event_consumer;
struct doca_comch_event_msg_recv;
struct doca_comch_server;
struct doca_comch_task_send;
struct doca_ctx;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_task;

/** @name Limits of a device */
/** @{ */
/** Returns SUCCESS if the device can be a server (devices of the DPU); NOT_SUPPORTED if not. */
DOCA_STABLE
doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);
/** Returns SUCCESS if the device can be a client (devices of the host); NOT_SUPPORTED if not. */
DOCA_STABLE
doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest length of a server name in bytes, with its NUL. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo, uint32_t *max_name_len);
/** Returns the largest size of a message in bytes. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size);
/** Returns the largest size of the receive queue, in messages. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *size);
/** Returns the limit of num_send_tasks. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo, uint32_t *max_send_tasks);
/** Returns the largest number of clients of one server. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo, uint32_t *num_clients);
/** @} */

/** @name Server */
/** @{ */
/**
 * Creates a server on a device of the DPU, for clients on the host function of repr. Each name and representor can have one
 * server. INVALID_VALUE: also if the name is empty or too long; NOT_SUPPORTED: the device cannot be a server; NO_MEMORY.
 */
DOCA_STABLE
doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr, const char *name,
	struct doca_comch_server **comch_server);
/** Destroys the server. IN_USE: not IDLE, or consumers or producers exist. */
DOCA_STABLE
doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);
/**
 * Returns the context of the server, which has the lifetime of comch_server. The server's start returns ALREADY_EXIST while
 * another server or process uses the name. The server's stop disconnects all clients; the stop returns IN_USE while a consumer
 * or producer is not IDLE.
 */
DOCA_STABLE
struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server);
/**
 * Sets the largest size of a message in bytes; a connection uses the smaller size of both sides. Default: the device's limit.
 * BAD_STATE: not IDLE.
 */
DOCA_STABLE
doca_error_t doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server, uint32_t *size);
/**
 * Sets the number of messages per connection that may wait for progress; the sender waits beyond it. Default 16. BAD_STATE: not
 * IDLE.
 */
DOCA_STABLE
doca_error_t doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server, uint32_t *size);
DOCA_STABLE
doca_error_t doca_comch_server_get_device(const struct doca_comch_server *comch_server, struct doca_dev **dev);
DOCA_STABLE
doca_error_t doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server, struct doca_dev_rep **rep);
/**
 * Closes a connection without a disconnect event. A call from within the connect event refuses the client. Returns SUCCESS if
 * the connection has already ended. INVALID_VALUE: not a connection of this server; IN_USE: its consumers or producers are not
 * IDLE; AGAIN: messages wait for sending.
 */
DOCA_STABLE
doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
	struct doca_comch_connection *connection);
/** @} */

/** @name Client */
/** @{ */
/** Creates a client, on a device of the host, for the server of this name. Errors as doca_comch_server_create(). */
DOCA_STABLE
doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name, struct doca_comch_client **comch_client);
/** Destroys the client. IN_USE: not IDLE, or consumers or producers exist. */
DOCA_STABLE
doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);
/**
 * Returns the context of the client, which has the lifetime of comch_client. The client's stop returns IN_USE while a consumer
 * or producer is not IDLE.
 */
DOCA_STABLE
struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client);
/** Same as for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client, uint32_t *size);
/** Same as for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client, uint32_t *size);
DOCA_STABLE
doca_error_t doca_comch_client_get_device(const struct doca_comch_client *comch_client, struct doca_dev **dev);
/** Returns the connection of a RUNNING client. BAD_STATE: no connection. */
DOCA_STABLE
doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
	struct doca_comch_connection **connection);
/** @} */

/** @name Sending */
/** @{ */
/** Called from progress when a message was sent or could not be sent. */
typedef void (*doca_comch_task_send_completion_cb_t)(struct doca_comch_task_send *task,
	union doca_data task_user_data, union doca_data ctx_user_data);
/** Configures num_send_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_set_conf(struct doca_comch_server *comch_server,
	doca_comch_task_send_completion_cb_t task_completion_cb, doca_comch_task_send_completion_cb_t task_error_cb,
	uint32_t num_send_tasks);
/** Same as for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_set_conf(struct doca_comch_client *comch_client,
	doca_comch_task_send_completion_cb_t task_completion_cb, doca_comch_task_send_completion_cb_t task_error_cb,
	uint32_t num_send_tasks);
/**
 * Allocates a task that sends len bytes (1 or more). The submission copies the message, so the program may reuse its memory at
 * once. INVALID_VALUE: len is 0 or above the limit of the connection; NO_MEMORY: all tasks are allocated; BAD_STATE: not
 * RUNNING.
 */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
	struct doca_comch_connection *peer, const void *msg, uint32_t len, struct doca_comch_task_send **task);
/** Same as for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
	struct doca_comch_connection *peer, const void *msg, uint32_t len, struct doca_comch_task_send **task);
DOCA_STABLE
struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task);
/** @} */

/** @name Events; registered while IDLE */
/** @{ */
/** Called when a message arrived; recv_buffer is valid until the callback returns. */
typedef void (*doca_comch_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
	uint32_t msg_len, struct doca_comch_connection *comch_connection);
/**
 * Called when a client connected or disconnected. change_successful is 0 if the client left before the connection was complete.
 */
typedef void (*doca_comch_event_connection_status_changed_cb_t)(struct doca_comch_event_connection_status_changed *event,
	struct doca_comch_connection *comch_connection, uint8_t change_successful);
/** Called when the other side adds or removes the consumer with this id. */
typedef void (*doca_comch_event_consumer_cb_t)(struct doca_comch_event_consumer *event,
	struct doca_comch_connection *comch_connection, uint32_t id);
/** Registers the message event. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_event_msg_recv_register(struct doca_comch_server *comch_server,
	doca_comch_event_msg_recv_cb_t recv_event_cb);
/** Registers the message event. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_client_event_msg_recv_register(struct doca_comch_client *comch_client,
	doca_comch_event_msg_recv_cb_t recv_event_cb);
/** Registers the connect and disconnect events. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_event_connection_status_changed_register(struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);
/** Registers the consumer events. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_event_consumer_register(struct doca_comch_server *comch_server,
	doca_comch_event_consumer_cb_t new_consumer_event_cb, doca_comch_event_consumer_cb_t expired_consumer_event_cb);
/** Registers the consumer events. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_client_event_consumer_register(struct doca_comch_client *comch_client,
	doca_comch_event_consumer_cb_t new_consumer_event_cb, doca_comch_event_consumer_cb_t expired_consumer_event_cb);
/** @} */

/** @name Connections */
/** @{ */
/** Counters of a connection. */
enum doca_comch_counter {
	DOCA_COMCH_COUNTER_SENT_MESSAGES = 1,
	DOCA_COMCH_COUNTER_SENT_BYTES = 2,
	DOCA_COMCH_COUNTER_RECV_MESSAGES = 3,
	DOCA_COMCH_COUNTER_RECV_BYTES = 4,
};
/** Takes a snapshot of the counters. CONNECTION_INPROGRESS: not established; CONNECTION_ABORTED: ended. */
DOCA_STABLE
doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection);
/** Returns a counter of the last doca_comch_connection_update_info(). INVALID_VALUE: also for an unknown counter. */
DOCA_STABLE
doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
	enum doca_comch_counter counter_type, uint64_t *counter_value);
/** Sets a value for the program. */
DOCA_STABLE
doca_error_t doca_comch_connection_set_user_data(struct doca_comch_connection *connection, union doca_data user_data);
/** Returns the value of the program; all zero by default. */
DOCA_STABLE
union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection);
/** Returns the server of a connection; NULL on the client's side. */
DOCA_STABLE
struct doca_comch_server *doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection);
/** Returns the client of a connection; NULL on the server's side. */
DOCA_STABLE
struct doca_comch_client *doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
