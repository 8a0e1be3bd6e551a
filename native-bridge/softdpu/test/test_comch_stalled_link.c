/* A link that delays its packets for an hour is stalled: no start, stop, disconnect or end of a peer waits for them. */
#include "doca_log.h"
#include "slow_link.h"

enum { LATER_NS = 1000000 };

static const char stalled[] = "comch-link:delay=3600s";

static uint8_t is_inline(void)
{
	return softdpu_get_execution() == SOFTDPU_EXECUTION_INLINE;
}

/* Nothing arrives, in either direction. */
static void open_stalled(void)
{
	open_sides();
	CHECK_OK(softdpu_faults_set(stalled));
	send_messages(&client);
	send_messages(&server);
	progress_all();
	CHECK_EQ(received + client.num_sent + server.num_sent, 0);
	CHECK_ERROR(doca_comch_server_disconnect(server.server, server.connection), DOCA_ERROR_AGAIN);
}

static void check_failed(const struct side *side, int failed, doca_error_t status)
{
	CHECK_EQ(side->num_failed, failed);
	CHECK_ERROR(side->last_status, status);
}

static void client_stops(void)
{
	open_stalled();
	side_stop(&client, NULL);
	check_failed(&client, MESSAGES, DOCA_ERROR_IO_FAILED);
	UNTIL(server.num_disconnected == 1 && server.num_failed == MESSAGES);
	check_failed(&server, MESSAGES, DOCA_ERROR_CONNECTION_RESET);
	CHECK_EQ(received, 0);
	close_sides();
}

static void server_stops(void)
{
	open_stalled();
	side_stop(&server, NULL);
	check_failed(&server, MESSAGES, DOCA_ERROR_IO_FAILED);
	server.num_connected = 0;
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	check_failed(&client, MESSAGES, DOCA_ERROR_CONNECTION_RESET);
	CHECK_EQ(received, 0);
	close_sides();
}

/* The link goes down behind the delayed packets, which are lost. */
static void link_goes_down(void)
{
	open_sides();
	CHECK_OK(softdpu_faults_set("comch-link:delay=3600s:nth=1 ; comch-link:down:nth=5"));
	send_messages(&client);
	UNTIL(server.num_disconnected == 1 && side_state(&client) == DOCA_CTX_STATE_IDLE);
	check_failed(&client, MESSAGES, DOCA_ERROR_CONNECTION_RESET);
	CHECK_EQ(received, 0);
	close_sides();
}

static void device_is_lost(void)
{
	open_sides();
	CHECK_OK(softdpu_faults_set("comch-link:delay=3600s ; comch-send:lost:nth=5"));
	send_messages(&client);
	if (is_inline())
		CHECK_OK(softdpu_clock_advance(LATER_NS));
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE && server.num_disconnected == 1);
	check_failed(&client, MESSAGES, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(received, 0);
	close_sides();
}

/* The client stops before its HELLO leaves, or the server before its WELCOME does. */
static void starts_end(void)
{
	create_sides();
	CHECK_OK(softdpu_faults_set(stalled));
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	progress_all();
	side_stop(&client, &server);
	CHECK_EQ(server.num_connected, 0);
	CHECK_OK(softdpu_faults_set("comch-link:delay=3600s:nth=2"));
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(server.num_connected == 1);
	progress_all();
	CHECK_EQ(side_state(&client), DOCA_CTX_STATE_STARTING);
	side_stop(&server, NULL);
	server.num_connected = 0;
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(client.client), DOCA_ERROR_CONNECTION_ABORTED);
	close_sides();
}

/* A consumer ends before the packets that announce it and its end leave. */
static void consumer_stops(void)
{
	open_sides();
	CHECK_OK(softdpu_faults_set(stalled));
	data_create_consumer(&consumer, &client, client.pe);
	for (int i = 0; i < 2; i++) {
		CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
		progress_all();
		CHECK_EQ(data_state(&consumer), DOCA_CTX_STATE_STARTING);
		data_stop(&consumer, &server, &client);
	}
	data_close(&consumer);
	side_stop(&client, &server);
	CHECK_EQ(server.num_consumers, 0);
	close_sides();
}

/* No message waits, but packets that announce a consumer and its end do: the server disconnects. */
static void server_disconnects(void)
{
	open_sides();
	CHECK_OK(softdpu_faults_set(stalled));
	data_create_consumer(&consumer, &server, server.pe);
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	data_stop(&consumer, &server, &client);
	data_close(&consumer);
	CHECK_OK(doca_comch_server_disconnect(server.server, server.connection));
	server.num_connected = 0; /* the server gets no event for this end */
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(client.num_consumers, 0);
	close_sides();
}

/* The cause of a refusal is not delayed. */
static void client_is_refused(void)
{
	struct side second;

	CHECK_OK(softdpu_set_max_clients(1));
	open_sides();
	CHECK_OK(softdpu_faults_set(stalled));
	side_create_client(&second, name);
	CHECK_ERROR(doca_ctx_start(second.ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(&server, &second, side_state(&second) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(second.client), DOCA_ERROR_FULL);
	side_close(&second, &server);
	close_sides();
	CHECK_OK(softdpu_set_max_clients(512));
}

/* Another process: a client with a stalled link, or without. */
static int run_client(const char *plan)
{
	char byte;

	side_create_client(&client, name);
	side_connect(NULL, &client);
	CHECK_OK(softdpu_faults_set(plan));
	if (*plan != '\0')
		send_messages(&client);
	report('!');
	while (!has_byte(&byte))
		side_progress(&client);
	return 2; /* the parent did not kill it */
}

/* A peer dies while this side, or the peer, holds packets. */
static void peer_dies(const char *own_plan, const char *plan)
{
	struct child child;

	received = 0;
	side_create_server(&server, name);
	server.on_message = check_order;
	CHECK_OK(doca_ctx_start(server.ctx));
	child = child_start("client", plan);
	child_await(&child, '!', &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_connected == 1);
	CHECK_OK(softdpu_faults_set(own_plan));
	if (*own_plan != '\0')
		send_messages(&server);
	child_kill(&child);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == 1);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_failed == (*own_plan != '\0' ? MESSAGES : 0));
	CHECK_EQ(received + server.num_sent, 0);
	child_close(&child, SIGKILL, NULL);
	softdpu_faults_clear();
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

static void nothing_waits(void)
{
	int before = count_descriptors();

	client_stops();
	server_stops();
	link_goes_down();
	device_is_lost();
	starts_end();
	consumer_stops();
	server_disconnects();
	client_is_refused();
	peer_dies(stalled, "");
	peer_dies("", stalled);
	CHECK_EQ(count_descriptors(), before);
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return run_client(argv[2]);
	make_own_folder();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the refusal and the lost device log lines */
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	nothing_waits();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	softdpu_clock_set_manual(1); /* the clock must not jump by an hour */
	nothing_waits();
	softdpu_clock_set_manual(0);
	remove_own_folder();
	return 0;
}
