/*
 * The end of a peer by SIGKILL, in any state, is detected within 100 ms of the service thread's time. The server gets its
 * disconnect event, the client STOPPING and IDLE, tasks in flight their error callback. No resource of the dead peer remains:
 * no descriptor, no memory, no file.
 */
#include "comch_process.h"

static const char name[] = "mortal";

static struct data consumer, producer;

/* @name The process that is killed: reports its state, then acts as ordered until it is killed */
/* @{ */
static void linger(struct side *side)
{
	char byte;

	report('!');
	while (!has_byte(&byte))
		if (!side_progress(side))
			sched_yield();
	_exit(2); /* the parent did not kill it */
}

static void hold_message(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)connection;
	(void)bytes;
	(void)len;
	linger(side->test == NULL ? NULL : side);
}

static int die_as_client(const char *state)
{
	struct side client;

	side_create_client(&client, name);
	if (strcmp(state, "starting") == 0) {
		CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
		linger(NULL); /* never progresses */
	}
	client.on_message = strcmp(state, "in callback") == 0 ? hold_message : NULL;
	side_connect(NULL, &client);
	if (strcmp(state, "starting consumer") == 0) {
		data_create_consumer(&consumer, &client, client.pe);
		CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
		linger(NULL);
	}
	if (strncmp(state, "consumer", 8) == 0) {
		data_create_consumer(&consumer, &client, client.pe);
		data_start_consumer(&consumer, &client, NULL);
		for (uint64_t n = 0; strcmp(state, "consumer with buffers") == 0 && n < DATA_TASKS; n++)
			CHECK_OK(data_post(&consumer, n, DATA_SLOT));
	}
	if (strcmp(state, "producer") == 0)
		data_open_producer(&producer, &client, client.pe);
	if (strcmp(state, "disconnecting") == 0)
		CHECK_ERROR(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_PROGRESS);
	linger(strcmp(state, "deaf") == 0 ? NULL : &client);
	return 1;
}

static int die_as_server(const char *state)
{
	struct side server;

	side_create_server(&server, name);
	CHECK_OK(doca_ctx_start(server.ctx));
	report('s');
	if (strcmp(state, "before the connect event") == 0)
		linger(NULL);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_connected == 1);
	if (strncmp(state, "consumer", 8) == 0) {
		data_create_consumer(&consumer, &server, server.pe);
		data_start_consumer(&consumer, &server, NULL);
		CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
	}
	linger(strcmp(state, "deaf") == 0 ? NULL : &server);
	return 1;
}
/* @} */

/* @name The process that remains */
/* @{ */
static void send_flood(struct side *side)
{
	uint8_t message[SIDE_MESSAGE] = { 1 };

	/* More than the capacity of a socket: some messages wait on this side for a peer that does not read. */
	while (side_send(side, message, sizeof(message)) == DOCA_SUCCESS)
		side_progress(side);
}

