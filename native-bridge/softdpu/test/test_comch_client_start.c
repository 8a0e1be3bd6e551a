/*
 * A client without a server never runs: it returns to IDLE at once, and can start again. The same applies to a refused client.
 */
#include "comch_rig.h"

static void refuse(struct side *side, struct doca_comch_connection *connection, uint8_t successful)
{
	CHECK_EQ(successful, 1);
	CHECK_OK(doca_comch_server_disconnect(side->server, connection));
	CHECK_OK(doca_comch_server_disconnect(side->server, connection));
}

static void check_never_ran(const struct side *client)
{
	CHECK_EQ(client->num_states, 3);
	CHECK_EQ(client->states[0], DOCA_CTX_STATE_STARTING);
	CHECK_EQ(client->states[1], DOCA_CTX_STATE_STOPPING);
	CHECK_EQ(client->states[2], DOCA_CTX_STATE_IDLE);
}

static void try_in_vain(struct side *server, struct side *client)
{
	struct doca_comch_connection *connection;
	uint64_t begin = rig_now_ms();

	client->num_states = 0;
	CHECK_ERROR(doca_ctx_start(client->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_ERROR(doca_comch_client_get_connection(client->client, &connection), DOCA_ERROR_BAD_STATE);
	SIDE_PROGRESS_UNTIL(server, client, side_state(client) == DOCA_CTX_STATE_IDLE);
	CHECK(rig_now_ms() - begin < 2000);
	check_never_ran(client);
	CHECK_ERROR(doca_comch_client_get_connection(client->client, &connection), DOCA_ERROR_BAD_STATE);
}

/* The program stops the client before a server has answered. */
static void stop_while_starting(struct side *server, struct side *client)
{
	client->num_states = 0;
	CHECK_ERROR(doca_ctx_start(client->ctx), DOCA_ERROR_IN_PROGRESS);
	side_stop(client, NULL);
	check_never_ran(client);
	/* The server has seen a client connect and disconnect, or only disconnect. */
	SIDE_PROGRESS_UNTIL(server, NULL, server->num_refused + server->num_disconnected == 1);
}

int main(void)
{
	struct side server, second, client;
	int before;

	make_own_folder();
	before = count_descriptors();
	side_create_client(&client, "start");
	try_in_vain(NULL, &client);
	side_create_server(&server, "other name");
	CHECK_OK(doca_ctx_start(server.ctx));
	try_in_vain(&server, &client);
	side_close(&server, NULL);

	side_create_server(&server, "start");
	CHECK_OK(doca_ctx_start(server.ctx));
	CHECK_EQ(server.states[0], DOCA_CTX_STATE_RUNNING);
	side_create_server(&second, "start"); /* a name has one server */
	CHECK_ERROR(doca_ctx_start(second.ctx), DOCA_ERROR_ALREADY_EXIST);
	CHECK_EQ(side_state(&second), DOCA_CTX_STATE_IDLE);
	server.on_connect = refuse;
	try_in_vain(&server, &client);
	CHECK_EQ(server.num_connected, 1);
	CHECK_EQ(server.num_disconnected, 0);
	server.on_connect = NULL;
	stop_while_starting(&server, &client);
	client.num_states = 0;
	side_connect(&server, &client);
	CHECK_EQ(client.num_states, 2);
	side_stop(&client, &server);
	side_close(&server, NULL);

	CHECK_OK(doca_ctx_start(second.ctx)); /* the name is free again */
	side_connect(&second, &client);
	side_close(&client, &second);
	side_close(&second, NULL);
	rig_check_nothing_is_left();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
