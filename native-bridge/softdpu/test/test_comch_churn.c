/*
 * Clients connect and disconnect, as contexts of one process and as processes; some processes are killed. Each client exchanges
 * messages, every fourth also data. At the end, the server and the lasting client have the same resources as after the first
 * tenth. Long: test_comch_churn 20000
 */
#include "comch_process.h"
#include "flat.h"

enum { CYCLES = 300, CONTEXTS_PER_PROCESS = 9, WARM_UP_PARTS = 10, WITH_DATA = 4 };

static const char name[] = "churn";

/* @name Clients */
/* @{ */
static void exchange_data(struct side *client)
{
	struct data consumer;

	data_create_consumer(&consumer, client, client->pe);
	data_start_consumer(&consumer, client, NULL);
	CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
	CHECK_OK(side_send(client, "data", 4));
	RIG_PROGRESS_UNTIL(client->pe, consumer.completed == 1);
	CHECK_EQ(consumer.memory[0], 0x5a);
	data_stop(&consumer, client, NULL);
	data_close(&consumer);
}

/* Half of the clients disconnect; the server disconnects the others. */
static void come_and_go(uint64_t n)
{
	struct side client;

	side_create_client(&client, name);
	side_connect(NULL, &client);
	if (n % WITH_DATA == 0)
		exchange_data(&client);
	CHECK_OK(side_send(&client, n % 2 ? "stay" : "away", 4));
	RIG_PROGRESS_UNTIL(client.pe, n % 2 ? client.num_received > 0 : side_state(&client) == DOCA_CTX_STATE_IDLE);
	side_close(&client, NULL);
}

static int run_contexts(uint64_t count)
{
	struct flat before = { 0 };

	for (uint64_t n = 0; n < count; n++) {
		if (n == count / WARM_UP_PARTS)
			before = flat_now();
		come_and_go(n);
	}
	flat_print("client, after the first tenth", before);
	flat_print("client, in the end           ", flat_now());
	flat_check(before);
	rig_check_nothing_is_left();
	return 0;
}

static int run_one(uint64_t n)
{
	if (n % 3 == 0) { /* the parent kills this client */
		struct side client;
		char byte;

		side_create_client(&client, name);
		side_connect(NULL, &client);
		report('!');
		while (!has_byte(&byte))
			side_progress(&client);
	}
	come_and_go(n);
	report('!');
	return 0;
}
/* @} */

/* @name Server */
/* @{ */
static void send_data(struct side *server, uint32_t consumer_id)
{
	struct data producer;

	data_open_producer(&producer, server, server->pe);
	memset(producer.memory, 0x5a, DATA_SLOT);
	SIDE_PROGRESS_UNTIL(server, NULL, data_send(&producer, 0, DATA_SLOT, NULL, 0, consumer_id) == DOCA_SUCCESS);
	SIDE_PROGRESS_UNTIL(server, NULL, producer.completed + producer.failed == 1);
	data_stop(&producer, server, NULL);
	data_close(&producer);
}

static struct doca_comch_connection *asks_for_data, *is_sent_away;

static void on_message(struct side *server, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	CHECK_EQ(len, 4);
	server->connection = connection;
	if (memcmp(bytes, "data", 4) == 0)
		asks_for_data = connection;
	else if (memcmp(bytes, "away", 4) == 0)
		is_sent_away = connection;
	else
		CHECK_OK(side_send(server, bytes, len));
}

static int num_sent_away;

static void go_on(struct side *server)
{
	if (!side_progress(server))
		sched_yield();
	if (asks_for_data != NULL) {
		asks_for_data = NULL;
		send_data(server, server->new_ids[(server->num_consumers - 1) % COMCH_MAX_IDS]);
	}
	if (is_sent_away != NULL && doca_comch_server_disconnect(server->server, is_sent_away) == DOCA_SUCCESS) {
		is_sent_away = NULL;
		num_sent_away++;
	}
}

static void await_end(struct side *server, struct child *child, uint8_t is_killed)
{
	struct pollfd pipe_fd = { .fd = child->from, .events = POLLIN };
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;
	int connected = server->num_connected;

	while (poll(&pipe_fd, 1, 0) == 0 || (connected != 0 && server->num_connected != server->num_disconnected + num_sent_away)) {
		go_on(server);
		if (server->num_connected != connected) { /* progress: restart the time limit */
			connected = server->num_connected;
			deadline = rig_now_ms() + RIG_LIMIT_S * 1000;
		}
		if (is_killed && (pipe_fd.revents & POLLIN)) {
			child_kill(child);
			is_killed = 0;
		}
		CHECK(rig_now_ms() < deadline);
	}
}

static void serve(struct side *server, uint64_t processes, uint64_t contexts)
{
	char number[24];
	struct child child;

	for (uint64_t n = 0; n < processes; n++) {
		uint8_t is_killed = n % 3 == 0;

		snprintf(number, sizeof(number), "%llu", (unsigned long long)n);
		child = child_start("one", number);
		await_end(server, &child, is_killed);
		child_close(&child, is_killed ? SIGKILL : 0, server);
	}
	snprintf(number, sizeof(number), "%llu", (unsigned long long)contexts);
	child = child_start("many", number);
	await_end(server, &child, 0);
	child_close(&child, 0, server);
}
/* @} */

int main(int argc, char **argv)
{
	uint64_t cycles = argc == 2 ? strtoull(argv[1], NULL, 10) : CYCLES, processes = cycles / (CONTEXTS_PER_PROCESS + 1);
	struct flat before;
	struct side server;

	if (argc > 2)
		return strcmp(argv[1], "one") == 0 ? run_one(strtoull(argv[2], NULL, 10)) : run_contexts(strtoull(argv[2], NULL, 10));
	CHECK(cycles >= CYCLES);
	make_own_folder();
	side_create_server(&server, name);
	server.on_message = on_message;
	CHECK_OK(doca_ctx_start(server.ctx));
	serve(&server, processes / WARM_UP_PARTS, (cycles - processes) / WARM_UP_PARTS);
	before = flat_now();
	serve(&server, processes - processes / WARM_UP_PARTS, (cycles - processes) - (cycles - processes) / WARM_UP_PARTS);
	CHECK_EQ(server.num_connected, cycles);
	flat_print("server, after the first tenth", before);
	flat_print("server, in the end           ", flat_now());
	flat_check(before);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
	remove_own_folder();
	return 0;
}
