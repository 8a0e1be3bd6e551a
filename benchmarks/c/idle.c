/*
 * idle-c: measures the cost of idle connections for a busy one.
 *
 * One process has a server; another process has one engine with N clients. The first client and the server exchange pings; the
 * other clients are connected and idle. Each process measures every doca_pe_progress() call, and prints the medians.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "card.h"
#include "engine.h"
#include "options.h"
#include "report.h"

static const char usage[] = "usage: idle-c [--clients N] [--count N] [--timeout S]";

enum { MESSAGE = 64, QUEUE = 2, SPARE_DESCRIPTORS = 64, MAX_TIMES = 1 << 20 };

/* Times of progress calls, by their return value. */
struct times {
	uint64_t ns[2][MAX_TIMES];
	size_t count[2];
};

static struct times times;
static struct doca_pe *pe;
static uint64_t num_clients, num_pings, num_received, timeout_ns, deadline_ns;
static uint64_t num_connected, num_disconnected;
static uint64_t last_count;

static void must(doca_error_t result, const char *operation)
{
	if (!report(result, operation, "idle-c"))
		exit(EXIT_FAILURE);
}

/* --- callbacks, of both sides --- */

static void sent(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	must(doca_task_get_status(doca_comch_task_send_as_task(task)), "send");
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void submit(struct doca_comch_task_send *task)
{
	must(doca_task_submit(doca_comch_task_send_as_task(task)), "doca_task_submit");
}

static void answer(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len, struct doca_comch_connection *connection)
{
	struct doca_comch_task_send *task;

	(void)event;
	num_received++;
	must(doca_comch_server_task_send_alloc_init(doca_comch_server_get_server_ctx(connection), connection, bytes, len, &task),
	     "doca_comch_server_task_send_alloc_init");
	submit(task);
}

static void send_ping(struct doca_comch_connection *connection)
{
	static const char ping[] = "ping";
	struct doca_comch_task_send *task;

	must(doca_comch_client_task_send_alloc_init(doca_comch_client_get_client_ctx(connection), connection, ping, sizeof(ping), &task),
	     "doca_comch_client_task_send_alloc_init");
	submit(task);
}

static void take_answer(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len, struct doca_comch_connection *connection)
{
	(void)event;
	(void)bytes;
	(void)len;
	if (++num_received < num_pings)
		send_ping(connection);
}

static void connected(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
		      uint8_t is_successful)
{
	(void)event;
	(void)connection;
	num_connected += is_successful;
}

static void disconnected(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
			 uint8_t is_successful)
{
	(void)event;
	(void)connection;
	num_disconnected += is_successful;
}

/* --- progress --- */

static uint8_t progress(void)
{
	uint64_t before = engine_clock_ns(), after;
	uint8_t has_done = doca_pe_progress(pe);

	after = engine_clock_ns();
	if (times.count[has_done] < MAX_TIMES)
		times.ns[has_done][times.count[has_done]++] = after - before;
	if (num_received + num_connected + num_disconnected != last_count) {
		last_count = num_received + num_connected + num_disconnected;
		deadline_ns = 0;
	} else if (deadline_ns == 0) {
		deadline_ns = after + timeout_ns;
	} else if (after > deadline_ns) {
		report_fault("nothing happens any more: %llu connections, %llu pings", (unsigned long long)num_connected,
			     (unsigned long long)num_received);
		exit(EXIT_FAILURE);
	}
	return has_done;
}

static void print(const char *side)
{
	report_begin();
	printf(",\"side\":\"%s\",\"connections\":%llu,\"pings\":%llu,\"busy_ns\":%llu,\"vain_ns\":%llu", side,
	       (unsigned long long)num_clients, (unsigned long long)num_received,
	       (unsigned long long)report_median(times.ns[1], times.count[1]),
	       (unsigned long long)report_median(times.ns[0], times.count[0]));
	report_end();
}

static void wait_idle(struct doca_ctx *ctx)
{
	while (!engine_stops(ctx))
		progress();
}

/* --- the two processes --- */

static void run_server(int other)
{
	struct doca_dev *dev = card_open(NULL, card_serves, "serve");
	struct doca_dev_rep *rep = dev == NULL ? NULL : card_open_representor(dev, NULL);
	struct doca_comch_server *server;
	struct doca_ctx *ctx;

	if (rep == NULL)
		exit(EXIT_FAILURE);
	must(doca_pe_create(&pe), "doca_pe_create");
	must(doca_comch_server_create(dev, rep, "idle", &server), "doca_comch_server_create");
	ctx = doca_comch_server_as_ctx(server);
	must(doca_pe_connect_ctx(pe, ctx), "doca_pe_connect_ctx");
	must(doca_comch_server_set_max_msg_size(server, MESSAGE), "doca_comch_server_set_max_msg_size");
	must(doca_comch_server_set_recv_queue_size(server, QUEUE), "doca_comch_server_set_recv_queue_size");
	must(doca_comch_server_task_send_set_conf(server, sent, sent, QUEUE), "doca_comch_server_task_send_set_conf");
	must(doca_comch_server_event_msg_recv_register(server, answer), "doca_comch_server_event_msg_recv_register");
	must(doca_comch_server_event_connection_status_changed_register(server, connected, disconnected),
	     "doca_comch_server_event_connection_status_changed_register");
	must(doca_ctx_start(ctx), "doca_ctx_start");
	if (write(other, "s", 1) != 1)
		exit(EXIT_FAILURE);
	while (num_connected < num_clients)
		progress();
	memset(times.count, 0, sizeof(times.count));
	while (num_received < num_pings)
		progress();
	print("server");
	while (num_disconnected < num_connected)
		progress();
	wait_idle(ctx);
	must(doca_comch_server_destroy(server), "doca_comch_server_destroy");
	must(doca_pe_destroy(pe), "doca_pe_destroy");
	card_close_representor(rep);
	card_close(dev);
}

static struct doca_comch_client *connect_one(struct doca_dev *dev)
{
	struct doca_comch_client *client;
	enum doca_ctx_states state;
	struct doca_ctx *ctx;

	must(doca_comch_client_create(dev, "idle", &client), "doca_comch_client_create");
	ctx = doca_comch_client_as_ctx(client);
	must(doca_pe_connect_ctx(pe, ctx), "doca_pe_connect_ctx");
	must(doca_comch_client_set_max_msg_size(client, MESSAGE), "doca_comch_client_set_max_msg_size");
	must(doca_comch_client_set_recv_queue_size(client, QUEUE), "doca_comch_client_set_recv_queue_size");
	must(doca_comch_client_task_send_set_conf(client, sent, sent, QUEUE), "doca_comch_client_task_send_set_conf");
	must(doca_comch_client_event_msg_recv_register(client, take_answer), "doca_comch_client_event_msg_recv_register");
	if (doca_ctx_start(ctx) != DOCA_ERROR_IN_PROGRESS)
		must(DOCA_ERROR_UNEXPECTED, "doca_ctx_start");
	do {
		progress();
		must(doca_ctx_get_state(ctx, &state), "doca_ctx_get_state");
	} while (state == DOCA_CTX_STATE_STARTING);
	must(state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS : DOCA_ERROR_NOT_CONNECTED, "connect");
	num_connected++;
	return client;
}

static void run_clients(int other)
{
	struct doca_comch_client **clients = calloc(num_clients, sizeof(struct doca_comch_client *));
	struct doca_comch_connection *connection;
	struct doca_dev *dev;
	char ready;

	if (clients == NULL || read(other, &ready, 1) != 1)
		exit(EXIT_FAILURE);
	dev = card_open(NULL, card_connects, "connect");
	if (dev == NULL)
		exit(EXIT_FAILURE);
	must(doca_pe_create(&pe), "doca_pe_create");
	for (uint64_t i = 0; i < num_clients; i++)
		clients[i] = connect_one(dev);
	must(doca_comch_client_get_connection(clients[0], &connection), "doca_comch_client_get_connection");
	memset(times.count, 0, sizeof(times.count));
	send_ping(connection);
	while (num_received < num_pings)
		progress();
	print("clients");
	for (uint64_t i = 0; i < num_clients; i++) {
		wait_idle(doca_comch_client_as_ctx(clients[i]));
		must(doca_comch_client_destroy(clients[i]), "doca_comch_client_destroy");
	}
	must(doca_pe_destroy(pe), "doca_pe_destroy");
	card_close(dev);
	free(clients);
}

/* Limits the number of connections to the available descriptors; configures the software DPU before its first use. */
static void make_room(void)
{
	struct rlimit limit;
	char text[24];

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
		if (num_clients + SPARE_DESCRIPTORS > limit.rlim_cur)
			num_clients = limit.rlim_cur - SPARE_DESCRIPTORS;
	}
	snprintf(text, sizeof(text), "%llu", (unsigned long long)(num_clients < 512 ? 512 : num_clients));
	setenv("SOFTDPU_MAX_CLIENTS", text, 0);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "clients", "count", "timeout", NULL };
	struct options options;
	int status, pair[2];
	pid_t child;

	report_program("idle-c");
	options_begin(&options);
	options.clients = 1;
	options.count = 20000;
	options_parse(&options, argc, argv, names, usage);
	num_clients = options.clients;
	num_pings = options.count;
	timeout_ns = options.timeout_s * 1000000000u;
	make_room();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return !report_system("socketpair", "the two processes");
	child = fork();
	if (child < 0)
		return !report_system("fork", "process of the clients");
	if (child == 0) {
		close(pair[0]);
		run_clients(pair[1]);
		return EXIT_SUCCESS;
	}
	close(pair[1]);
	run_server(pair[0]);
	if (waitpid(child, &status, 0) != child)
		return !report_system("waitpid", "process of the clients");
	return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
