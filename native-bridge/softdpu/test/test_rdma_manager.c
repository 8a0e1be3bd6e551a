/*
 * The connection manager: addresses of all types, listen, request, accept, reject, time-out, disconnect from either side and from
 * both, busy ports and full servers; within one process and between two. Then all works as after export and connect.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rdma.h"
#include "rendezvous.h"

enum { PORT = 13579, MANY = 300 };

enum answer { ACCEPT, REJECT, WAIT };

struct counts {
	int requests, established, failures, disconnects;
	struct doca_rdma_connection *last;	/* of any callback */
	uint64_t user_data;			/* of the last callback that has it */
};

static struct rdma_pair pair;			/* requester: client; responder: server */
static struct counts client, server;
static enum answer server_answer;

static struct counts *counts_of(union doca_data ctx_data)
{
	return ctx_data.ptr == &pair.requester ? &client : &server;
}

static void requested(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	union doca_data data = { .u64 = 2000 };

	CHECK(ctx_data.ptr == &pair.responder);
	server.requests++;
	server.last = connection;
	CHECK_OK(doca_rdma_connection_set_user_data(connection, data));
	if (server_answer == ACCEPT) {
		CHECK_OK(doca_rdma_connection_accept(connection, "hello", 5));
		CHECK_ERROR(doca_rdma_connection_accept(connection, NULL, 0), DOCA_ERROR_BAD_STATE);
	} else if (server_answer == REJECT) {
		CHECK_OK(doca_rdma_connection_reject(connection));
		CHECK_ERROR(doca_rdma_connection_accept(connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	}
}

static void note(struct counts *counts, struct doca_rdma_connection *connection, union doca_data data)
{
	counts->last = connection;
	counts->user_data = data.u64;
}

static void established(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	counts_of(ctx_data)->established++;
	note(counts_of(ctx_data), connection, data);
}

static void failed(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	counts_of(ctx_data)->failures++;
	note(counts_of(ctx_data), connection, data);
}

static void disconnected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	counts_of(ctx_data)->disconnects++;
	note(counts_of(ctx_data), connection, data);
	CHECK_OK(doca_rdma_connection_disconnect(connection)); /* a second time: no effect */
}

#define PROGRESS_UNTIL(condition) \
	RIG_PROGRESS_UNTIL(pair.requester.pe, (doca_pe_progress(pair.responder.pe), (condition)))

static void open_side(struct rdma_side *side, const char *pci_addr)
{
	rdma_side_open(side, pci_addr, RDMA_ALL);
	CHECK_OK(doca_rdma_set_permissions(side->rdma, RDMA_ALL));
	CHECK_OK(doca_rdma_set_rnr_retry_count(side->rdma, 7));
	CHECK_OK(doca_rdma_set_connection_request_timeout(side->rdma, 300));
	CHECK_OK(doca_rdma_set_connection_state_callbacks(side->rdma, requested, established, failed, disconnected));
}

static void open_pair(void)
{
	memset(&pair, 0, sizeof(pair));
	memset(&client, 0, sizeof(client));
	memset(&server, 0, sizeof(server));
	open_side(&pair.requester, "03:00.0");
	open_side(&pair.responder, "81:00.0");
	CHECK_ERROR(doca_rdma_start_listen_to_port(pair.responder.rdma, PORT), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_ERROR(doca_rdma_set_connection_state_callbacks(pair.requester.rdma, NULL, established, failed, disconnected),
		    DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, PORT));
	server_answer = ACCEPT;
}

static struct doca_rdma_addr *make_addr(enum doca_rdma_addr_type type, const char *text, uint16_t port)
{
	struct doca_rdma_addr *addr;

	CHECK_OK(doca_rdma_addr_create(type, text, port, &addr));
	return addr;
}

/* Connects, and waits for both sides. */
static void connect_pair(struct doca_rdma_addr *addr)
{
	int before = client.established, at_server = server.established;
	union doca_data data = { .u64 = 1000 };

	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, data));
	CHECK_ERROR(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE); /* in use */
	PROGRESS_UNTIL(client.established > before && server.established > at_server);
	CHECK_EQ(client.user_data, 1000);
	CHECK_EQ(server.user_data, 2000);
	pair.connection = client.last;
	pair.peer = server.last;
}

static void disconnect_pair(struct doca_rdma_connection *connection)
{
	int before = client.disconnects, at_server = server.disconnects;

	CHECK_OK(doca_rdma_connection_disconnect(connection));
	PROGRESS_UNTIL(client.disconnects > before && server.disconnects > at_server);
	CHECK_EQ(client.disconnects, before + 1);
	CHECK_EQ(server.disconnects, at_server + 1);
}

