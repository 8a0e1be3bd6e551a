/*
 * The communication channel between the host and the DPU: control path.
 *
 * A server runs on the DPU and is known by a name and by the representor of a host function; a client runs on the host and
 * connects through that function. On a connection both sides send messages, which arrive whole and in order. Consumers and
 * producers (doca_comch_consumer.h, doca_comch_producer.h) are made on connections.
 *
 *   server: create -> callbacks -> start (RUNNING at once) -> connect event -> messages -> disconnect event or
 *           doca_comch_server_disconnect() -> stop
 *   client: create -> callbacks -> start (IN_PROGRESS) -> RUNNING: connected -> messages -> stop, or IDLE by itself when the
 *           server is absent, refuses, disconnects or is gone
 *
 * A connection lives until it is disconnected. What is left in flight on it then ends with CONNECTION_RESET. Its user data can
 * be read for a while longer: in the disconnect event, and as long as consumers or producers of it exist.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. A NULL argument is
 * INVALID_VALUE where an error is returned, and undefined elsewhere.
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
/** SUCCESS: the device can be a server, which those of the DPU can; NOT_SUPPORTED: it cannot. */
DOCA_STABLE
doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);
/** SUCCESS: the device can be a client, which those of the host can; NOT_SUPPORTED: it cannot. */
DOCA_STABLE
doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);
/** Longest name of a server in bytes, with its NUL. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo, uint32_t *max_name_len);
/** Largest message in bytes. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size);
/** Limit of the receive queue, in messages. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *size);
/** Limit of num_send_tasks. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo, uint32_t *max_send_tasks);
/** Limit of the clients of one server. */
DOCA_STABLE
doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo, uint32_t *num_clients);
/** @} */

/** @name Server */
/** @{ */
/** A server for clients on the host function of repr, on a device of the DPU. One server per name and representor.
 *  INVALID_VALUE: also when the name is empty or too long; NOT_SUPPORTED: the device cannot be a server; NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr, const char *name,
	struct doca_comch_server **comch_server);
/** IN_USE: not IDLE, or consumers or producers are left. */
DOCA_STABLE
doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);
/** The context part; lives and dies with comch_server. Its start answers ALREADY_EXIST while another process or
 *  server has the name. Its stop answers IN_USE while a consumer or producer is not IDLE; it disconnects all
 *  clients. */
DOCA_STABLE
struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server);
/** Largest message; a connection takes the smaller of both sides. Default: the device's limit. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server, uint32_t *size);
/** Messages per connection that may wait for progress; beyond it the sender waits. Default 16. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server, uint32_t *size);
DOCA_STABLE
doca_error_t doca_comch_server_get_device(const struct doca_comch_server *comch_server, struct doca_dev **dev);
DOCA_STABLE
doca_error_t doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server, struct doca_dev_rep **rep);
/** End a connection, also from within its connect event, which refuses the client. There is no disconnect event. A
 *  connection that has ended already gives SUCCESS. INVALID_VALUE: none of this server; IN_USE: consumers or
 *  producers of it are not IDLE; AGAIN: messages wait to be sent. */
DOCA_STABLE
doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
	struct doca_comch_connection *connection);
/** @} */

/** @name Client */
/** @{ */
/** A client of the server of this name, on a device of the host. Errors as doca_comch_server_create(). */
DOCA_STABLE
doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name, struct doca_comch_client **comch_client);
/** IN_USE: not IDLE, or consumers or producers are left. */
DOCA_STABLE
doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);
/** The context part; lives and dies with comch_client. Its stop answers IN_USE while a consumer or producer is not
 *  IDLE. */
DOCA_STABLE
struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client);
/** As for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client, uint32_t *size);
/** As for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client, uint32_t size);
DOCA_STABLE
doca_error_t doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client, uint32_t *size);
DOCA_STABLE
doca_error_t doca_comch_client_get_device(const struct doca_comch_client *comch_client, struct doca_dev **dev);
/** The connection of a RUNNING client. BAD_STATE: there is none. */
DOCA_STABLE
doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
	struct doca_comch_connection **connection);
/** @} */

