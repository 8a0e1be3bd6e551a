/* Host and DPU in two processes: messages and data in both directions, directly between the memories and through sockets. */
#include "comch_process.h"

enum { ROUNDS = 50, PINGS = 500 };

static const char name[] = "two processes";

static void fill(uint8_t *bytes, size_t len, uint64_t n)
{
	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)(n * 7 + i * 13 + i / 251);
}

static size_t len_of(uint64_t n)
{
	return 1 + n * 7919 % DATA_SLOT;
}

static void answer(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)connection;
	CHECK_OK(side_send(side, bytes, len)); /* within the callback, whose buffer becomes invalid afterwards */
}

/* Sends blocks to the first consumer of the other side. */
static void send_blocks(struct side *side, struct side *other)
{
	struct data producer;

	SIDE_PROGRESS_UNTIL(side, other, side->num_consumers >= 1);
	data_open_producer(&producer, side, side->pe);
	for (uint64_t n = 0; n < ROUNDS; n++) {
		uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;

		SIDE_PROGRESS_UNTIL(side, other, producer.completed + DATA_TASKS > (int)n); /* the slot is free again */
		fill(producer.memory + n % DATA_SLOTS * DATA_SLOT, len_of(n), n);
		while (data_send(&producer, n, len_of(n), &n, sizeof(n), side->new_ids[0]) == DOCA_ERROR_AGAIN)
			CHECK(rig_now_ms() < deadline); /* without progress */
	}
	SIDE_PROGRESS_UNTIL(side, other, producer.completed == ROUNDS);
	data_stop(&producer, side, other);
	data_close(&producer);
}

static void check_block(struct data *data, struct doca_task *task)
{
	static uint8_t wanted[DATA_SLOT];
	uint64_t n = doca_task_get_user_data(task).u64, sent;

	CHECK_OK(doca_task_get_status(task));
	CHECK_EQ(data->last_imm_len, sizeof(sent));
	memcpy(&sent, data->last_imm, sizeof(sent));
	CHECK_EQ(sent, n);
	CHECK_EQ(data->last_data_len, len_of(n));
	fill(wanted, len_of(n), n);
	CHECK(memcmp(wanted, data->memory + n % DATA_SLOTS * DATA_SLOT, len_of(n)) == 0);
	doca_task_free(task);
}

static void receive_blocks(struct side *side)
{
	struct data consumer;
	uint64_t posted = 0;

	data_create_consumer(&consumer, side, side->pe);
	consumer.on_ended = check_block;
	data_start_consumer(&consumer, side, NULL);
	while (consumer.completed < ROUNDS) {
		int completed = consumer.completed;

		while (posted < ROUNDS && (int)posted < completed + 3)
			CHECK_OK(data_post(&consumer, posted++, DATA_SLOT));
		RIG_PROGRESS_UNTIL(side->pe, consumer.completed > completed);
	}
	data_stop(&consumer, side, NULL);
	data_close(&consumer);
}

/* The host: sends a request, receives data, sends data. */
static int run_client(void)
{
	struct side client;
	uint8_t message[SIDE_MESSAGE];

	side_create_client(&client, name);
	side_connect(NULL, &client);
	for (int i = 0; i < PINGS; i++) {
		uint32_t len = 1 + (uint32_t)i * 61 % SIDE_MESSAGE;

		fill(message, len, (uint64_t)i);
		CHECK_OK(side_send(&client, message, len));
		RIG_PROGRESS_UNTIL(client.pe, client.num_received == i + 1);
		CHECK_EQ(client.last_len, len);
		CHECK(memcmp(client.last_message, message, len) == 0);
	}
	receive_blocks(&client);
	send_blocks(&client, NULL);
	side_close(&client, NULL);
	rig_check_nothing_is_left();
	return 0;
}

static void serve(const char *quirks)
{
	struct side server;
	struct child child;

	CHECK_OK(softdpu_quirks_set(quirks));
	CHECK(setenv("SOFTDPU_QUIRKS", quirks, 1) == 0);
	side_create_server(&server, name);
	server.on_message = answer;
	CHECK_OK(doca_ctx_start(server.ctx));
	child = child_start("client", "");
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_received == PINGS);
	send_blocks(&server, NULL);
	receive_blocks(&server);
	child_close(&child, 0, &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == 1);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

int main(int argc, char **argv)
{
	int before;

	if (argc > 1 && strcmp(argv[1], "client") == 0)
		return run_client();
	make_own_folder();
	before = count_descriptors();
	serve("");
	serve("no-direct-copy");
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