static void addresses(void)
{
	static const struct {
		enum doca_rdma_addr_type type;
		const char *text;
	} wrong[] = {
		{ DOCA_RDMA_ADDR_TYPE_IPv4, "1.2.3" },	   { DOCA_RDMA_ADDR_TYPE_IPv4, "fe80::1" },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "192.0.2.81" }, { DOCA_RDMA_ADDR_TYPE_GID, "" },
		{ (enum doca_rdma_addr_type)3, "::1" },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0001" },
	};
	struct doca_rdma_addr *addr;
	enum doca_rdma_addr_type type;
	const char *text;
	uint16_t port;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK_ERROR(doca_rdma_addr_create(wrong[i].type, wrong[i].text, 1, &addr), DOCA_ERROR_INVALID_VALUE);
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_GID, "fe80::1", 7);
	CHECK_OK(doca_rdma_addr_get_params(addr, &type, &text, &port));
	CHECK(type == DOCA_RDMA_ADDR_TYPE_GID && strcmp(text, "fe80::1") == 0 && port == 7);
	CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void all_types(void)
{
	struct doca_rdma_gid gid;
	char text[64];
	struct {
		enum doca_rdma_addr_type type;
		const char *text;
	} const right[] = {
		{ DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.81" }, { DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1" },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, text },	    { DOCA_RDMA_ADDR_TYPE_GID, text },
		{ DOCA_RDMA_ADDR_TYPE_IPv6, "::1" },	    { DOCA_RDMA_ADDR_TYPE_GID, "::ffff:192.0.2.81" },
	};

	CHECK_OK(doca_rdma_cap_get_gid(doca_dev_as_devinfo(pair.responder.dev), 0, 1, &gid));
	CHECK(inet_ntop(AF_INET6, gid.raw, text, sizeof(text)) != NULL);
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		struct doca_rdma_addr *addr = make_addr(right[i].type, right[i].text, PORT), *same;

		connect_pair(addr);
		CHECK_OK(doca_rdma_connection_get_addr(pair.connection, &same));
		CHECK(same == addr);
		disconnect_pair(i % 2 == 0 ? pair.connection : pair.peer);
		CHECK_OK(doca_rdma_addr_destroy(addr));
	}
}

/* Messages first, as a server that sends its description; then reads and writes. */
static void tasks(struct doca_rdma_addr *addr)
{
	struct doca_buf *room = rdma_room(&pair.responder, 4096, 64), *local;
	int ended = pair.requester.completed;

	connect_pair(addr);
	pair.remote = rdma_import(&pair);
	memset(pair.requester.memory, 0x77, 64);
	local = rdma_local(&pair, 0, 64, 1);
	rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 0); /* waits for the receive task */
	rdma_post(&pair.responder, room, 0);
	PROGRESS_UNTIL(pair.responder.received == 1 && pair.requester.completed == ended + 1);
	CHECK(pair.responder.message.connection == pair.peer);
	CHECK_EQ(pair.responder.memory[4096 + 63], 0x77);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 1, 0, RDMA_MEMORY));
	CHECK_OK(rdma_transfer(&pair, pair.connection, 0, 0, 100));
	rig_drop(local);
	rig_drop(room);
	disconnect_pair(pair.connection);
	CHECK_ERROR(rdma_transfer(&pair, pair.connection, 1, 0, 8), DOCA_ERROR_IO_FAILED);
	CHECK_OK(doca_mmap_destroy(pair.remote));
	pair.remote = NULL;
}

static void expect_failure(struct doca_rdma_addr *addr)
{
	int before = client.failures, successes = client.established;
	union doca_data data = { .u64 = 3000 };

	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, data));
	PROGRESS_UNTIL(client.failures > before);
	CHECK_EQ(client.user_data, 3000);
	CHECK_EQ(client.established, successes);
}

static void failures(struct doca_rdma_addr *addr)
{
	struct doca_rdma_addr *nobody = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.81", PORT + 1);
	struct doca_rdma_addr *nowhere = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.99", PORT);
	int requests = server.requests, lost = server.failures;

	expect_failure(nobody);
	expect_failure(nowhere);
	CHECK_EQ(server.requests, requests);
	server_answer = REJECT;
	expect_failure(addr);
	CHECK_EQ(server.requests, requests + 1);
	server_answer = WAIT; /* the client's time-out */
	expect_failure(addr);
	PROGRESS_UNTIL(server.failures == lost + 1);
	CHECK_ERROR(doca_rdma_connection_accept(server.last, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	server_answer = ACCEPT;
	CHECK_OK(doca_rdma_addr_destroy(nobody));
	CHECK_OK(doca_rdma_addr_destroy(nowhere));
}

/* Both disconnect before they know of the other: one callback each. */
static void simultaneous(struct doca_rdma_addr *addr)
{
	int before = client.disconnects, at_server = server.disconnects;

	connect_pair(addr);
	CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
	CHECK_OK(doca_rdma_connection_disconnect(pair.peer));
	PROGRESS_UNTIL(client.disconnects == before + 1 && server.disconnects == at_server + 1);
	connect_pair(addr);
	disconnect_pair(pair.connection);
	CHECK_EQ(client.disconnects, before + 2);
}

static void ports(struct doca_rdma_addr *addr)
{
	struct doca_rdma_connection *kept;
	struct doca_rdma *other;

	CHECK_ERROR(doca_rdma_start_listen_to_port(pair.responder.rdma, PORT), DOCA_ERROR_ALREADY_EXIST);
	CHECK_OK(doca_rdma_start_listen_to_port(pair.requester.rdma, PORT)); /* another device */
	CHECK_OK(doca_rdma_stop_listen_to_port(pair.requester.rdma, PORT));
	CHECK_ERROR(doca_rdma_stop_listen_to_port(pair.requester.rdma, PORT), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_create(pair.requester.dev, &other)); /* neither started nor with callbacks */
	CHECK_ERROR(doca_rdma_connect_to_addr(other, addr, (union doca_data){ 0 }), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_destroy(other));
	connect_pair(addr);
	kept = pair.connection;
	CHECK_OK(doca_rdma_stop_listen_to_port(pair.responder.rdma, PORT));
	expect_failure(addr);
	CHECK_EQ(server.disconnects, client.disconnects); /* the connection stays */
	disconnect_pair(kept);
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, PORT));
}

