/*
 * Eight client processes ping one server; half of them are killed at moments drawn from a seed, others take their places. The
 * connections that live lose, double and reorder nothing, and of the dead nothing is left.
 */
#include "comch_process.h"
#include "sd_random.h"

enum { CLIENTS = 8, REPLACED = 12, PINGS = 300 };

static const char name[] = "many";

static void echo(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	struct doca_comch_task_send *task;
	doca_error_t result = doca_comch_server_task_send_alloc_init(side->server, connection, bytes, len, &task);
	uint64_t number;

	/* Numbers of one connection come in order. */
	memcpy(&number, bytes, sizeof(number));
	CHECK_EQ(number, doca_comch_connection_get_user_data(connection).u64);
	CHECK_OK(doca_comch_connection_set_user_data(connection, (union doca_data){ .u64 = number + 1 }));
	CHECK_OK(result);
	CHECK_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
}

static int run_client(void)
{
	struct side client;

	side_create_client(&client, name);
	side_connect(NULL, &client);
	report('!');
	for (uint64_t n = 0; n < PINGS; n++) {
		CHECK_OK(side_send(&client, &n, sizeof(n)));
		RIG_PROGRESS_UNTIL(client.pe, client.num_received == (int)n + 1);
		CHECK(memcmp(client.last_message, &n, sizeof(n)) == 0);
	}
	side_close(&client, NULL);
	return 0;
}

/* Kill it, unless it has finished. */
static void replace(struct child *child)
{
	int status;

	child_kill(child);
	CHECK_EQ(waitpid(child->pid, &status, 0), child->pid);
	CHECK(status == 0 || status == SIGKILL);
	close(child->from);
	close(child->to);
	*child = child_start("client", "");
}

int main(int argc, char **argv)
{
	struct child children[CLIENTS];
	uint64_t random = 8;
	struct side server;
	int before;

	(void)argv;
	if (argc > 2)
		return run_client();
	make_own_folder();
	side_create_server(&server, name);
	server.on_message = echo;
	CHECK_OK(doca_ctx_start(server.ctx));
	before = count_descriptors();
	for (int i = 0; i < CLIENTS; i++)
		children[i] = child_start("client", "");
	for (int i = 0; i < REPLACED; i++) {
		int victim = (int)(sd_random_next(&random) % CLIENTS);
		int pings = server.num_received + (int)(sd_random_next(&random) % 100);

		SIDE_PROGRESS_UNTIL(&server, NULL, server.num_received >= pings || server.num_disconnected >= CLIENTS);
		replace(&children[victim]);
	}
	for (int i = 0; i < CLIENTS; i++)
		child_close(&children[i], 0, &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == server.num_connected);
	CHECK_EQ(count_descriptors(), before);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
	remove_own_folder();
	return 0;
}
