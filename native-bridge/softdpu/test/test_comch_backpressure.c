/*
 * A receiver without progress blocks its sender: the pool of send tasks is exhausted, then NO_MEMORY; no memory grows. After
 * its next progress, all messages arrive, in order. server_disconnect returns AGAIN while messages wait for sending.
 */
#include <malloc.h>

#include "comch_rig.h"

static uint32_t next;

static void check_message(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	uint32_t number;

	(void)side;
	(void)connection;
	CHECK_EQ(len, SIDE_MESSAGE);
	memcpy(&number, bytes, sizeof(number));
	CHECK_EQ(number, next);
	next++;
}

/* Sends until all tasks are in flight and none completes. */
static uint32_t send_until_full(struct side *from)
{
	uint8_t message[SIDE_MESSAGE] = { 0 };
	uint64_t quiet_since = rig_now_ms();
	uint32_t n = 0;

	while (rig_now_ms() - quiet_since < 100) {
		doca_error_t result;

		memcpy(message, &n, sizeof(n));
		result = side_send(from, message, sizeof(message));
		if (result == DOCA_SUCCESS) {
			n++;
			quiet_since = rig_now_ms();
		} else {
			CHECK_ERROR(result, DOCA_ERROR_NO_MEMORY);
			side_progress(from);
		}
		CHECK(n < 10000);
	}
	return n;
}

static void check_direction(struct side *from, struct side *to)
{
	struct mallinfo2 before, after;
	uint32_t total;

	next = 0;
	to->on_message = check_message;
	to->num_received = 0;
	before = mallinfo2();
	total = send_until_full(from);
	after = mallinfo2();
	CHECK(after.uordblks <= before.uordblks + 4096);
	CHECK(total > COMCH_TASKS);
	if (from->server != NULL)
		CHECK_ERROR(doca_comch_server_disconnect(from->server, from->connection), DOCA_ERROR_AGAIN);
	SIDE_PROGRESS_UNTIL(from, to, to->num_received == (int)total);
	CHECK_EQ(next, total);
	SIDE_PROGRESS_UNTIL(from, to, from->num_failed == 0 && from->num_sent == (int)total);
}

int main(void)
{
	struct side server, client;

	make_own_folder();
	side_create_server(&server, "pressure");
	side_create_client(&client, "pressure");
	CHECK_OK(doca_comch_server_set_recv_queue_size(server.server, 4));
	CHECK_OK(doca_comch_client_set_recv_queue_size(client.client, 1));
	CHECK_OK(doca_ctx_start(server.ctx));
	side_connect(&server, &client);
	check_direction(&client, &server);
	check_direction(&server, &client);

	/* Waiting messages fail when their context stops, and also when the receiver disconnects. */
	client.num_failed = 0;
	server.on_message = NULL;
	send_until_full(&client);
	side_stop(&client, NULL);
	CHECK(client.num_failed > 0);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == 1);
	side_connect(&server, &client);
	send_until_full(&server);
	side_stop(&client, NULL);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == 2);
	CHECK(server.num_failed > 0);
	CHECK_EQ(server.last_status, DOCA_ERROR_CONNECTION_RESET);
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
