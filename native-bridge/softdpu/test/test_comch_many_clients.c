/*
 * Client processes ping one server, each with several pings in flight. Some are killed at random times from a seed and
 * replaced. Live connections lose, duplicate and reorder no message, and the server keeps no resource of killed clients.
 * Long: test_comch_many_clients 64 10000 200 (clients, pings per client, kills)
 */
#include "comch_process.h"
#include "flat.h"
#include "sd_random.h"

enum { CLIENTS = 8, PINGS = 300, KILLS = 12, MAX_CLIENTS = 256, WINDOW = 4, TASKS = 1024, LATE_MS = 1000 * RIG_LIMIT_S };

static const char name[] = "many";

struct ping {
	uint64_t number;
	pid_t from;
	uint8_t filling[];
};

static uint32_t len_of(uint64_t number)
{
	return (uint32_t)(sizeof(struct ping) + number * 37 % 1000);
}

static void make_ping(uint8_t *message, uint64_t number, pid_t from)
{
	struct ping *ping = (struct ping *)message;

	memset(message, (int)(number + (uint64_t)from), len_of(number));
	ping->number = number;
	ping->from = from;
}

/* @name Client */
/* @{ */
static uint64_t num_answers;

static void take_answer(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	_Alignas(8) uint8_t wanted[SIDE_MESSAGE];

	(void)side;
	(void)connection;
	make_ping(wanted, num_answers, getpid());
	CHECK_EQ(len, len_of(num_answers));
	CHECK(memcmp(bytes, wanted, len) == 0);
	num_answers++;
}

static void progress_or_sleep(struct side *side)
{
	struct pollfd handle = { .events = POLLIN };

	if (side_progress(side))
		return;
	CHECK_OK(doca_pe_get_notification_handle(side->pe, &handle.fd));
	CHECK_OK(doca_pe_request_notification(side->pe));
	CHECK_EQ(poll(&handle, 1, LATE_MS), 1);
	CHECK_OK(doca_pe_clear_notification(side->pe, handle.fd));
}

static int run_client(uint64_t pings)
{
	_Alignas(8) uint8_t message[SIDE_MESSAGE];
	struct side client;
	uint64_t sent = 0;

	side_create_client(&client, name);
	client.on_message = take_answer;
	side_connect(NULL, &client);
	while (num_answers < pings) {
		if (sent < pings && sent < num_answers + WINDOW) {
			make_ping(message, sent++, getpid());
			CHECK_OK(side_send(&client, message, len_of(sent - 1)));
		} else {
			progress_or_sleep(&client);
		}
	}
	side_close(&client, NULL);
	CHECK_EQ(num_answers, pings); /* no answer after the last */
	return 0;
}
/* @} */

/* @name Server */
/* @{ */
static void echo(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	const struct ping *ping = (const struct ping *)bytes;
	struct doca_comch_task_send *task;
	uint64_t number;

	/* Numbers of one connection arrive in order. */
	memcpy(&number, &ping->number, sizeof(number));
	CHECK_EQ(number, doca_comch_connection_get_user_data(connection).u64);
	CHECK_OK(doca_comch_connection_set_user_data(connection, (union doca_data){ .u64 = number + 1 }));
	CHECK_OK(doca_comch_server_task_send_alloc_init(side->server, connection, bytes, len, &task));
	CHECK_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
}

struct crowd {
	struct child children[MAX_CLIENTS];
	uint64_t num_clients, num_killed;
	char pings[24];
	uint64_t deadline;
	int num_received;			/* when the deadline was set; new messages extend the deadline */
};

static void go_on(struct side *server, struct crowd *crowd)
{
	if (!side_progress(server))
		sched_yield();
	if (server->num_received != crowd->num_received || crowd->deadline == 0) {
		crowd->num_received = server->num_received;
		crowd->deadline = rig_now_ms() + LATE_MS;
	}
	CHECK(rig_now_ms() < crowd->deadline);
}

/* Waits for a child that exits or was killed. */
static int await_end(struct side *server, struct crowd *crowd, struct child *child)
{
	int status;

	while (waitpid(child->pid, &status, WNOHANG) == 0)
		go_on(server, crowd);
	close(child->from);
	close(child->to);
	return status;
}

/* Kills a client, unless it has finished, and starts another one in its place. */
static void replace(struct side *server, struct crowd *crowd, struct child *child)
{
	int status;

	child_kill(child);
	status = await_end(server, crowd, child);
	CHECK(status == 0 || status == SIGKILL);
	crowd->num_killed += status == SIGKILL;
	*child = child_start("client", crowd->pings);
}

static void serve_clients(struct side *server, uint64_t num_clients, uint64_t pings, uint64_t kills)
{
	static struct crowd crowd;
	uint64_t random = num_clients, pings_per_kill = num_clients * pings / (kills + 1);

	crowd = (struct crowd){ .num_clients = num_clients };
	snprintf(crowd.pings, sizeof(crowd.pings), "%llu", (unsigned long long)pings);
	for (uint64_t i = 0; i < num_clients; i++)
		crowd.children[i] = child_start("client", crowd.pings);
	for (uint64_t i = 0; i < kills; i++) {
		uint64_t victim = sd_random_next(&random) % num_clients;
		int received = server->num_received + (int)(sd_random_next(&random) % (pings_per_kill + 1));

		while (server->num_received < received) /* fewer messages than the last clients send together */
			go_on(server, &crowd);
		replace(server, &crowd, &crowd.children[victim]);
	}
	for (uint64_t i = 0; i < num_clients; i++)
		CHECK_EQ(await_end(server, &crowd, &crowd.children[i]), 0);
	while (server->num_disconnected != server->num_connected)
		go_on(server, &crowd);
	printf("%llu clients, %llu of them killed: %d messages\n", (unsigned long long)(num_clients + kills),
	       (unsigned long long)crowd.num_killed, server->num_received);
}
/* @} */

static void open_server(struct side *server)
{
	side_create_server(server, name);
	server->on_message = echo;
	CHECK_OK(doca_comch_server_task_send_set_conf(server->server, side_send_ended, side_send_ended, TASKS));
	CHECK_OK(doca_ctx_start(server->ctx));
}

int main(int argc, char **argv)
{
	uint64_t clients = CLIENTS, pings = PINGS, kills = KILLS;
	struct flat before;
	struct side server;

	if (argc == 3)
		return run_client(strtoull(argv[2], NULL, 10));
	if (argc == 4) {
		clients = strtoull(argv[1], NULL, 10);
		pings = strtoull(argv[2], NULL, 10);
		kills = strtoull(argv[3], NULL, 10);
		CHECK(clients > 0 && clients <= MAX_CLIENTS && pings > 0);
	}
	make_own_folder();
	open_server(&server);
	serve_clients(&server, clients, 20, 2); /* enough concurrent clients that later rounds allocate no more memory */
	before = flat_now();
	serve_clients(&server, clients, pings, kills);
	flat_print("server before", before);
	flat_print("server after ", flat_now());
	flat_check(before);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
	remove_own_folder();
	return 0;
}
