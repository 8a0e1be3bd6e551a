/* Clients: the context and its connection attempt. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doca_dev.h"
#include "sd_calls.h"
#include "sd_comch.h"
#include "sd_comch_socket.h"
#include "sd_fault.h"
#include "sd_log.h"
#include "sd_quirk.h"
#include "softdpu.h"

static const uint64_t WELCOME_NS = 10000000000u;	/* deadline of a connected server's WELCOME; then the start fails */
static const uint64_t RETRY_NS = 1000000u;		/* between attempts while the server's backlog is full */

static uint8_t run_connected(struct sd_event *event)
{
	struct doca_comch_connection *connection = ((struct comch_event *)event)->connection;

	if (!connection->is_over)
		sd_context_started(event->ctx, DOCA_SUCCESS);
	comch_connection_unref(connection);
	return 1;
}

static uint8_t welcomed(struct doca_comch_connection *connection, uint32_t max_msg_size)
{
	if (connection->state != COMCH_GREETING || max_msg_size == 0 || max_msg_size > connection->max_msg)
		return 0;
	connection->state = COMCH_ESTABLISHED;
	connection->max_msg = max_msg_size;
	/* The deadline job stays scheduled: sd_service_cancel() may wait for the job, which takes the held lock. */
	comch_connection_post(connection, &connection->changed_event, run_connected);
	return 1;
}

static uint8_t refused(struct doca_comch_connection *connection, uint32_t error)
{
	if (connection->state != COMCH_GREETING || error != DOCA_ERROR_FULL)
		return 0;
	connection->failure = DOCA_ERROR_FULL; /* the server closes the socket next */
	return 1;
}

static void report_failure(const struct doca_comch_client *client)
{
	const char *why = client->failure == DOCA_ERROR_FULL ? "the server has its maximum number of clients; try again later" :
							       doca_error_get_descr(client->failure);

	SD_LOG_INFO("comch client \"%s\" is not connected: %s", client->control.name, why);
}

static uint8_t lost(struct doca_comch_connection *connection)
{
	struct doca_comch_client *client = (struct doca_comch_client *)connection->control;

	if (client->control.ctx.state == DOCA_CTX_STATE_STARTING) {
		client->failure = connection->failure != DOCA_SUCCESS ? connection->failure : DOCA_ERROR_CONNECTION_ABORTED;
		report_failure(client);
	}
	sd_context_fail(&client->control.ctx);
	return 1;
}

doca_error_t softdpu_comch_client_get_failure(const struct doca_comch_client *client)
{
	return client == NULL ? DOCA_ERROR_INVALID_VALUE : client->failure;
}

static doca_error_t send_hello(struct doca_comch_connection *connection)
{
	const struct comch_control *control = connection->control;
	struct comch_hello hello = { .version = COMCH_VERSION, .max_msg_size = control->max_msg_size };
	struct comch_out *out = comch_packet_create(COMCH_HELLO, 0, sizeof(hello));

	if (out == NULL)
		return DOCA_ERROR_NO_MEMORY;
	memcpy(hello.name, control->name, sizeof(hello.name));
	memcpy(hello.function, control->function, sizeof(hello.function));
	memcpy(out + 1, &hello, sizeof(hello));
	comch_transmit(connection, out);
	return DOCA_SUCCESS;
}

static void try_again(struct sd_job *job);

/* Tries to connect once. Results other than SUCCESS and AGAIN are final. The lock must be held. */
static doca_error_t try_to_connect(struct doca_comch_connection *connection)
{
	char name[SD_RENDEZVOUS_NAME];
	doca_error_t result;

	sd_rendezvous_name(name, "comch", connection->control->function, connection->control->name);
	result = sd_rendezvous_connect(name, &connection->fd, &connection->peer);
	if (result == DOCA_ERROR_AGAIN && !connection->control->is_inline)
		sd_service_schedule(&connection->resume_job, RETRY_NS, try_again);
	if (result == DOCA_SUCCESS)
		result = comch_connection_watch(connection);
	if (result == DOCA_SUCCESS)
		result = send_hello(connection);
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_AGAIN)
		connection->failure = result;
	return result;
}

/* Connects again if the server's backlog was full. Inline execution: client's thread; else service thread. */
static void connect_again(struct doca_comch_connection *connection)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&connection->lock);
	if (connection->state == COMCH_GREETING && connection->fd < 0)
		result = try_to_connect(connection);
	pthread_mutex_unlock(&connection->lock);
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_AGAIN)
		comch_connection_lose(connection);
}

