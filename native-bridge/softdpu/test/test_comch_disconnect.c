/*
 * Ends of connections: by the server (without an event on its side), by the client, and by the stop of the server. Consumers
 * and producers keep their connection; the connection's user data outlives it.
 */
#include "comch_data.h"

static struct side server, client;

#define UNTIL(condition) SIDE_PROGRESS_UNTIL(&server, &client, condition)

static void check_user_data(struct side *side, struct doca_comch_connection *connection)
{
	(void)side;
	CHECK_EQ(doca_comch_connection_get_user_data(connection).u64, 77);
	CHECK_OK(doca_comch_server_disconnect(side->server, connection)); /* it is disconnected already */
	CHECK_ERROR(doca_comch_connection_update_info(connection), DOCA_ERROR_CONNECTION_ABORTED);
}

static void by_server(void)
{
	struct doca_comch_connection *connection;
	struct data consumer, producer;

	sides_open(&server, &client, "disconnect");
	connection = server.connection;
	data_create_consumer(&consumer, &server, server.pe);
	data_start_consumer(&consumer, &server, &client);
	CHECK_ERROR(doca_comch_server_disconnect(server.server, connection), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_ctx_stop(server.ctx), DOCA_ERROR_IN_USE);
	data_stop(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	CHECK_ERROR(doca_comch_server_disconnect(server.server, connection), DOCA_ERROR_IN_USE);
	data_stop(&producer, &server, &client);
	CHECK_OK(doca_comch_server_disconnect(server.server, connection)); /* IDLE consumers and producers may still exist */
	CHECK_OK(doca_comch_server_disconnect(server.server, connection));
	CHECK_ERROR(doca_comch_server_disconnect(server.server, client.connection), DOCA_ERROR_INVALID_VALUE);
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(client.num_states, 4);
	CHECK_EQ(client.states[2], DOCA_CTX_STATE_STOPPING);
	CHECK_EQ(server.num_disconnected, 0);
	CHECK_ERROR(doca_comch_consumer_create(connection, consumer.map, &consumer.consumer), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_NOT_CONNECTED);
	side_stop(&server, NULL);
	CHECK_ERROR(doca_comch_server_destroy(server.server), DOCA_ERROR_IN_USE);
	data_close(&consumer);
	data_close(&producer);
	side_close(&client, NULL);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

static void by_client(void)
{
	struct doca_comch_task_send *task;
	union doca_data data = { .u64 = 77 };

	sides_open(&server, &client, "disconnect");
	server.on_disconnect = check_user_data;
	CHECK_OK(doca_comch_connection_set_user_data(server.connection, data));
	CHECK_OK(side_send(&client, "last words", 10));
	CHECK_OK(side_alloc(&server, "too late", 8, &task));
	CHECK_ERROR(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(server.num_disconnected == 1);
	CHECK_EQ(server.num_received, 1); /* before the end */
	CHECK_EQ(server.last_len, 10);
	CHECK_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	UNTIL(server.num_failed == 1);
	CHECK_EQ(server.last_status, DOCA_ERROR_CONNECTION_RESET);
	CHECK_ERROR(side_send(&server, "gone", 4), DOCA_ERROR_INVALID_VALUE);
	side_close(&client, &server);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

static void by_stop_of_server(void)
{
	sides_open(&server, &client, "disconnect");
	CHECK_OK(side_send(&server, "last words", 10));
	CHECK_ERROR(doca_ctx_stop(server.ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_EQ(side_state(&server), DOCA_CTX_STATE_STOPPING);
	UNTIL(side_state(&server) == DOCA_CTX_STATE_IDLE && side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(client.num_received, 1);
	CHECK_EQ(server.num_disconnected, 0);
	side_close(&client, NULL);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

/* Consumers and producers of a connection that the peer has ended: tasks fail, contexts stay until the program stops them. */
static void under_children(void)
{
	struct data consumer, producer;

	sides_open(&server, &client, "disconnect");
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &client, client.pe);
	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(doca_comch_server_disconnect(server.server, server.connection));
	UNTIL(consumer.failed == 1);
	CHECK_EQ(consumer.last_status, DOCA_ERROR_CONNECTION_RESET);
	CHECK_EQ(data_state(&consumer), DOCA_CTX_STATE_RUNNING);
	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, 4711));
	UNTIL(consumer.failed == 2 && producer.failed == 1);
	CHECK_EQ(producer.last_status, DOCA_ERROR_CONNECTION_RESET);
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(doca_comch_client_destroy(client.client), DOCA_ERROR_IN_USE);
	data_stop(&consumer, &server, &client);
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	side_close(&client, &server);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

/* A consumer that waits for an acknowledgement stops waiting when the connection ends. */
static void under_starting_consumer(void)
{
	struct data consumer;

	sides_open(&server, &client, "disconnect");
	data_create_consumer(&consumer, &client, client.pe);
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_OK(doca_comch_server_disconnect(server.server, server.connection));
	UNTIL(data_state(&consumer) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(consumer.num_states, 3);
	CHECK_EQ(consumer.states[1], DOCA_CTX_STATE_STOPPING);
	data_close(&consumer);
	side_close(&client, &server);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

int main(void)
{
	int before;

	make_own_folder();
	before = count_descriptors();
	by_server();
	by_client();
	by_stop_of_server();
	under_children();
	under_starting_consumer();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
