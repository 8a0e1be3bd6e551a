/* Servers: the context and the acceptance of clients. */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "doca_dev.h"
#include "sd_calls.h"
#include "sd_comch.h"
#include "sd_comch_socket.h"
#include "sd_fault.h"
#include "sd_log.h"
#include "sd_quirk.h"

static const uint64_t GREETING_NS = 5000000000u;	/* deadline of HELLO; a later client is disconnected */
static const uint64_t SHORTAGE_NS = 10000000u;

/* Reports the connect in the control's progress. The program may refuse the client by a disconnect in the callback. */
static uint8_t run_connected(struct sd_event *event)
{
	struct doca_comch_connection *connection = ((struct comch_event *)event)->connection;
	struct doca_comch_server *server = (struct doca_comch_server *)connection->control;
	uint8_t is_there;

	if (connection->is_over) {
		comch_connection_unref(connection);
		return 0;
	}
	pthread_mutex_lock(&connection->lock);
	is_there = connection->state == COMCH_GREETING;
	if (is_there) {
		connection->state = COMCH_ESTABLISHED;
		connection->owes_welcome = 1;
	}
	pthread_mutex_unlock(&connection->lock);
	connection->is_announced = is_there;
	if (server->connected != NULL)
		server->connected((struct doca_comch_event_connection_status_changed *)event, connection, is_there);
	pthread_mutex_lock(&connection->lock);
	if (connection->state == COMCH_ESTABLISHED && connection->owes_welcome) {
		connection->owes_welcome = 0;
		comch_transmit_packet(connection, COMCH_WELCOME, connection->max_msg);
	}
	pthread_mutex_unlock(&connection->lock);
	comch_connection_unref(connection);
	return server->connected != NULL;
}

static uint8_t greeted(struct doca_comch_connection *connection, const struct comch_hello *hello)
{
	const struct comch_control *control = connection->control;

	if (hello->version != COMCH_VERSION || hello->max_msg_size == 0 || memchr(hello->name, '\0', COMCH_NAME) == NULL ||
	    memchr(hello->function, '\0', COMCH_FUNCTION) == NULL || strcmp(hello->name, control->name) != 0 ||
	    strcmp(hello->function, control->function) != 0)
		return 0;
	connection->is_greeted = 1;
	if (hello->max_msg_size < connection->max_msg)
		connection->max_msg = hello->max_msg_size;
	comch_connection_post(connection, &connection->changed_event, run_connected);
	return 1;
}

static uint8_t lost(struct doca_comch_connection *connection)
{
	struct doca_comch_server *server = (struct doca_comch_server *)connection->control;
	uint8_t is_reported = connection->is_announced && server->disconnected != NULL;

	if (is_reported)
		server->disconnected((struct doca_comch_event_connection_status_changed *)&connection->lost_event, connection, 1);
	comch_connection_close(connection);
	if (comch_control_remove(&server->control, connection))
		comch_control_keep_ended(&server->control, connection);
	return is_reported;
}

/* Sends the cause to the client and disconnects it without reading from it. */
static void refuse(struct doca_comch_connection *connection)
{
	const struct comch_control *control = connection->control;

	SD_LOG_WARNING("comch server \"%s\" refused process %d: the server has its maximum of %u clients", control->name,
		       (int)connection->peer, sd_config_max_clients(control->limits));
	pthread_mutex_lock(&connection->lock);
	comch_transmit_packet(connection, COMCH_REFUSED, DOCA_ERROR_FULL);
	comch_drop_output(connection, DOCA_ERROR_FULL);
	pthread_mutex_unlock(&connection->lock);
	comch_connection_unref(connection);
}

static void take_client(struct doca_comch_server *server, int fd, pid_t peer)
{
	struct doca_comch_connection *connection = comch_connection_create(&server->control, fd, peer);

	if (connection == NULL) {
		SD_LOG_ERROR("comch server \"%s\": no memory for the connection of process %d", server->control.name, (int)peer);
		close(fd);
		return;
	}
	if (comch_control_add(&server->control, connection) != DOCA_SUCCESS) {
		refuse(connection);
		return;
	}
	comch_connection_expect(connection, GREETING_NS);
	if (comch_connection_watch(connection) != DOCA_SUCCESS)
		comch_connection_lose(connection);
}

/* Accepts a client. Returns 1 if a client was waiting. */
static uint8_t accept_client(struct doca_comch_server *server)
{
	doca_error_t result;
	pid_t peer;
	int fd;

	result = sd_rendezvous_accept(&server->listener, &fd, &peer);
	if (result == DOCA_SUCCESS)
		take_client(server, fd, peer);
	else if (result == DOCA_ERROR_OPERATING_SYSTEM && !server->control.is_inline) /* no free descriptor: accept later */
		sd_service_pause(&server->accept_pause, &server->watch, EPOLLIN, SHORTAGE_NS);
	return result == DOCA_SUCCESS;
}

