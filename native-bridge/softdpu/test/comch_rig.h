/*
 * One side of the communication channel for tests: a device, an engine, a server or a client on it. Callbacks count, record,
 * and call the test's hooks. comch_close() stops and destroys all.
 */
#ifndef COMCH_RIG_H
#define COMCH_RIG_H

#include "doca_comch.h"
#include "doca_comch_consumer.h"
#include "doca_comch_producer.h"
#include "rendezvous.h"
#include "rig.h"

enum { COMCH_TASKS = 64, COMCH_MAX_CONNECTIONS = 64, COMCH_MAX_IDS = 64, SIDE_MESSAGE = 4080 };

struct side {
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct doca_pe *pe;
	struct doca_comch_server *server;	/* either a server or a client */
	struct doca_comch_client *client;
	struct doca_ctx *ctx;
	struct doca_comch_connection *connection;	/* the most recently established one */
	int num_connected, num_refused, num_disconnected;
	int num_received, num_sent, num_failed;
	doca_error_t last_status;
	uint8_t last_message[SIDE_MESSAGE];
	uint32_t last_len;
	int num_consumers, num_expired;
	uint32_t new_ids[COMCH_MAX_IDS], expired_ids[COMCH_MAX_IDS];
	enum doca_ctx_states states[RIG_MAX_STATES];
	int num_states;
	void (*on_message)(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len);
	void (*on_connect)(struct side *side, struct doca_comch_connection *connection, uint8_t successful);
	void (*on_disconnect)(struct side *side, struct doca_comch_connection *connection);
	void (*on_state)(struct side *side, enum doca_ctx_states next);
	void (*on_new_consumer)(struct side *side, uint32_t id);
	void *test;
};

#define SIDE_PROGRESS_UNTIL(one, other, condition)                                   \
	do {                                                                         \
		uint64_t side_deadline = rig_now_ms() + RIG_LIMIT_S * 1000;          \
		while (!(condition)) {                                               \
			if (!side_progress(one) && !side_progress(other))            \
				sched_yield();                                       \
			CHECK(rig_now_ms() < side_deadline);                         \
		}                                                                    \
	} while (0)

RIG uint8_t side_progress(struct side *side)
{
	return side == NULL || side->pe == NULL ? 0 : doca_pe_progress(side->pe);
}

RIG struct side *side_of(struct doca_comch_connection *connection)
{
	union doca_data data;
	struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
	struct doca_ctx *ctx = server != NULL ? doca_comch_server_as_ctx(server) :
						doca_comch_client_as_ctx(doca_comch_client_get_client_ctx(connection));

	CHECK_OK(doca_ctx_get_user_data(ctx, &data));
	return data.ptr;
}

RIG void side_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
		       struct doca_comch_connection *connection)
{
	struct side *side = side_of(connection);

	CHECK(event != NULL && len > 0 && len <= SIDE_MESSAGE);
	memcpy(side->last_message, bytes, len);
	side->last_len = len;
	side->num_received++;
	if (side->on_message != NULL)
		side->on_message(side, connection, bytes, len);
	memset(bytes, 0xee, len); /* the callback owns the buffer until it returns */
}

RIG void side_new_consumer(struct doca_comch_event_consumer *event, struct doca_comch_connection *connection, uint32_t id)
{
	struct side *side = side_of(connection);

	CHECK(event != NULL && id != 0);
	side->new_ids[side->num_consumers++ % COMCH_MAX_IDS] = id;
	if (side->on_new_consumer != NULL)
		side->on_new_consumer(side, id);
}

RIG void side_expired_consumer(struct doca_comch_event_consumer *event, struct doca_comch_connection *connection, uint32_t id)
{
	struct side *side = side_of(connection);

	CHECK(event != NULL && id != 0);
	side->expired_ids[side->num_expired++ % COMCH_MAX_IDS] = id;
}

RIG void side_connected(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
			uint8_t successful)
{
	struct side *side = side_of(connection);

	CHECK(event != NULL);
	if (successful) {
		side->num_connected++;
		side->connection = connection;
	} else {
		side->num_refused++;
	}
	if (side->on_connect != NULL)
		side->on_connect(side, connection, successful);
}

RIG void side_disconnected(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
			   uint8_t successful)
{
	struct side *side = side_of(connection);

	CHECK(event != NULL);
	CHECK_EQ(successful, 1);
	side->num_disconnected++;
	if (side->on_disconnect != NULL)
		side->on_disconnect(side, connection);
}

RIG void side_send_ended(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	struct side *side = ctx_data.ptr;

	(void)task_data;
	side->last_status = doca_task_get_status(doca_comch_task_send_as_task(task));
	if (side->last_status == DOCA_SUCCESS)
		side->num_sent++;
	else
		side->num_failed++;
	doca_task_free(doca_comch_task_send_as_task(task));
}

RIG void side_state_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			    enum doca_ctx_states next)
{
	struct side *side = user_data.ptr;

	(void)ctx;
	(void)previous;
	side->states[side->num_states++ % RIG_MAX_STATES] = next;
	if (next == DOCA_CTX_STATE_RUNNING && side->client != NULL)
		CHECK_OK(doca_comch_client_get_connection(side->client, &side->connection));
	if (side->on_state != NULL)
		side->on_state(side, next);
}

RIG enum doca_ctx_states side_state(const struct side *side)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(side->ctx, &state));
	return state;
}

