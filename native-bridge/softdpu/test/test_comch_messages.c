/*
 * Messages arrive whole and in order, in both directions, up to the smaller size limit of both sides. The submission copies
 * them.
 */
#include "comch_rig.h"

enum { COUNT = 1000, SMALL = 100 };

struct check {
	uint32_t next;
	uint8_t is_shaken;
};

static uint32_t len_of(uint32_t n)
{
	return 8 + n * 37 % (SIDE_MESSAGE - 8);
}

static void fill(uint8_t *bytes, uint32_t n)
{
	for (uint32_t i = 0; i < len_of(n); i++)
		bytes[i] = (uint8_t)(n * 31 + i);
	memcpy(bytes, &n, sizeof(n));
}

static void check_message(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	struct check *check = side->test;
	uint8_t wanted[SIDE_MESSAGE];

	CHECK(connection == side->connection);
	fill(wanted, check->next);
	CHECK_EQ(len, len_of(check->next));
	CHECK(memcmp(bytes, wanted, len) == 0);
	check->next++;
}

/* All messages use one block of memory, which is overwritten after each submission. */
static void send_all(struct side *from, struct side *to)
{
	struct check check = { 0 };
	uint8_t message[SIDE_MESSAGE];
	uint32_t n = 0;

	to->test = &check;
	to->on_message = check_message;
	from->num_sent = 0;
	while (n < COUNT) {
		doca_error_t result;

		fill(message, n);
		result = side_send(from, message, len_of(n));
		memset(message, 0xdd, sizeof(message));
		if (result == DOCA_SUCCESS) {
			n++;
			continue;
		}
		CHECK_ERROR(result, DOCA_ERROR_NO_MEMORY);
		SIDE_PROGRESS_UNTIL(from, to, from->num_sent > (int)n - COMCH_TASKS);
	}
	SIDE_PROGRESS_UNTIL(from, to, check.next == COUNT);
	SIDE_PROGRESS_UNTIL(from, to, from->num_sent == COUNT);
	to->on_message = NULL;
}

static void check_counters(struct side *side, uint64_t sent, uint64_t received)
{
	uint64_t value, bytes = 0;

	for (uint32_t n = 0; n < COUNT; n++)
		bytes += len_of(n);
	CHECK_OK(doca_comch_connection_get_counter(side->connection, DOCA_COMCH_COUNTER_SENT_MESSAGES, &value));
	CHECK_EQ(value, 0); /* value of the last update */
	CHECK_OK(doca_comch_connection_update_info(side->connection));
	CHECK_OK(doca_comch_connection_get_counter(side->connection, DOCA_COMCH_COUNTER_SENT_MESSAGES, &value));
	CHECK_EQ(value, sent);
	CHECK_OK(doca_comch_connection_get_counter(side->connection, DOCA_COMCH_COUNTER_RECV_MESSAGES, &value));
	CHECK_EQ(value, received);
	CHECK_OK(doca_comch_connection_get_counter(side->connection, DOCA_COMCH_COUNTER_SENT_BYTES, &value));
	CHECK_EQ(value, bytes);
	CHECK_OK(doca_comch_connection_get_counter(side->connection, DOCA_COMCH_COUNTER_RECV_BYTES, &value));
	CHECK_EQ(value, bytes);
	CHECK_ERROR(doca_comch_connection_get_counter(side->connection, 5, &value), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_connection_get_counter(side->connection, 0, &value), DOCA_ERROR_INVALID_VALUE);
}

static void check_connection(struct side *server, struct side *client)
{
	union doca_data data = { .u64 = 42 };

	CHECK_EQ(server->num_connected, 1);
	CHECK(doca_comch_server_get_server_ctx(server->connection) == server->server);
	CHECK(doca_comch_client_get_client_ctx(server->connection) == NULL);
	CHECK(doca_comch_client_get_client_ctx(client->connection) == client->client);
	CHECK(doca_comch_server_get_server_ctx(client->connection) == NULL);
	CHECK_EQ(doca_comch_connection_get_user_data(client->connection).u64, 0);
	CHECK_OK(doca_comch_connection_set_user_data(client->connection, data));
	CHECK_EQ(doca_comch_connection_get_user_data(client->connection).u64, 42);
	CHECK_EQ(doca_comch_connection_get_user_data(server->connection).u64, 0);
}

static void check_sizes(void)
{
	struct doca_comch_task_send *task;
	struct side server, client;
	uint8_t message[SIDE_MESSAGE] = { 0 };

	side_create_server(&server, "sizes");
	side_create_client(&client, "sizes");
	CHECK_OK(doca_comch_server_set_max_msg_size(server.server, SMALL));
	CHECK_OK(doca_ctx_start(server.ctx));
	side_connect(&server, &client);
	CHECK_ERROR(side_alloc(&client, message, SMALL + 1, &task), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(side_alloc(&server, message, SMALL + 1, &task), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(side_alloc(&client, message, 0, &task), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(side_send(&client, message, SMALL));
	CHECK_OK(side_send(&server, message, 1));
	SIDE_PROGRESS_UNTIL(&server, &client, server.num_received == 1 && client.num_received == 1);
	CHECK_EQ(server.last_len, SMALL);
	CHECK_EQ(client.last_len, 1);
	sides_close(&server, &client);
}

int main(void)
{
	struct side server, client;
	int before;

	make_own_folder();
	before = count_descriptors();
	sides_open(&server, &client, "messages");
	check_connection(&server, &client);
	send_all(&client, &server);
	send_all(&server, &client);
	check_counters(&server, COUNT, COUNT);
	check_counters(&client, COUNT, COUNT);
	sides_close(&server, &client);
	check_sizes();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
