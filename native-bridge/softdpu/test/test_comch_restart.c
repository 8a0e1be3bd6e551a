/*
 * A consumer restarts before the peer's answer to its previous start. The answer counts for the present start, and the later
 * answer changes nothing. The first start may end at any stage of its answer. Many restarts before the first answer are refused,
 * and the connection continues.
 */
#include <poll.h>

#include "comch_data.h"

enum { CALLS = 1000 };

static struct side server, client;
static struct data consumer;

static void start(void)
{
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
}

/* The client receives a message after all earlier packets. */
static void check_connection(void)
{
	CHECK_OK(side_send(&server, "all", 3));
	SIDE_PROGRESS_UNTIL(&server, &client, client.num_received == 1);
	CHECK_EQ(side_state(&client), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(data_state(&consumer), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(server.num_disconnected, 0);
}

/* Lets the service thread of the client read until it has posted an event, which does not run yet. */
static void await_event(int starts)
{
	doca_notification_handle_t handle;
	struct pollfd event = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(client.pe, &handle));
	event.fd = handle;
	CHECK_OK(doca_pe_request_notification(client.pe));
	start();
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_consumers == starts);
	CHECK_EQ(poll(&event, 1, RIG_LIMIT_S * 1000), 1);
	CHECK_OK(doca_pe_clear_notification(client.pe, handle));
}

static void check_rest(void)
{
	int calls = 0;

	while (doca_pe_progress(client.pe))
		CHECK(++calls < CALLS);
}

static void open_all(const char *name)
{
	server = client = (struct side){ 0 };
	consumer = (struct data){ 0 };
	sides_open(&server, &client, name);
	data_create_consumer(&consumer, &client, client.pe);
}

static void close_all(void)
{
	data_stop(&consumer, &client, &server);
	data_close(&consumer);
	sides_close(&server, &client);
	rig_check_nothing_is_left();
}

/* The server's program does not receive the starts. */
static void restart_too_often(void)
{
	uint32_t limit;
	doca_error_t result;

	CHECK_OK(doca_comch_consumer_cap_get_max_consumers(doca_dev_as_devinfo(client.dev), &limit));
	for (uint32_t i = 0; i < limit; i++) {
		start();
		CHECK_OK(doca_ctx_stop(consumer.ctx));
	}
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_AGAIN);
	SIDE_PROGRESS_UNTIL(&server, &client, server.num_expired == (int)limit);
	SIDE_PROGRESS_UNTIL(&server, &client, (result = doca_ctx_start(consumer.ctx)) != DOCA_ERROR_AGAIN);
	CHECK_ERROR(result, DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(&server, &client, data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
}

int main(void)
{
	open_all("unsent");
	start();
	CHECK_OK(doca_ctx_stop(consumer.ctx));
	start();
	SIDE_PROGRESS_UNTIL(&server, &client, data_state(&consumer) == DOCA_CTX_STATE_RUNNING && server.num_consumers == 2);
	check_connection();
	close_all();

	open_all("unread");
	await_event(1);
	CHECK_OK(doca_ctx_stop(consumer.ctx));
	await_event(2);
	SIDE_PROGRESS_UNTIL(&server, &client, data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	check_rest();
	check_connection();
	close_all();

	open_all("impatient");
	restart_too_often();
	check_connection();
	close_all();
	return 0;
}
