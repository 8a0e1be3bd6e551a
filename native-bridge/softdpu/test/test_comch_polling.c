/*
 * A program polls, sleeps, and polls again. No message is lost, duplicated, reordered or late on the way between the threads
 * that deliver it. Messages are delivered although another context always has events.
 */
#include <poll.h>
#include <pthread.h>

#include "comch_data.h"
#include "sd_random.h"

enum { MESSAGES = 2000, WINDOW = 8, BLOCKS = 1000, LONGEST_SPIN = 400, SPIN_TO_POLL = 200, CIRCULATING = 16 };
enum { LATE_MS = 1000 * RIG_LIMIT_S };

static struct side server, client;
static struct data consumer, producer;
static uint64_t next_at_server, next_at_client;

/* One engine: polls without result for a random time, then sleeps until it is woken. */
struct sleeper {
	struct doca_pe *pe;
	uint64_t random;
	uint32_t spins;
	_Atomic int num_sleeps;
};

static struct sleeper at_server = { .random = 2 };

static void rest(struct sleeper *sleeper)
{
	struct pollfd handle = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(sleeper->pe, &handle.fd));
	CHECK_OK(doca_pe_request_notification(sleeper->pe));
	sleeper->num_sleeps++;
	CHECK_EQ(poll(&handle, 1, LATE_MS), 1);
	CHECK_OK(doca_pe_clear_notification(sleeper->pe, handle.fd));
}

static void turn(struct sleeper *sleeper)
{
	if (doca_pe_progress(sleeper->pe))
		return;
	if (sleeper->spins-- > 0) {
		sched_yield();
		return;
	}
	sleeper->spins = (uint32_t)(sd_random_next(&sleeper->random) % LONGEST_SPIN);
	rest(sleeper);
}

static void echo(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)connection;
	CHECK(memcmp(bytes, &next_at_server, sizeof(next_at_server)) == 0);
	next_at_server++;
	CHECK_OK(side_send(side, bytes, len));
}

static void take(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)side;
	(void)connection;
	(void)len;
	CHECK(memcmp(bytes, &next_at_client, sizeof(next_at_client)) == 0);
	next_at_client++;
}

static void *run_server(void *argument)
{
	uint64_t sent = 0;

	(void)argument;
	while (server.num_disconnected == 0) {
		if (sent < BLOCKS && producer.completed + 1 > (int)sent &&
		    data_send(&producer, 0, 1 + sent % DATA_SLOT, &sent, sizeof(sent), consumer.id) == DOCA_SUCCESS)
			sent++;
		if (sent < BLOCKS && producer.completed == (int)sent)
			doca_pe_progress(server.pe); /* a producer without credit is not woken: the program retries */
		else
			turn(&at_server);
	}
	CHECK_EQ(sent, BLOCKS);
	return NULL;
}

static void check_block(struct data *data, struct doca_task *task)
{
	uint64_t n;

	memcpy(&n, data->last_imm, sizeof(n));
	CHECK_OK(doca_task_get_status(task));
	CHECK_EQ(n, data->completed - 1);
	CHECK_EQ(data->last_data_len, 1 + n % DATA_SLOT);
	doca_task_free(task);
}

static void run_client(void)
{
	struct sleeper sleeper = { .pe = client.pe, .random = 1 };
	uint64_t sent = 0, posted = 0;

	while (next_at_client < MESSAGES || consumer.completed < BLOCKS) {
		while (sent < MESSAGES && sent < next_at_client + WINDOW && side_send(&client, &sent, sizeof(sent)) == DOCA_SUCCESS)
			sent++;
		while (posted < BLOCKS && posted < (uint64_t)consumer.completed + 2)
			CHECK_OK(data_post(&consumer, posted++, DATA_SLOT));
		turn(&sleeper);
	}
	CHECK(sleeper.num_sleeps > 0);
}

static void go_to_and_fro(void)
{
	pthread_t thread;

	sides_open(&server, &client, "to and fro");
	server.on_message = echo;
	client.on_message = take;
	data_create_consumer(&consumer, &client, client.pe);
	consumer.on_ended = check_block;
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	at_server.pe = server.pe;
	at_server.num_sleeps = 0;
	CHECK_EQ(pthread_create(&thread, NULL, run_server, NULL), 0);
	run_client();
	RIG_PROGRESS_UNTIL(client.pe, at_server.num_sleeps > 0); /* a busy server sleeps at last when all have arrived */
	CHECK_ERROR(doca_ctx_stop(consumer.ctx), DOCA_SUCCESS);
	data_close(&consumer);
	side_stop(&client, NULL);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	data_stop(&producer, &server, NULL);
	data_close(&producer);
	side_close(&client, NULL);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

/* Both sides answer every message, so both engines always have events. */
static int num_ticks;

static void tick(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)connection;
	num_ticks++;
	if (side->test != NULL)
		CHECK_OK(side_send(side, bytes, len));
}

/* A consumer on the engine of a busy server also gets its turn. */
static void take_turns(void)
{
	int noticed_after;

	sides_open(&server, &client, "turns");
	data_create_consumer(&consumer, &client, server.pe);
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, client.pe);
	CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
	for (int i = 0; i < SPIN_TO_POLL; i++)
		CHECK_EQ(side_progress(&server), 0);
	server.on_message = tick;
	client.on_message = tick;
	server.test = &server;
	client.test = &client;
	for (int i = 0; i < CIRCULATING; i++)
		CHECK_OK(side_send(&client, "tick", 4));
	SIDE_PROGRESS_UNTIL(&server, &client, num_ticks > 10 * CIRCULATING);
	CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	noticed_after = num_ticks;
	SIDE_PROGRESS_UNTIL(&server, &client, consumer.completed == 1);
	CHECK(num_ticks - noticed_after < 10 * CIRCULATING);
	server.test = NULL;
	client.test = NULL;
	SIDE_PROGRESS_UNTIL(&server, &client, server.num_sent + client.num_sent == num_ticks && producer.completed == 1);
	data_stop(&consumer, &server, &client);
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	sides_close(&server, &client);
}

int main(void)
{
	make_own_folder();
	go_to_and_fro();
	take_turns();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE)); /* other threads only wake the program */
	next_at_server = 0;
	next_at_client = 0;
	go_to_and_fro();
	remove_own_folder();
	return 0;
}