/* The server has room for 4 connections. */
static void full(struct doca_rdma_addr *addr)
{
	struct doca_rdma_connection *connections[4];

	for (int i = 0; i < 4; i++) {
		connect_pair(addr);
		connections[i] = pair.peer;
	}
	CHECK_ERROR(doca_rdma_connect_to_addr(pair.requester.rdma, addr, (union doca_data){ 0 }), DOCA_ERROR_FULL);
	for (int i = 0; i < 4; i++)
		disconnect_pair(connections[i]);
}

static void many(struct doca_rdma_addr *addr)
{
	int descriptors;

	connect_pair(addr);
	disconnect_pair(pair.connection);
	descriptors = count_descriptors();
	for (int i = 0; i < MANY; i++) {
		connect_pair(addr);
		disconnect_pair(i % 2 == 0 ? pair.connection : pair.peer);
	}
	PROGRESS_UNTIL(count_descriptors() <= descriptors);
}

/* A stop of either context disconnects, and calls the program before IDLE. */
static void stop(struct doca_rdma_addr *addr)
{
	int before = client.disconnects, at_server = server.disconnects;

	connect_pair(addr);
	rdma_side_stop(&pair.responder);
	CHECK_EQ(server.disconnects, at_server + 1);
	PROGRESS_UNTIL(client.disconnects == before + 1);
	expect_failure(addr);
}

static void within_one_process(void)
{
	struct doca_rdma_addr *addr;

	open_pair();
	addresses();
	all_types();
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.81", PORT);
	tasks(addr);
	failures(addr);
	simultaneous(addr);
	ports(addr);
	full(addr);
	many(addr);
	stop(addr);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	rdma_pair_close(&pair);
}

/* The second process: a server that progresses until it is killed. */
static void serve(int ready)
{
	open_side(&pair.responder, "81:00.0");
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, PORT));
	rdma_post(&pair.responder, rdma_room(&pair.responder, 0, 64), 0);
	CHECK(write(ready, "r", 1) == 1);
	for (;;) {
		if (!doca_pe_progress(pair.responder.pe))
			sched_yield();
	}
}

static pid_t start_server(void)
{
	char byte, fd[16];
	int ready[2];
	pid_t pid;

	CHECK(pipe(ready) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		snprintf(fd, sizeof(fd), "%d", ready[1]);
		execl("/proc/self/exe", "server", "--server", fd, (char *)NULL);
		_exit(1);
	}
	close(ready[1]);
	CHECK(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	return pid;
}

/* Connects, sends, and loses the server by kill -9. */
static void between_processes(void)
{
	struct doca_rdma_addr *addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", PORT);
	pid_t pid = start_server();
	struct doca_buf *local;

	memset(&pair, 0, sizeof(pair));
	open_side(&pair.requester, "03:00.0");
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, (union doca_data){ .u64 = 5 }));
	RIG_PROGRESS_UNTIL(pair.requester.pe, client.established == 1);
	local = rdma_local(&pair, 0, 64, 1);
	rdma_submit(&pair, RDMA_SEND, client.last, local, NULL, 0);
	rdma_wait(&pair, 1);
	CHECK_OK(pair.requester.last_status);
	rig_drop(local);
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	RIG_PROGRESS_UNTIL(pair.requester.pe, client.disconnects == 1);
	CHECK_EQ(client.user_data, 5);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	rdma_side_close(&pair.requester);
	rig_check_nothing_is_left();
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--server") == 0)
		serve(atoi(argv[2]));
	make_own_folder();
	between_processes();
	within_one_process();
	remove_own_folder(); /* also of the files of the killed server */
	return 0;
}
