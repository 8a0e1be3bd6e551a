/*
 * A packet between the two sides is lost, because there is no memory for it or because the link goes down. The connection, or the
 * start that needs the packet, ends with an error. No side waits for the lost packet, and the next attempt succeeds.
 */
#include "comch_data.h"
#include "doca_log.h"

/* The packets of a connection, in the order in which the two sides create them. */
enum { HELLO = 1, WELCOME, CONSUMER_NEW, CONSUMER_ACK, CONSUMER_GONE };

static const char name[] = "packets";
static const char no_memory[] = "alloc-packet:fail", link_down[] = "comch-link:down";
static const char *loss;		/* cause of the lost packets */
static struct side server, client;
static struct data consumer;

#define UNTIL(condition) SIDE_PROGRESS_UNTIL(&server, &client, condition)

static void fail_packet(int packet)
{
	char plan[64];

	snprintf(plan, sizeof(plan), "%s:nth=%d", loss, packet);
	CHECK_OK(softdpu_faults_set(plan));
}

static void open_sides(void)
{
	side_create_server(&server, name);
	side_create_client(&client, name);
	CHECK_OK(doca_ctx_start(server.ctx));
}

static void close_sides(void)
{
	struct softdpu_fault_counters counters;

	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.failed, 1);
	softdpu_faults_clear();
	sides_close(&server, &client);
}

/* HELLO or WELCOME: the client's start fails, and the next one succeeds. */
static void fail_greeting(int packet, doca_error_t expected)
{
	open_sides();
	fail_packet(packet);
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(client.client), expected);
	UNTIL(server.num_disconnected == server.num_connected);
	side_connect(&server, &client);
	close_sides();
}

/* Without memory the start of the consumer fails without a trace, and the next one succeeds. */
static void refuse_new(void)
{
	open_sides();
	fail_packet(CONSUMER_NEW);
	side_connect(&server, &client);
	data_create_consumer(&consumer, &client, client.pe);
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_NO_MEMORY);
	data_start_consumer(&consumer, &server, &client);
	data_stop(&consumer, &server, &client);
	data_close(&consumer);
	close_sides();
	CHECK_EQ(server.num_consumers, 1);
	CHECK_EQ(server.num_expired, 1);
}

/* Both sides see the end of the connection: the consumer ends, and the client becomes IDLE. */
static void check_end(void)
{
	UNTIL(server.num_disconnected == 1 && data_state(&consumer) == DOCA_CTX_STATE_IDLE);
	data_close(&consumer);
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	client.num_states = 0;
	side_connect(&server, &client);
	close_sides();
}

/* CONSUMER_NEW over a link, or CONSUMER_ACK: the consumer does not start. */
static void fail_start(int packet)
{
	open_sides();
	fail_packet(packet);
	side_connect(&server, &client);
	data_create_consumer(&consumer, &client, client.pe);
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	check_end();
}

static void fail_gone(void)
{
	open_sides();
	fail_packet(CONSUMER_GONE);
	side_connect(&server, &client);
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	data_stop(&consumer, &server, &client);
	check_end();
}

/* Packets that arrived before the loss count. */
static void messages_before_the_loss(int packet)
{
	open_sides();
	fail_packet(packet);
	side_connect(&server, &client);
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	for (int i = 0; i < 3; i++)
		CHECK_OK(side_send(&client, "before", 6));
	data_stop(&consumer, NULL, &client);
	check_end();
	CHECK_EQ(server.num_received, 3);
}

/* The message at which the link goes down fails, and so does a later one. */
static void lose_message(void)
{
	open_sides();
	side_connect(&server, &client);
	fail_packet(2);
	for (int i = 0; i < 3; i++)
		CHECK_OK(side_send(&client, "message", 7));
	UNTIL(client.num_sent == 1 && client.num_failed == 2);
	CHECK_ERROR(client.last_status, DOCA_ERROR_CONNECTION_RESET);
	UNTIL(server.num_disconnected == 1 && side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(server.num_received, 1);
	side_connect(&server, &client);
	CHECK_OK(side_send(&client, "message", 7));
	UNTIL(server.num_received == 2 && client.num_sent == 2);
	close_sides();
}

static void run_out_of_memory(void)
{
	loss = no_memory;
	fail_greeting(HELLO, DOCA_ERROR_NO_MEMORY);
	fail_greeting(WELCOME, DOCA_ERROR_CONNECTION_ABORTED);
	refuse_new();
	fail_start(CONSUMER_ACK);
	fail_gone();
	messages_before_the_loss(CONSUMER_GONE);
}

static void take_link_down(void)
{
	loss = link_down;
	fail_greeting(HELLO, DOCA_ERROR_CONNECTION_ABORTED);
	fail_greeting(WELCOME, DOCA_ERROR_CONNECTION_ABORTED);
	fail_start(CONSUMER_NEW);
	fail_start(CONSUMER_ACK);
	fail_gone();
	messages_before_the_loss(CONSUMER_GONE + 3);
	lose_message();
}

/* Links of comch only go down or delay. */
static void check_rules(void)
{
	static const char *const bad[] = { "comch-link:fail", "comch-link:delay", "comch-link:drop", "comch-link:down=1" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_ERROR(softdpu_faults_set(bad[i]), DOCA_ERROR_INVALID_VALUE);
}

static void lose_packets(enum softdpu_execution execution)
{
	CHECK_OK(softdpu_set_execution(execution));
	run_out_of_memory();
	take_link_down();
}

int main(void)
{
	make_own_folder();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* each lost packet logs an error */
	check_rules();
	lose_packets(SOFTDPU_EXECUTION_THREADS);
	lose_packets(SOFTDPU_EXECUTION_INLINE);
	remove_own_folder();
	return 0;
}