static void ready_to_accept(struct sd_watch *watch, uint32_t events)
{
	struct doca_comch_server *server = SD_OWNER(watch, struct doca_comch_server, watch);

	(void)events;
	if (server->control.is_inline)
		sd_context_wake(&server->control.ctx);
	else
		accept_client(server);
}

static doca_error_t listen_for_clients(struct doca_comch_server *server)
{
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result;

	sd_rendezvous_name(name, "comch", server->control.function, server->control.name);
	result = sd_rendezvous_listen(&server->listener, name);
	if (result == DOCA_ERROR_ALREADY_EXIST)
		SD_LOG_INFO("comch server \"%s\" cannot start: another server has this name for function %s",
			    server->control.name, server->control.function);
	if (result != DOCA_SUCCESS)
		return result;
	/* Inline execution: the program's thread accepts. The service thread polls only while the program sleeps. */
	result = sd_service_watch(&server->watch, server->listener.fd, server->control.is_inline ? EPOLLONESHOT : EPOLLIN,
				  ready_to_accept);
	if (result != DOCA_SUCCESS)
		sd_rendezvous_close(&server->listener);
	return result;
}

static doca_error_t start(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = (struct doca_comch_server *)ctx;
	doca_error_t result;

	if (sd_quirk_is_on(SD_QUIRK_MANDATORY_CALLBACKS) && (server->connected == NULL || ctx->pools == NULL))
		return DOCA_ERROR_BAD_CONFIG;
	result = comch_control_open(&server->control);
	if (result != DOCA_SUCCESS)
		return result;
	result = listen_for_clients(server);
	if (result != DOCA_SUCCESS)
		comch_control_close(ctx);
	return result;
}

/* Idempotent. Afterwards no thread accepts clients. */
static void close_listener(struct doca_comch_server *server)
{
	sd_service_unwatch(&server->watch);
	sd_service_cancel(&server->accept_pause.job);
	sd_service_unwatch(&server->watch);
	sd_rendezvous_close(&server->listener);
}

static void stop(struct doca_ctx *ctx)
{
	close_listener((struct doca_comch_server *)ctx);
	comch_control_stop(ctx);
}

static void die(struct doca_ctx *ctx)
{
	close_listener((struct doca_comch_server *)ctx);
	comch_control_die(ctx);
}

static uint8_t poll(struct doca_ctx *ctx, uint32_t budget)
{
	struct doca_comch_server *server = (struct doca_comch_server *)ctx;

	if (server->control.is_inline && server->listener.fd >= 0 && accept_client(server))
		sd_context_elapse(ctx);
	return comch_control_poll(ctx, budget);
}

static void rest(struct doca_ctx *ctx)
{
	struct doca_comch_server *server = (struct doca_comch_server *)ctx;

	if (server->control.is_inline)
		sd_service_rearm(&server->watch, EPOLLIN | EPOLLONESHOT);
	comch_control_rest(ctx);
}

static const struct sd_context_ops server_ops = {
	.name = "comch server",
	.start = start,
	.may_stop = comch_control_may_stop,
	.stop = stop,
	.die = die,
	.is_busy = comch_control_is_busy,
	.stopped = comch_control_close,
	.poll = poll,
	.rest = rest,
	.next_due = comch_control_next_due,
};

static const struct comch_side server_side = {
	.greeted = greeted,
	.lose = comch_connection_lose,
	.lost = lost,
};

doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr, const char *name,
				      struct doca_comch_server **comch_server)
{
	struct doca_comch_server *server;
	doca_error_t result;

	if (dev == NULL || repr == NULL || name == NULL || comch_server == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_comch_cap_server_is_supported(doca_dev_as_devinfo(dev)) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_SUPPORTED;
	server = sd_fault_calloc("alloc-context", sizeof(*server), &result);
	if (server == NULL)
		return result;
	server->control.is_server = 1;
	server->representor = repr;
	result = doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(repr), server->control.function);
	if (result == DOCA_SUCCESS)
		result = comch_control_init(&server->control, &server_side, &server_ops, dev, name);
	if (result != DOCA_SUCCESS) {
		free(server);
		return result;
	}
	*comch_server = server;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server)
{
	if (sd_calls_refuse(__func__, comch_server))
		return DOCA_ERROR_BAD_STATE;
	return comch_server == NULL ? DOCA_ERROR_INVALID_VALUE : comch_control_destroy(&comch_server->control);
}