/* A server continues after the end of its client. */
static void outlive_client(struct side *server, const char *state)
{
	struct child child = child_start("client", state);
	struct data own = { 0 };
	uint8_t is_sending = strncmp(state, "consumer", 8) == 0;
	int disconnected = server->num_disconnected, refused = server->num_refused, sent_failed = server->num_failed;

	server->num_consumers = 0;
	server->on_message = NULL;
	if (strcmp(state, "in callback") == 0) {
		SIDE_PROGRESS_UNTIL(server, NULL, server->num_connected > disconnected);
		CHECK_OK(side_send(server, "hold", 4));
	}
	if (strcmp(state, "starting") == 0)
		child_await(&child, '!', NULL); /* without progress, the server has not accepted the client yet */
	else
		child_await(&child, '!', server);
	if (strcmp(state, "deaf") == 0)
		send_flood(server);
	if (is_sending) {
		SIDE_PROGRESS_UNTIL(server, NULL, server->num_consumers == 1);
		data_open_producer(&own, server, server->pe);
		for (uint64_t n = 0; n < DATA_TASKS; n++)
			data_send(&own, n, DATA_SLOT, NULL, 0, server->new_ids[0]);
	}
	if (strcmp(state, "producer") == 0) {
		data_create_consumer(&own, server, server->pe);
		data_start_consumer(&own, server, NULL);
		CHECK_OK(data_post(&own, 0, DATA_SLOT));
	}
	child_kill(&child);
	NOTICE_UNTIL(server, is_sending ? own.ctx : NULL, server->num_disconnected + server->num_refused > disconnected + refused);
	if (strcmp(state, "deaf") == 0) {
		SIDE_PROGRESS_UNTIL(server, NULL, server->num_failed > sent_failed);
		CHECK_EQ(server->last_status, DOCA_ERROR_CONNECTION_RESET);
	}
	if (strcmp(state, "producer") == 0) {
		SIDE_PROGRESS_UNTIL(server, NULL, own.failed == 1);
		CHECK_EQ(own.last_status, DOCA_ERROR_CONNECTION_RESET);
	}
	if (is_sending) { /* submissions to the dead peer fail, and none hangs */
		SIDE_PROGRESS_UNTIL(server, NULL, data_send(&own, 0, 10, NULL, 0, server->new_ids[0]) == DOCA_SUCCESS);
		SIDE_PROGRESS_UNTIL(server, NULL, own.failed > 0);
		CHECK_EQ(own.last_error, DOCA_ERROR_CONNECTION_RESET);
	}
	if (own.ctx != NULL) {
		data_stop(&own, server, NULL);
		data_close(&own);
	}
	child_close(&child, SIGKILL, NULL);
}

static void outlive_clients(void)
{
	static const char *const states[] = {
		"starting", "idle", "deaf", "in callback", "starting consumer", "consumer", "consumer with buffers", "producer",
		"disconnecting",
	};
	struct side server;
	int before = count_descriptors();

	side_create_server(&server, name);
	CHECK_OK(doca_ctx_start(server.ctx));
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		fprintf(stderr, "client: %s\n", states[i]);
		outlive_client(&server, states[i]);
		SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == server.num_connected);
	}
	side_close(&server, NULL);
	rig_check_nothing_is_left();
	CHECK_EQ(count_descriptors(), before);
}

static void outlive_server(const char *state)
{
	struct side client;
	struct child child = child_start("server", state);
	uint8_t is_early = strcmp(state, "before the connect event") == 0, has_consumer = strncmp(state, "consumer", 8) == 0;
	int before = count_descriptors();

	fprintf(stderr, "server: %s\n", state);
	child_await(&child, 's', NULL);
	side_create_client(&client, name);
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	if (!is_early)
		RIG_PROGRESS_UNTIL(client.pe, side_state(&client) == DOCA_CTX_STATE_RUNNING);
	child_await(&child, '!', &client);
	if (strcmp(state, "deaf") == 0)
		send_flood(&client);
	child_kill(&child);
	NOTICE_UNTIL(&client, NULL, side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(client.num_states, is_early ? 3 : 4);
	CHECK_EQ(client.states[client.num_states - 2], DOCA_CTX_STATE_STOPPING);
	CHECK(!has_consumer || client.num_consumers == 1);
	child_close(&child, SIGKILL, NULL);

	/* A server of the same name can start. */
	child = child_start("server", "idle");
	child_await(&child, 's', NULL);
	side_connect(NULL, &client);
	child_kill(&child);
	RIG_PROGRESS_UNTIL(client.pe, side_state(&client) == DOCA_CTX_STATE_IDLE);
	child_close(&child, SIGKILL, NULL);
	side_close(&client, NULL);
	rig_check_nothing_is_left();
	CHECK_EQ(count_descriptors(), before - 2); /* the pipes of the first child */
}
/* @} */

int main(int argc, char **argv)
{
	struct side last;

	if (argc > 2)
		return strcmp(argv[1], "client") == 0 ? die_as_client(argv[2]) : die_as_server(argv[2]);
	make_own_folder();
	outlive_clients();
	outlive_server("before the connect event");
	outlive_server("idle");
	outlive_server("deaf");
	outlive_server("consumer with buffers");
	CHECK_EQ(count_entries(own_folder), 2);
	side_create_server(&last, "another"); /* the next server removes the files of killed ones */
	CHECK_OK(doca_ctx_start(last.ctx));
	side_close(&last, NULL);
	remove_own_folder();
	return 0;
}
