/* The fault plan delays packets of a connection. They arrive later, in order, and no packet overtakes another one. */
#include "slow_link.h"

enum { DELAY_NS = 20000000 };

static void check_delayed(uint64_t expected)
{
	struct softdpu_fault_counters counters;

	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.delayed, expected);
}

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

int main(void)
{
	make_own_folder();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	delays_end();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	delays_end();
	clock_is_manual();
	remove_own_folder();
	return 0;
}