static void try_again(struct sd_job *job)
{
	connect_again(SD_OWNER(job, struct doca_comch_connection, resume_job));
}

/* Starts to connect. Detects a missing server at once; the first progress call reports it. */
static doca_error_t connect_to_server(struct doca_comch_client *client)
{
	struct doca_comch_connection *connection = comch_connection_create(&client->control, -1, 0);
	doca_error_t result;

	if (connection == NULL)
		return DOCA_ERROR_INITIALIZATION;
	comch_control_add(&client->control, connection);
	comch_connection_expect(connection, WELCOME_NS);
	pthread_mutex_lock(&connection->lock);
	result = try_to_connect(connection);
	pthread_mutex_unlock(&connection->lock);
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_AGAIN)
		comch_connection_lose(connection);
	return DOCA_ERROR_IN_PROGRESS;
}

static doca_error_t start(struct doca_ctx *ctx)
{
	struct doca_comch_client *client = (struct doca_comch_client *)ctx;
	doca_error_t result;

	if (sd_quirk_is_on(SD_QUIRK_MANDATORY_CALLBACKS) && ctx->pools == NULL)
		return DOCA_ERROR_BAD_CONFIG;
	result = comch_control_open(&client->control);
	if (result != DOCA_SUCCESS)
		return result;
	client->failure = DOCA_SUCCESS;
	result = connect_to_server(client);
	if (result != DOCA_ERROR_IN_PROGRESS)
		comch_control_close(ctx);
	return result;
}

/* Returns true if no attempt to connect has ended yet. */
static uint8_t must_connect(struct doca_comch_connection *connection)
{
	uint8_t is_open;

	pthread_mutex_lock(&connection->lock);
	is_open = connection->state == COMCH_GREETING && connection->fd < 0;
	pthread_mutex_unlock(&connection->lock);
	return is_open;
}

static uint8_t poll(struct doca_ctx *ctx, uint32_t budget)
{
	struct comch_control *control = (struct comch_control *)ctx;

	if (control->is_inline && control->connections != NULL && must_connect(control->connections))
		connect_again(control->connections);
	return comch_control_poll(ctx, budget);
}

static void wake(struct sd_job *job)
{
	struct doca_comch_connection *connection = SD_OWNER(job, struct doca_comch_connection, resume_job);

	sd_context_wake(&connection->control->ctx);
}

/* Inline execution has no socket yet that could wake a sleeping program, so a job wakes it for the next attempt. */
static void rest(struct doca_ctx *ctx)
{
	struct comch_control *control = (struct comch_control *)ctx;

	if (control->is_inline && control->connections != NULL && must_connect(control->connections))
		sd_service_schedule(&control->connections->resume_job, RETRY_NS, wake);
	comch_control_rest(ctx);
}

static const struct sd_context_ops client_ops = {
	.name = "comch client",
	.start = start,
	.may_stop = comch_control_may_stop,
	.stop = comch_control_stop,
	.die = comch_control_die,
	.is_busy = comch_control_is_busy,
	.stopped = comch_control_close,
	.poll = poll,
	.rest = rest,
	.next_due = comch_control_next_due,
};

static const struct comch_side client_side = {
	.welcomed = welcomed,
	.refused = refused,
	.lose = comch_connection_lose,
	.lost = lost,
};

doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name, struct doca_comch_client **comch_client)
{
	struct doca_comch_client *client;
	doca_error_t result;

	if (dev == NULL || name == NULL || comch_client == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_comch_cap_client_is_supported(doca_dev_as_devinfo(dev)) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_SUPPORTED;
	client = sd_fault_calloc("alloc-context", sizeof(*client), &result);
	if (client == NULL)
		return result;
	result = doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(dev), client->control.function);
	if (result == DOCA_SUCCESS)
		result = comch_control_init(&client->control, &client_side, &client_ops, dev, name);
	if (result != DOCA_SUCCESS) {
		free(client);
		return result;
	}
	*comch_client = client;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client)
{
	if (sd_calls_refuse(__func__, comch_client))
		return DOCA_ERROR_BAD_STATE;
	return comch_client == NULL ? DOCA_ERROR_INVALID_VALUE : comch_control_destroy(&comch_client->control);
}

doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client,
					      struct doca_comch_connection **connection)
{
	if (comch_client == NULL || connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (comch_client->control.ctx.state != DOCA_CTX_STATE_RUNNING || comch_client->control.connections == NULL)
		return DOCA_ERROR_BAD_STATE;
	*connection = comch_client->control.connections;
	return DOCA_SUCCESS;
}
