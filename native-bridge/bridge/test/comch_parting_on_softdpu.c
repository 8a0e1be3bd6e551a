/* Ends of connections: handles become invalid with their connections, and every pending send is answered. */
#include "comch_pair.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
static void expect_refused(struct control *control, uint32_t connection, int32_t status)
{
	uint32_t before = seen.num_refused;

	control_send(control, connection, 7, "stale", 5);
	rings_turn(control->rings);
	CHECK_EQ(seen.num_refused, before + 1);
	CHECK_EQ(seen.last_refusal, status);
}

static void test_local_disconnect(uint8_t is_shared)
{
	struct pair pair;
	struct dpubridge *bridge;
	uint32_t first, first_of_client;

	open_pair(&pair, is_shared);
	bridge = pair.server_rings->bridge;
	first = seen.connection;
	first_of_client = pair.client_connection;
	CHECK_EQ(dpubridge_comch_disconnect(bridge, pair.server.handle, first + 1), DOCA_ERROR_NOT_FOUND);
	CHECK_EQ(dpubridge_comch_disconnect(bridge, pair.server.handle + 0x10000, first), DOCA_ERROR_NOT_FOUND);
	CHECK_EQ(dpubridge_comch_disconnect(bridge, pair.server.handle, first), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_comch_disconnect(bridge, pair.server.handle, first), DOCA_ERROR_NOT_FOUND);
	CHECK(dpubridge_connection_pointer(bridge, first) == NULL);
	expect_refused(&pair.server, first, DOCA_ERROR_NOT_CONNECTED);
	AWAIT(pair.server_rings, pair.client_rings, seen.client_state == DOCA_CTX_STATE_IDLE);
	CHECK(dpubridge_connection_pointer(pair.client_rings->bridge, first_of_client) == NULL);
	expect_refused(&pair.client, first_of_client, DOCA_ERROR_NOT_CONNECTED);
	CHECK_EQ(seen.num_disconnected, 0);

	/* The second connection has other handles, and the old ones stay invalid. */
	connect_client(&pair);
	CHECK(seen.connection != first && pair.client_connection != first_of_client);
	expect_refused(&pair.server, first, DOCA_ERROR_NOT_CONNECTED);
	exchange(&pair);
	close_pair(&pair);
}

static void test_peer_leaves(void)
{
	struct pair pair;
	uint32_t first;

	open_pair(&pair, 0);
	first = seen.connection;
	control_stop(&pair.client, pair.server_rings);
	CHECK(dpubridge_connection_pointer(pair.client_rings->bridge, pair.client_connection) == NULL);
	AWAIT(pair.server_rings, NULL, seen.num_disconnected == 1);
	CHECK(dpubridge_connection_pointer(pair.server_rings->bridge, first) == NULL);
	CHECK_EQ(dpubridge_comch_disconnect(pair.server_rings->bridge, pair.server.handle, first), DOCA_ERROR_NOT_FOUND);
	expect_refused(&pair.server, first, DOCA_ERROR_NOT_CONNECTED);
	close_pair(&pair);
}

/* The client sends while the server disconnects it: every send is answered, once. */
static void test_refuse_in_flight(void)
{
	struct pair pair;
	uint32_t i;

	open_pair(&pair, 0);
	for (i = 0; i < SEND_TASKS; i++)
		control_send(&pair.client, pair.client_connection, i, "late", 4);
	CHECK(dpubridge_enter(pair.client_rings->bridge, 0) != UINT32_MAX);
	CHECK_EQ(dpubridge_comch_disconnect(pair.server_rings->bridge, pair.server.handle, seen.connection), DOCA_SUCCESS);
	AWAIT(pair.server_rings, pair.client_rings, seen.client_state == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(seen.num_sent[1] + seen.num_failed[1] + seen.num_refused, SEND_TASKS);
	CHECK_EQ(seen.num_disconnected, 0);
	CHECK_EQ(dpubridge_context_inflight(pair.client_rings->bridge, pair.client.handle), 0);
	close_pair(&pair);
}

/* A device that cannot disconnect yet (quirk Q4): the handle stays valid until it can. */
static void test_disconnect_again(void)
{
	struct pair pair;
	uint32_t i;

	CHECK_EQ(softdpu_quirks_set("Q4"), DOCA_SUCCESS);
	open_pair(&pair, 0);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(dpubridge_comch_disconnect(pair.server_rings->bridge, pair.server.handle, seen.connection),
			 DOCA_ERROR_AGAIN);
		CHECK(dpubridge_connection_pointer(pair.server_rings->bridge, seen.connection) != NULL);
	}
	exchange(&pair);
	CHECK_EQ(dpubridge_comch_disconnect(pair.server_rings->bridge, pair.server.handle, seen.connection), DOCA_SUCCESS);
	AWAIT(pair.server_rings, pair.client_rings, seen.client_state == DOCA_CTX_STATE_IDLE);
	close_pair(&pair);
	CHECK_EQ(softdpu_quirks_set(""), DOCA_SUCCESS);
}

/* The server's stop ends all connections: its handles become invalid with IDLE, the client's with the client's IDLE. */
static void test_server_stops(void)
{
	struct pair pair;

	open_pair(&pair, 0);
	control_stop(&pair.server, pair.client_rings);
	CHECK(dpubridge_connection_pointer(pair.server_rings->bridge, seen.connection) == NULL);
	AWAIT(pair.client_rings, NULL, seen.client_state == DOCA_CTX_STATE_IDLE);
	CHECK(dpubridge_connection_pointer(pair.client_rings->bridge, pair.client_connection) == NULL);
	close_pair(&pair);
}

int main(void)
{
	char folder[64];

	make_own_folder(folder);
	test_local_disconnect(0);
	test_local_disconnect(1);
	test_peer_leaves();
	test_refuse_in_flight();
	test_disconnect_again();
	test_server_stops();
	CHECK_EQ(rmdir(folder), 0);
	return 0;
}
#endif
