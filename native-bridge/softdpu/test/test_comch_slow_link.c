/*
 * The fault plan delays packets of a connection. They arrive later, in order, and no packet overtakes another one. A link that
 * delays for an hour is stalled: no start, stop, disconnect or end of a peer waits for its packets.
 */
#include "comch_process.h"
#include "doca_log.h"

enum { DELAY_NS = 20000000, MESSAGES = 5, LATER_NS = 1000000 };

static const char name[] = "slow link", stalled[] = "comch-link:delay=3600s";
static struct side server, client;
static struct data consumer;
static int received;

#define UNTIL(condition) SIDE_PROGRESS_UNTIL(&server, &client, condition)

static uint8_t is_inline(void)
{
	return softdpu_get_execution() == SOFTDPU_EXECUTION_INLINE;
}

/* Messages have consecutive numbers. */
static void check_order(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)side;
	(void)connection;
	CHECK_EQ(len, 1);
	CHECK_EQ(bytes[0], received);
	received++;
}

static void create_sides(void)
{
	received = 0;
	side_create_server(&server, name);
	side_create_client(&client, name);
	server.on_message = check_order;
	client.on_message = check_order;
	CHECK_OK(doca_ctx_start(server.ctx));
}

static void open_sides(void)
{
	create_sides();
	side_connect(&server, &client);
}

static void close_sides(void)
{
	softdpu_faults_clear();
	sides_close(&server, &client);
}

static void send_messages(struct side *side)
{
	for (uint8_t number = 0; number < MESSAGES; number++)
		CHECK_OK(side_send(side, &number, 1));
}

/* Progresses both sides until they are idle. */
static void progress_all(void)
{
	while (side_progress(&server) || side_progress(&client))
		;
}

static void check_delayed(uint64_t expected)
{
	struct softdpu_fault_counters counters;

	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.delayed, expected);
}

/* @name Delays that end */
/* @{ */
/* The messages before the delayed one arrive at once, the others behind it. */
static void one_packet_is_late(void)
{
	uint64_t begin_ns;

	open_sides();
	CHECK_OK(softdpu_faults_set("comch-link:delay=20ms:nth=2"));
	begin_ns = softdpu_clock_now();
	send_messages(&client);
	UNTIL(received == 2);
	CHECK(softdpu_clock_now() - begin_ns >= DELAY_NS);
	UNTIL(received == MESSAGES && client.num_sent == MESSAGES);
	check_delayed(1);
	close_sides();
}

/* A later packet with a shorter delay waits for an earlier one. */
static void delays_differ(void)
{
	open_sides();
	CHECK_OK(softdpu_faults_set("comch-link:delay=20ms:nth=1 ; comch-link:delay=1ms:nth=2 ; comch-link:delay=5ms:nth=4"));
	send_messages(&client);
	UNTIL(received == MESSAGES);
	check_delayed(3);
	close_sides();
}

/* HELLO, WELCOME, CONSUMER_NEW, CONSUMER_ACK, a message, CONSUMER_GONE. */
static void all_packets_are_late(void)
{
	create_sides();
	CHECK_OK(softdpu_faults_set("comch-link:delay=1ms"));
	side_connect(&server, &client);
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	CHECK_EQ(server.num_consumers, 1);
	CHECK_OK(side_send(&client, "\0", 1));
	data_stop(&consumer, &server, &client);
	data_close(&consumer);
	UNTIL(received == 1 && server.num_expired == 1);
	check_delayed(6);
	close_sides();
}

/* The server may disconnect when the packets have left, and the client receives them first. */
static void disconnect_waits(void)
{
	doca_error_t result;

	open_sides();
	CHECK_OK(softdpu_faults_set("comch-link:delay=20ms:nth=3"));
	send_messages(&server);
	CHECK_ERROR(doca_comch_server_disconnect(server.server, server.connection), DOCA_ERROR_AGAIN);
	UNTIL((result = doca_comch_server_disconnect(server.server, server.connection)) != DOCA_ERROR_AGAIN);
	CHECK_OK(result);
	server.num_connected = 0; /* the server gets no event for this end */
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE && server.num_sent == MESSAGES);
	CHECK_EQ(received, MESSAGES);
	close_sides();
}