/** @name Sending */
/** @{ */
/** Called by progress when a message was handed over, or could not be. */
typedef void (*doca_comch_task_send_completion_cb_t)(struct doca_comch_task_send *task,
	union doca_data task_user_data, union doca_data ctx_user_data);
/** Ask for num_send_tasks tasks and say who is called on success and on failure. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_set_conf(struct doca_comch_server *comch_server,
	doca_comch_task_send_completion_cb_t task_completion_cb, doca_comch_task_send_completion_cb_t task_error_cb,
	uint32_t num_send_tasks);
/** As for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_set_conf(struct doca_comch_client *comch_client,
	doca_comch_task_send_completion_cb_t task_completion_cb, doca_comch_task_send_completion_cb_t task_error_cb,
	uint32_t num_send_tasks);
/** Take a task that sends len bytes (1 or more). The message is copied when the task is submitted; its memory may be
 *  used again at once. INVALID_VALUE: len is 0 or more than the connection allows; NO_MEMORY: all tasks are out;
 *  BAD_STATE: not RUNNING. */
DOCA_STABLE
doca_error_t doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server,
	struct doca_comch_connection *peer, const void *msg, uint32_t len, struct doca_comch_task_send **task);
/** As for servers. */
DOCA_STABLE
doca_error_t doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client,
	struct doca_comch_connection *peer, const void *msg, uint32_t len, struct doca_comch_task_send **task);
DOCA_STABLE
struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task);
/** @} */

/** @name Events; to be registered while IDLE */
/** @{ */
/** A message has arrived; recv_buffer is valid until the callback returns. */
typedef void (*doca_comch_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
	uint32_t msg_len, struct doca_comch_connection *comch_connection);
/** A client has connected or is gone; change_successful 0: it was gone before the connection was complete. */
typedef void (*doca_comch_event_connection_status_changed_cb_t)(struct doca_comch_event_connection_status_changed *event,
	struct doca_comch_connection *comch_connection, uint8_t change_successful);
/** The other side has a new consumer with this id, or has it no longer. */
typedef void (*doca_comch_event_consumer_cb_t)(struct doca_comch_event_consumer *event,
	struct doca_comch_connection *comch_connection, uint32_t id);
/** BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_event_msg_recv_register(struct doca_comch_server *comch_server,
	doca_comch_event_msg_recv_cb_t recv_event_cb);
/** BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_client_event_msg_recv_register(struct doca_comch_client *comch_client,
	doca_comch_event_msg_recv_cb_t recv_event_cb);
/** BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_event_connection_status_changed_register(struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);
/** BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_server_event_consumer_register(struct doca_comch_server *comch_server,
	doca_comch_event_consumer_cb_t new_consumer_event_cb, doca_comch_event_consumer_cb_t expired_consumer_event_cb);
/** BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_client_event_consumer_register(struct doca_comch_client *comch_client,
	doca_comch_event_consumer_cb_t new_consumer_event_cb, doca_comch_event_consumer_cb_t expired_consumer_event_cb);
/** @} */

/** @name Connections */
/** @{ */
/** What a connection counts. */
enum doca_comch_counter {
	DOCA_COMCH_COUNTER_SENT_MESSAGES = 1,
	DOCA_COMCH_COUNTER_SENT_BYTES = 2,
	DOCA_COMCH_COUNTER_RECV_MESSAGES = 3,
	DOCA_COMCH_COUNTER_RECV_BYTES = 4,
};
/** Take note of the counters as they are now. CONNECTION_INPROGRESS: not established; CONNECTION_ABORTED: ended. */
DOCA_STABLE
doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection);
/** A counter as it was at the last doca_comch_connection_update_info(). INVALID_VALUE: also for an unknown counter. */
DOCA_STABLE
doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
	enum doca_comch_counter counter_type, uint64_t *counter_value);
/** Value of the program's own. */
DOCA_STABLE
doca_error_t doca_comch_connection_set_user_data(struct doca_comch_connection *connection, union doca_data user_data);
/** The value set before; all zero by default. */
DOCA_STABLE
union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection);
/** The server of a connection; NULL on the side of the client. */
DOCA_STABLE
struct doca_comch_server *doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection);
/** The client of a connection; NULL on the side of the server. */
DOCA_STABLE
struct doca_comch_client *doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
