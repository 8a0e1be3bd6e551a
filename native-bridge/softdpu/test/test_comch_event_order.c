/*
 * The completion of a send precedes the end of its consumer or connection, also if the peer is fast and the completion is late.
 * Other consumers of the connection do not wait for it.
 */
#include "comch_data.h"

enum { SENDS = 4, TURNS = 100, DELAY_NS = 5000000, ROUNDS = 50, LEN = 1000 };

static struct side server, client;
static struct data producer, consumer;
static int num_completed_at_end;

static void turns(void)
{
	for (int i = 0; i < TURNS; i++) {
		side_progress(&client);
		side_progress(&server);
	}
}

static void disconnected(struct side *side, struct doca_comch_connection *connection)
{
	(void)connection;
	CHECK_EQ(side->num_expired, 1);
	num_completed_at_end = producer.completed;
}

static void open_both(void)
{
	sides_open(&server, &client, "order");
	server.on_disconnect = disconnected;
	data_open_producer(&producer, &server, server.pe);
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	for (uint64_t n = 0; n < SENDS; n++)
		CHECK_OK(data_post(&consumer, n, DATA_SLOT));
}

static void send_all(void)
{
	for (uint64_t n = 0; n < SENDS; n++)
		CHECK_OK(data_send(&producer, n, LEN, NULL, 0, consumer.id));
}

static void client_leaves(struct side *other)
{
	data_stop(&consumer, &client, other);
	data_close(&consumer);
	side_close(&client, other);
}

static void server_ends(void)
{
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == 1);
	CHECK_EQ(num_completed_at_end, SENDS);
	data_stop(&producer, &server, NULL);
	data_close(&producer);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

/* The device delays the completions. The data has arrived, the peer stops, and the event of its end must wait. */
static void completions_are_late(void)
{
	open_both();
	softdpu_clock_set_manual(1);
	CHECK_OK(softdpu_faults_set("comch-producer-send:delay=5ms"));
	send_all();
	turns();
	CHECK_OK(softdpu_clock_advance(DELAY_NS / 2)); /* the copies are due, but not their completions */
	SIDE_PROGRESS_UNTIL(&server, &client, consumer.completed == SENDS);
	CHECK_EQ(consumer.last_data_len, LEN);
	CHECK_EQ(producer.completed, 0);
	client_leaves(&server);
	turns();
	CHECK_EQ(producer.completed, 0);
	CHECK_EQ(server.num_expired, 0);
	CHECK_EQ(server.num_disconnected, 0);
	CHECK_OK(softdpu_clock_advance(DELAY_NS));
	softdpu_faults_clear();
	server_ends();
	softdpu_clock_set_manual(0);
}

/* A second consumer ends while the completions of the first one's sends are missing. */
static void other_consumers_end_at_once(void)
{
	struct data other;

	open_both();
	data_create_consumer(&other, &client, client.pe);
	data_start_consumer(&other, &server, &client);
	softdpu_clock_set_manual(1);
	CHECK_OK(softdpu_faults_set("comch-producer-send:delay=5ms"));
	send_all();
	turns();
	CHECK_OK(softdpu_clock_advance(DELAY_NS / 2));
	SIDE_PROGRESS_UNTIL(&server, &client, consumer.completed == SENDS);
	data_stop(&other, &client, &server);
	SIDE_PROGRESS_UNTIL(&server, &client, server.num_expired == 1);
	CHECK_EQ(server.expired_ids[0], other.id);
	CHECK_EQ(producer.completed, 0);
	data_close(&other);
	CHECK_OK(softdpu_clock_advance(DELAY_NS));
	softdpu_faults_clear();
	server.num_expired = 0;
	SIDE_PROGRESS_UNTIL(&server, &client, producer.completed == SENDS);
	client_leaves(&server);
	server_ends();
	softdpu_clock_set_manual(0);
}

/* In real time, with several completions in the queue of the server's engine before its first progress. */
static void peer_is_fast(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		open_both();
		send_all();
		RIG_PROGRESS_UNTIL(client.pe, consumer.completed == SENDS);
		client_leaves(NULL);
		server_ends();
	}
}

int main(void)
{
	make_own_folder();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	completions_are_late();
	other_consumers_end_at_once();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	peer_is_fast();
	remove_own_folder();
	return 0;
}
