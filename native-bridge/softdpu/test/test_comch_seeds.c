/*
 * Inline execution with both sides in one process. The same seed gives the same events in the same order at the same times.
 * Other threads and the number of empty progress calls do not matter. Other seeds give other orders.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "comch_data.h"

enum { CLIENTS = 3, MESSAGES = 12, BLOCKS = 6, SEEDS = 10, TRACE = 1 << 16 };

static char trace[TRACE];
static size_t trace_len;
static struct side server, clients[CLIENTS];
static struct data consumer, producer;

static void note(const char *who, const char *what, long long number)
{
	int len = snprintf(trace + trace_len, TRACE - trace_len, "%llu %s %s %lld\n", (unsigned long long)softdpu_clock_now(), who,
			   what, number);

	CHECK(len > 0 && (size_t)len < TRACE - trace_len);
	trace_len += (size_t)len;
}

static const char *name_of(const struct side *side)
{
	static const char *const names[CLIENTS] = { "client 0", "client 1", "client 2" };

	return side == &server ? "server" : names[side - clients];
}

static void on_message(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	CHECK(len == 2);
	note(name_of(side), "message", bytes[0] * 100 + bytes[1]);
	if (side != &server)
		return;
	side->connection = connection;
	CHECK_OK(side_send(side, bytes, len));
}

static void on_connect(struct side *side, struct doca_comch_connection *connection, uint8_t successful)
{
	(void)connection;
	CHECK(successful);
	note(name_of(side), "connected", side->num_connected);
}

static void on_disconnect(struct side *side, struct doca_comch_connection *connection)
{
	(void)connection;
	note(name_of(side), "disconnected", side->num_disconnected);
}

static void on_state(struct side *side, enum doca_ctx_states next)
{
	note(name_of(side), "state", next);
}

static void on_block(struct data *data, struct doca_task *task)
{
	CHECK_OK(doca_task_get_status(task));
	note(data == &consumer ? "consumer" : "producer", "block", (long long)doca_task_get_user_data(task).u64);
	doca_task_free(task);
}

static uint32_t vain_calls;

/* A second progress without events returns 0. */
static void progress_one(struct side *side)
{
	if (side_progress(side))
		return;
	for (uint32_t i = 0; i < vain_calls; i++)
		CHECK_EQ(side_progress(side), 0);
}

static void progress_all(void)
{
	progress_one(&server);
	for (int i = 0; i < CLIENTS; i++)
		progress_one(&clients[i]);
}

#define ALL_UNTIL(condition)                                                         \
	do {                                                                         \
		uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;               \
		while (!(condition)) {                                               \
			progress_all();                                              \
			CHECK(rig_now_ms() < deadline);                              \
		}                                                                    \
	} while (0)

static uint8_t is_each(int (*number)(const struct side *client), int wanted)
{
	for (int i = 0; i < CLIENTS; i++)
		if (number(&clients[i]) != wanted)
			return 0;
	return 1;
}

static int state_of(const struct side *client)
{
	return (int)side_state(client);
}

static int received_by(const struct side *client)
{
	return client->num_received;
}

static void open_all(void)
{
	side_create_server(&server, "seeds");
	server.on_message = on_message;
	server.on_connect = on_connect;
	server.on_disconnect = on_disconnect;
	CHECK_OK(doca_ctx_start(server.ctx));
	for (int i = 0; i < CLIENTS; i++) {
		side_create_client(&clients[i], "seeds");
		clients[i].on_message = on_message;
		clients[i].on_state = on_state;
		CHECK_ERROR(doca_ctx_start(clients[i].ctx), DOCA_ERROR_IN_PROGRESS);
	}
	ALL_UNTIL(is_each(state_of, DOCA_CTX_STATE_RUNNING));
}

static void exchange_messages(void)
{
	for (uint8_t n = 0; n < MESSAGES; n++)
		for (uint8_t i = 0; i < CLIENTS; i++)
			CHECK_OK(side_send(&clients[i], (uint8_t[]){ i, n }, 2));
	ALL_UNTIL(is_each(received_by, MESSAGES));
}

static void transfer(void)
{
	data_create_consumer(&consumer, &clients[1], clients[2].pe); /* on another engine than its connection */
	consumer.on_ended = on_block;
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	ALL_UNTIL(data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	for (uint64_t n = 0; n < BLOCKS; n++)
		CHECK_OK(data_post(&consumer, n, DATA_SLOT));
	note("server", "consumer", server.new_ids[0]);
}

static void send_blocks(struct doca_comch_connection *to_client)
{
	server.connection = to_client;
	data_open_producer(&producer, &server, server.pe);
	producer.on_ended = on_block;
	for (uint64_t n = 0; n < BLOCKS; n++) {
		CHECK_OK(data_send(&producer, n, 100, NULL, 0, consumer.id));
		CHECK_OK(side_send(&clients[0], (uint8_t[]){ 0, (uint8_t)(50 + n) }, 2));
	}
	ALL_UNTIL(consumer.completed == BLOCKS && producer.completed == BLOCKS && clients[0].num_received == MESSAGES + BLOCKS);
	data_stop(&producer, &server, NULL);
	data_close(&producer);
	CHECK_ERROR(doca_ctx_stop(consumer.ctx), DOCA_SUCCESS);
	data_close(&consumer);
}

static void close_all(void)
{
	for (int i = 0; i < CLIENTS; i++)
		CHECK_ERROR(doca_ctx_stop(clients[i].ctx), DOCA_ERROR_IN_PROGRESS);
	ALL_UNTIL(is_each(state_of, DOCA_CTX_STATE_IDLE) && server.num_disconnected == CLIENTS);
	for (int i = 0; i < CLIENTS; i++)
		side_close(&clients[i], NULL);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

static struct doca_comch_connection *connection_of_client_1;

static void find_connection(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	if (bytes[0] == 1)
		connection_of_client_1 = connection;
	on_message(side, connection, bytes, len);
}

static void run(uint64_t seed)
{
	trace_len = 0;
	memset(trace, 0, sizeof(trace));
	CHECK_OK(softdpu_set_seed(seed));
	CHECK_OK(softdpu_faults_set("comch-send:delay=5us:p=0.3 ; comch-post-recv:delay=20us:p=0.3"));
	open_all();
	server.on_message = find_connection;
	exchange_messages();
	transfer();
	send_blocks(connection_of_client_1);
	close_all();
	softdpu_faults_clear();
}

/* Threads that compete for processors, like other programs. */
static _Atomic uint8_t is_over;

static void *disturb(void *argument)
{
	(void)argument;
	while (!atomic_load(&is_over))
		sched_yield();
	return NULL;
}

int main(void)
{
	static char first[TRACE], once[TRACE];
	pthread_t threads[2];
	int different = 0;

	make_own_folder();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	run(1);
	memcpy(first, trace, sizeof(first));
	CHECK(strstr(first, "producer block 5") != NULL && strstr(first, "server disconnected 3") != NULL);
	for (int i = 0; i < 2; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, disturb, NULL), 0);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		vain_calls = 0;
		run(seed);
		memcpy(once, trace, sizeof(once));
		different += strcmp(once, first) != 0;
		vain_calls = 20;
		run(seed);
		CHECK(strcmp(once, trace) == 0);
	}
	CHECK_EQ(different, SEEDS - 1);
	atomic_store(&is_over, 1);
	for (int i = 0; i < 2; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	remove_own_folder();
	return 0;
}
