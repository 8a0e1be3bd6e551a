/*
 * A name and a function of the host identify a server: each pair has one server on the machine, over all processes. Clients
 * reach the right server through their device. A new server can replace a killed one.
 */
#include "comch_process.h"

enum { FUNCTIONS = 4, RACERS = 6, ROUNDS = 5 };

static const char *const functions[FUNCTIONS] = { "81:00.0", "81:00.1", "81:00.2", "81:00.3" };
static const char name[] = "same name";

static void send_function(struct side *side, struct doca_comch_connection *connection, uint8_t successful)
{
	CHECK(successful);
	side->connection = connection;
	CHECK_OK(side_send(side, side->test, (uint32_t)strlen(side->test)));
}

/* Starts a server that sends its function to every client. */
static doca_error_t try_to_serve(struct side *server, const char *server_name, const char *function)
{
	side_create_server_for(server, server_name, function);
	server->on_connect = send_function;
	server->test = (void *)(uintptr_t)function;
	return doca_ctx_start(server->ctx);
}

static void check_client(struct side *server, const char *server_name, const char *function)
{
	struct side client;

	side_create_client_on(&client, server_name, function);
	side_connect(server, &client);
	SIDE_PROGRESS_UNTIL(server, &client, client.num_received == 1);
	CHECK_EQ(client.last_len, strlen(function));
	CHECK(memcmp(client.last_message, function, strlen(function)) == 0);
	side_close(&client, server);
}

static void check_no_server(const char *server_name, const char *function)
{
	struct side client;

	side_create_client_on(&client, server_name, function);
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(client.pe, side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(client.states[0], DOCA_CTX_STATE_STARTING);
	CHECK_EQ(client.states[1], DOCA_CTX_STATE_STOPPING);
	side_close(&client, NULL);
}

static void serve_in_one_process(void)
{
	struct side servers[FUNCTIONS], other, second;

	for (int i = 0; i < FUNCTIONS; i++)
		CHECK_OK(try_to_serve(&servers[i], name, functions[i]));
	CHECK_OK(try_to_serve(&other, "other name", functions[1]));
	CHECK_ERROR(try_to_serve(&second, name, functions[1]), DOCA_ERROR_ALREADY_EXIST);
	CHECK_EQ(side_state(&second), DOCA_CTX_STATE_IDLE);
	CHECK_EQ(second.num_states, 0);
	for (int i = FUNCTIONS - 1; i >= 0; i--)
		check_client(&servers[i], name, functions[i]);
	check_client(&other, "other name", functions[1]);
	check_no_server("other name", functions[0]);
	check_no_server("no name", functions[1]);
	CHECK_EQ(count_entries(own_folder), 2 * (FUNCTIONS + 1));

	side_stop(&servers[1], NULL); /* the name is free for the refused server and for others */
	check_no_server(name, functions[1]);
	CHECK_OK(doca_ctx_start(second.ctx));
	check_client(&second, name, functions[1]);
	CHECK_ERROR(doca_ctx_start(servers[1].ctx), DOCA_ERROR_ALREADY_EXIST);
	for (int i = 0; i < FUNCTIONS; i++)
		side_close(&servers[i], NULL);
	side_close(&second, NULL);
	side_close(&other, NULL);
	rig_check_nothing_is_left();
	CHECK_EQ(count_entries(own_folder), 0);
}

/* A child tries to become the server of a function, reports the result, and serves until the parent ends it. */
static int run_server(const char *function)
{
	struct side server;
	doca_error_t result = try_to_serve(&server, name, function);
	char byte;

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_ALREADY_EXIST);
	report(result == DOCA_SUCCESS ? 'y' : 'n');
	while (!has_byte(&byte))
		if (!side_progress(&server))
			sched_yield();
	side_close(&server, NULL);
	return 0;
}

static char child_answer(const struct child *child)
{
	struct pollfd pipe_fd = { .fd = child->from, .events = POLLIN };
	char byte;

	CHECK_EQ(poll(&pipe_fd, 1, RIG_LIMIT_S * 1000), 1);
	CHECK_EQ(read(child->from, &byte, 1), 1);
	return byte;
}

static void child_stop(struct child *child)
{
	child_send(child, '.');
	child_close(child, 0, NULL);
}

static void serve_in_several(void)
{
	struct child children[FUNCTIONS], second;
	struct side here;

	for (int i = 0; i < FUNCTIONS; i++)
		children[i] = child_start("server", functions[i]);
	for (int i = 0; i < FUNCTIONS; i++)
		CHECK_EQ(child_answer(&children[i]), 'y');
	second = child_start("server", functions[2]);
	CHECK_EQ(child_answer(&second), 'n');
	CHECK_ERROR(try_to_serve(&here, name, functions[3]), DOCA_ERROR_ALREADY_EXIST);
	for (int i = 0; i < FUNCTIONS; i++)
		check_client(NULL, name, functions[i]);
	child_stop(&children[2]);
	check_no_server(name, functions[2]);
	child_kill(&children[3]); /* its files remain */
	child_close(&children[3], SIGKILL, NULL);
	check_no_server(name, functions[3]);
	CHECK_EQ(count_entries(own_folder), 6);
	CHECK_OK(doca_ctx_start(here.ctx));
	CHECK_EQ(count_entries(own_folder), 6);
	check_client(&here, name, functions[3]);
	side_close(&here, NULL);
	child_stop(&second);
	for (int i = 0; i < 2; i++)
		child_stop(&children[i]);
	CHECK_EQ(count_entries(own_folder), 0);
}

/* Many processes try to replace a killed server at once: one succeeds. */
static void race_for_a_place(void)
{
	struct child racers[RACERS];

	for (int round = 0; round < ROUNDS; round++) {
		int winner = -1, winners = 0;

		for (int i = 0; i < RACERS; i++)
			racers[i] = child_start("server", functions[0]);
		for (int i = 0; i < RACERS; i++) {
			if (child_answer(&racers[i]) == 'y') {
				winner = i;
				winners++;
			}
		}
		CHECK_EQ(winners, 1);
		check_client(NULL, name, functions[0]);
		for (int i = 0; i < RACERS; i++)
			if (i != winner)
				child_stop(&racers[i]);
		child_kill(&racers[winner]);
		child_close(&racers[winner], SIGKILL, NULL);
	}
	CHECK_EQ(count_entries(own_folder), 2); /* files of the last killed server */
}

static void clear_away(void)
{
	struct side last;

	CHECK_OK(try_to_serve(&last, "whatever", functions[1]));
	CHECK_EQ(count_entries(own_folder), 2);
	side_close(&last, NULL);
}

int main(int argc, char **argv)
{
	int before;

	if (argc > 2)
		return run_server(argv[2]);
	make_own_folder();
	before = count_descriptors();
	serve_in_one_process();
	serve_in_several();
	race_for_a_place();
	clear_away();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