RIG struct doca_dev_rep *side_open_representor(struct doca_dev *dev, const char *pci_addr)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep = NULL;
	uint32_t count;

	CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count));
	for (uint32_t i = 0; i < count && rep == NULL; i++) {
		uint8_t is_equal;

		CHECK_OK(doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &is_equal));
		if (is_equal)
			CHECK_OK(doca_dev_rep_open(list[i], &rep));
	}
	CHECK_OK(doca_devinfo_rep_destroy_list(list));
	CHECK(rep != NULL);
	return rep;
}

RIG void side_configure_context(struct side *side)
{
	union doca_data data = { .ptr = side };

	CHECK_OK(doca_pe_connect_ctx(side->pe, side->ctx));
	CHECK_OK(doca_ctx_set_user_data(side->ctx, data));
	CHECK_OK(doca_ctx_set_state_changed_cb(side->ctx, side_state_changed));
}

/* Creates a server for a function of the host, without the start. */
RIG void side_create_server_for(struct side *side, const char *name, const char *function)
{
	memset(side, 0, sizeof(*side));
	side->dev = rig_open_device(strcmp(function, "81:00.1") == 0 ? "03:00.1" : "03:00.0"); /* by port */
	side->rep = side_open_representor(side->dev, function);
	CHECK_OK(doca_pe_create(&side->pe));
	CHECK_OK(doca_comch_server_create(side->dev, side->rep, name, &side->server));
	side->ctx = doca_comch_server_as_ctx(side->server);
	side_configure_context(side);
	CHECK_OK(doca_comch_server_task_send_set_conf(side->server, side_send_ended, side_send_ended, COMCH_TASKS));
	CHECK_OK(doca_comch_server_event_msg_recv_register(side->server, side_received));
	CHECK_OK(doca_comch_server_event_connection_status_changed_register(side->server, side_connected, side_disconnected));
	CHECK_OK(doca_comch_server_event_consumer_register(side->server, side_new_consumer, side_expired_consumer));
}

RIG void side_create_server(struct side *side, const char *name)
{
	side_create_server_for(side, name, "81:00.0");
}

/* Creates a client on a shared engine. */
RIG void side_create_client_on_engine(struct side *side, const char *name, const char *function, struct doca_pe *pe)
{
	memset(side, 0, sizeof(*side));
	side->dev = rig_open_device(function);
	side->pe = pe;
	CHECK_OK(doca_comch_client_create(side->dev, name, &side->client));
	side->ctx = doca_comch_client_as_ctx(side->client);
	side_configure_context(side);
	CHECK_OK(doca_comch_client_task_send_set_conf(side->client, side_send_ended, side_send_ended, COMCH_TASKS));
	CHECK_OK(doca_comch_client_event_msg_recv_register(side->client, side_received));
	CHECK_OK(doca_comch_client_event_consumer_register(side->client, side_new_consumer, side_expired_consumer));
}

RIG void side_create_client_on(struct side *side, const char *name, const char *function)
{
	struct doca_pe *pe;

	CHECK_OK(doca_pe_create(&pe));
	side_create_client_on_engine(side, name, function, pe);
}

RIG void side_create_client(struct side *side, const char *name)
{
	side_create_client_on(side, name, "81:00.0");
}

RIG void side_connect(struct side *server, struct side *client)
{
	CHECK_ERROR(doca_ctx_start(client->ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(server, client, side_state(client) == DOCA_CTX_STATE_RUNNING);
}

/* Opens both sides in this process and connects them. */
RIG void sides_open(struct side *server, struct side *client, const char *name)
{
	side_create_server(server, name);
	side_create_client(client, name);
	CHECK_OK(doca_ctx_start(server->ctx));
	side_connect(server, client);
}

RIG doca_error_t side_alloc(struct side *side, const void *message, uint32_t len, struct doca_comch_task_send **task)
{
	if (side->server != NULL)
		return doca_comch_server_task_send_alloc_init(side->server, side->connection, message, len, task);
	return doca_comch_client_task_send_alloc_init(side->client, side->connection, message, len, task);
}

RIG doca_error_t side_send(struct side *side, const void *message, uint32_t len)
{
	struct doca_comch_task_send *task;
	doca_error_t result = side_alloc(side, message, len, &task);

	if (result != DOCA_SUCCESS)
		return result;
	result = doca_task_submit(doca_comch_task_send_as_task(task));
	if (result != DOCA_SUCCESS)
		doca_task_free(doca_comch_task_send_as_task(task));
	return result;
}

RIG void side_stop(struct side *side, struct side *other)
{
	doca_error_t result = doca_ctx_stop(side->ctx);

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(side, other, side_state(side) == DOCA_CTX_STATE_IDLE);
}

/* Closes an IDLE or RUNNING side. */
RIG void side_close(struct side *side, struct side *other)
{
	side_stop(side, other);
	if (side->server != NULL)
		CHECK_OK(doca_comch_server_destroy(side->server));
	else
		CHECK_OK(doca_comch_client_destroy(side->client));
	if (side->rep != NULL)
		CHECK_OK(doca_dev_rep_close(side->rep));
	CHECK_OK(doca_pe_destroy(side->pe));
	CHECK_OK(doca_dev_close(side->dev));
	side->pe = NULL;
}

/* Closes the client first; the server sees the disconnect. */
RIG void sides_close(struct side *server, struct side *client)
{
	side_close(client, server);
	SIDE_PROGRESS_UNTIL(server, NULL, server->num_disconnected >= server->num_connected);
	side_close(server, NULL);
	rig_check_nothing_is_left();
}

#endif