static void await_signal(struct side *side)
{
	struct pollfd fd = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(side->pe, &fd.fd));
	CHECK_EQ(poll(&fd, 1, RIG_LIMIT_S * 1000), 1);
	CHECK_OK(doca_pe_clear_notification(side->pe, fd.fd));
	while (side_progress(side))
		;
}

static void arm(void)
{
	CHECK_OK(doca_pe_request_notification(server.pe));
	CHECK_OK(doca_pe_request_notification(client.pe));
}

/* Both programs sleep: the sender wakes when its packet leaves, the receiver when the packet arrives. */
static void packets_wake_programs(uint8_t sends_first)
{
	open_sides();
	progress_all();
	CHECK_OK(softdpu_faults_set("comch-link:delay=20ms:nth=1"));
	if (!sends_first)
		arm();
	CHECK_OK(side_send(&client, "\0", 1));
	if (sends_first)
		arm();
	await_signal(&client);
	CHECK_EQ(client.num_sent, 1);
	await_signal(&server);
	CHECK_EQ(received, 1);
	close_sides();
}

/* The child has copies of the packets. It lives longer than their delay, and does not send them: no number arrives twice. */
static void process_forks(void)
{
	const uint8_t next = MESSAGES;
	int status, ends[2];
	char byte;
	pid_t pid;

	open_sides();
	CHECK_OK(softdpu_faults_set("comch-link:delay=20ms:nth=1"));
	send_messages(&client);
	CHECK(pipe(ends) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	close(ends[0]);
	UNTIL(received == MESSAGES && client.num_sent == MESSAGES);
	CHECK_OK(softdpu_faults_set("comch-link:delay=20ms:nth=1"));
	CHECK_OK(side_send(&client, &next, 1));
	UNTIL(received == MESSAGES + 1 && client.num_sent == MESSAGES + 1);
	close(ends[1]);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	progress_all();
	CHECK_EQ(received, MESSAGES + 1);
	close_sides();
}

/* With a manual clock, a packet leaves at its time, and not before. */
static void clock_is_manual(void)
{
	uint64_t due_ns;

	open_sides();
	softdpu_clock_set_manual(1);
	progress_all();
	CHECK_EQ(softdpu_clock_get_next(), UINT64_MAX);
	CHECK_OK(softdpu_faults_set("comch-link:delay=20ms:nth=2"));
	send_messages(&client);
	due_ns = softdpu_clock_get_next();
	CHECK_EQ(due_ns, softdpu_clock_now() + DELAY_NS);
	CHECK_OK(softdpu_clock_advance(DELAY_NS - 1));
	progress_all();
	CHECK_EQ(received, 1);
	CHECK_EQ(softdpu_clock_get_next(), due_ns);
	CHECK_OK(doca_pe_request_notification(client.pe));
	CHECK_OK(softdpu_clock_advance(1));
	await_signal(&client);
	CHECK_EQ(client.num_sent, MESSAGES);
	CHECK_EQ(softdpu_clock_get_next(), UINT64_MAX);
	progress_all();
	CHECK_EQ(received, MESSAGES);
	softdpu_clock_set_manual(0);
	close_sides();
}

static void delays_end(void)
{
	one_packet_is_late();
	delays_differ();
	all_packets_are_late();
	disconnect_waits();
	packets_wake_programs(0);
	packets_wake_programs(1);
	process_forks();
}
/* @} */

/* @name Stalled links */
/* @{ */
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
/* @} */

int main(int argc, char **argv)
{
	if (argc > 2)
		return run_client(argv[2]);
	make_own_folder();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the refusal and the lost device log lines */
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	delays_end();
	nothing_waits();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	delays_end();
	clock_is_manual();
	softdpu_clock_set_manual(1); /* the clock must not jump by an hour */
	nothing_waits();
	softdpu_clock_set_manual(0);
	remove_own_folder();
	return 0;
}
