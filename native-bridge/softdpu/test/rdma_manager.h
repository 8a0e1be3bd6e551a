/* A client and a server of the connection manager in one process, and the main function of their tests, which repeat by TCP. */
#ifndef RDMA_MANAGER_H
#define RDMA_MANAGER_H

#include <sys/wait.h>
#include <unistd.h>

#include "rdma.h"
#include "rendezvous.h"

/* Ports of TCP lie below those that the kernel gives to sockets of clients, from 32768. */
enum { PORT = 13579, TCP_PORTS = 20000, NUM_TCP_PORTS = 12000 };

enum answer { ACCEPT, REJECT, REJECT_THEN_ACCEPT, WAIT };

struct counts {
	int requests, established, failures, disconnects;
	struct doca_rdma_connection *last;	/* of any callback */
	uint64_t user_data;			/* of the last callback that has it */
	struct doca_rdma_addr *addr;		/* of the last requested connection */
};

RIG struct rdma_pair pair;			/* requester: client; responder: server */
RIG struct counts client, server;
RIG enum answer server_answer;
RIG int is_tcp;				/* the process was started for TCP */
RIG uint16_t port = PORT;
RIG const char *server_text = "192.0.2.81";	/* address of the server */

RIG struct counts *counts_of(union doca_data ctx_data)
{
	return ctx_data.ptr == &pair.requester ? &client : &server;
}

RIG void requested(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	union doca_data data = { .u64 = 2000 };

	CHECK(ctx_data.ptr == &pair.responder);
	server.requests++;
	server.last = connection;
	CHECK_OK(doca_rdma_connection_get_addr(connection, &server.addr));
	CHECK_OK(doca_rdma_connection_set_user_data(connection, data));
	if (server_answer == ACCEPT) {
		CHECK_OK(doca_rdma_connection_accept(connection, "hello", 5));
		CHECK_ERROR(doca_rdma_connection_accept(connection, NULL, 0), DOCA_ERROR_BAD_STATE);
	} else if (server_answer != WAIT) {
		CHECK_OK(doca_rdma_connection_reject(connection));
		if (server_answer == REJECT_THEN_ACCEPT)
			CHECK_ERROR(doca_rdma_connection_accept(connection, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	}
}

RIG void note(struct counts *counts, struct doca_rdma_connection *connection, union doca_data data)
{
	counts->last = connection;
	counts->user_data = data.u64;
}

RIG void established(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	counts_of(ctx_data)->established++;
	note(counts_of(ctx_data), connection, data);
}

RIG void failed(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	counts_of(ctx_data)->failures++;
	note(counts_of(ctx_data), connection, data);
}

RIG void disconnected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	counts_of(ctx_data)->disconnects++;
	note(counts_of(ctx_data), connection, data);
	CHECK_OK(doca_rdma_connection_disconnect(connection)); /* a second time: no effect */
}

#define PROGRESS_UNTIL(condition) \
	RIG_PROGRESS_UNTIL(pair.requester.pe, (doca_pe_progress(pair.responder.pe), (condition)))

RIG void open_side(struct rdma_side *side, const char *pci_addr)
{
	rdma_side_open(side, pci_addr, RDMA_ALL);
	CHECK_OK(doca_rdma_set_permissions(side->rdma, RDMA_ALL));
	CHECK_OK(doca_rdma_set_rnr_retry_count(side->rdma, 7));
	CHECK_OK(doca_rdma_set_connection_request_timeout(side->rdma, is_tcp ? 3000 : 300)); /* TLS takes longer */
	CHECK_OK(doca_rdma_set_connection_state_callbacks(side->rdma, requested, established, failed, disconnected));
}

RIG void open_pair(void)
{
	memset(&pair, 0, sizeof(pair));
	memset(&client, 0, sizeof(client));
	memset(&server, 0, sizeof(server));
	open_side(&pair.requester, "03:00.0");
	open_side(&pair.responder, "81:00.0");
	CHECK_ERROR(doca_rdma_start_listen_to_port(pair.responder.rdma, port), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_ERROR(doca_rdma_set_connection_state_callbacks(pair.requester.rdma, NULL, established, failed, disconnected),
		    DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
	server_answer = ACCEPT;
}

RIG struct doca_rdma_addr *make_addr(enum doca_rdma_addr_type type, const char *text, uint16_t number)
{
	struct doca_rdma_addr *addr;

	CHECK_OK(doca_rdma_addr_create(type, text, number, &addr));
	return addr;
}

/* Connects, and waits for both sides. */
RIG void connect_pair(struct doca_rdma_addr *addr)
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

RIG void disconnect_pair(struct doca_rdma_connection *connection)
{
	int before = client.disconnects, at_server = server.disconnects;

	CHECK_OK(doca_rdma_connection_disconnect(connection));
	PROGRESS_UNTIL(client.disconnects > before && server.disconnects > at_server);
	CHECK_EQ(client.disconnects, before + 1);
	CHECK_EQ(server.disconnects, at_server + 1);
}

RIG void expect_failure(struct doca_rdma_addr *addr)
{
	int before = client.failures, successes = client.established;
	union doca_data data = { .u64 = 3000 };

	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, data));
	PROGRESS_UNTIL(client.failures > before);
	CHECK_EQ(client.user_data, 3000);
	CHECK_EQ(client.established, successes);
}

/* Repeats the test in a process with TCP. The port is free of the other tests that run now. */
RIG void repeat_by_tcp(void)
{
	char number[16];
	pid_t pid;
	int status;

	make_own_key();
	snprintf(number, sizeof(number), "%d", TCP_PORTS + getpid() % NUM_TCP_PORTS);
	CHECK(setenv("SOFTDPU_RDMA_PATH", "tcp", 1) == 0 && setenv("TCP_PORT", number, 1) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		execl("/proc/self/exe", "by TCP", (char *)NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	remove_key("key");
}

/* Runs a test in an own folder, then again by TCP. */
RIG void manager_main(void (*run)(void))
{
	make_own_folder();
	run();
	if (!is_tcp)
		repeat_by_tcp();
	remove_own_folder(); /* also of the files of killed servers */
}

/* Reads the settings of the repetition. */
RIG void manager_begin(void)
{
	is_tcp = getenv("TCP_PORT") != NULL;
	if (!is_tcp)
		return;
	port = (uint16_t)atoi(getenv("TCP_PORT"));
	server_text = "127.0.0.1";
}

#endif
