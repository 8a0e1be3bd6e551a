/*
 * The connection manager: listen, request, accept, reject, time-out, disconnect from either side and from both, and full servers;
 * within one process and between two. Then all works as after export and connect. Again in inline execution, and by TCP.
 */
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "../src/rdma/wire.h"
#include "rdma_manager.h"
#include "sd_rendezvous.h"

enum { MANY = 300, REJECTED = 200, REJECTED_BEFORE = 8, BYTES_PER_REQUEST = 256, LATE_REQUESTS = 5 };

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

static void failures(struct doca_rdma_addr *addr)
{
	struct doca_rdma_addr *nobody = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, (uint16_t)(port + 1));
	struct doca_rdma_addr *nowhere = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.99", port);
	int requests = server.requests, lost = server.failures;

	expect_failure(nobody);
	expect_failure(nowhere);
	CHECK_EQ(server.requests, requests);
	server_answer = REJECT_THEN_ACCEPT;
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

/* A program may answer an ended request as long as it answers no other one, also after many newer requests have ended. */
static void late_answer(struct doca_rdma_addr *addr)
{
	struct doca_rdma_connection *first = NULL;

	server_answer = WAIT;
	for (int i = 0; i < LATE_REQUESTS;) {
		int lost = server.failures, requests = server.requests;

		expect_failure(addr);
		if (server.requests == requests)
			continue; /* the limit of the client came first: the program may never receive the request */
		PROGRESS_UNTIL(server.failures > lost);
		i++;
		if (first == NULL)
			first = server.last;
	}
	(void)mallopt(M_PERTURB, 0x55); /* freed memory is none of the states; a sanitizer finds the access itself */
	CHECK_ERROR(doca_rdma_connection_accept(first, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	(void)mallopt(M_PERTURB, 0);
	server_answer = ACCEPT;
}

/* Both disconnect before they have received the end of the other: one callback each. */
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

/* The memory of a server that rejects all requests does not grow. */
static void rejected(struct doca_rdma_addr *addr)
{
	size_t before;

	server_answer = REJECT;
	for (int i = 0; i < REJECTED_BEFORE; i++)
		expect_failure(addr);
	before = mallinfo2().uordblks;
	for (int i = 0; i < REJECTED; i++)
		expect_failure(addr);
	CHECK(mallinfo2().uordblks < before + (size_t)REJECTED * BYTES_PER_REQUEST);
	server_answer = ACCEPT;
}

/* A client requests and hangs up, and waits for the end of the server's socket. */
static void give_up(void)
{
	const struct rdma_packet request = { .type = RDMA_REQUEST, .value = RDMA_WIRE_VERSION, .key = 1 };
	char name[SD_RENDEZVOUS_NAME], scope[8], label[8];
	struct pollfd socket = { .events = POLLIN };
	uint16_t vhca_id;
	pid_t peer;

	CHECK_OK(doca_devinfo_get_vhca_id(doca_dev_as_devinfo(pair.responder.dev), &vhca_id));
	snprintf(scope, sizeof(scope), "%u", vhca_id);
	snprintf(label, sizeof(label), "%u", port);
	sd_rendezvous_name(name, "rdmacm", scope, label);
	CHECK_OK(sd_rendezvous_connect(name, &socket.fd, &peer));
	CHECK(send(socket.fd, &request, sizeof(request), MSG_NOSIGNAL) == sizeof(request));
	CHECK_EQ(shutdown(socket.fd, SHUT_WR), 0);
	CHECK_EQ(poll(&socket, 1, RIG_LIMIT_S * 1000), 1);
	close(socket.fd);
	while (doca_pe_progress(pair.responder.pe))
		;
}

/* The memory of a server does not grow if the clients give up before the program receives their requests. */
static void given_up(void)
{
	int requests = server.requests, lost = server.failures;
	size_t before;

	for (int i = 0; i < REJECTED_BEFORE; i++)
		give_up();
	before = mallinfo2().uordblks;
	for (int i = 0; i < REJECTED; i++)
		give_up();
	CHECK(mallinfo2().uordblks < before + (size_t)REJECTED * BYTES_PER_REQUEST);
	CHECK(server.requests == requests && server.failures == lost);
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
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);
	tasks(addr);
	failures(addr);
	if (!is_tcp)
		late_answer(addr);
	simultaneous(addr);
	full(addr);
	many(addr);
	rejected(addr);
	if (!is_tcp)
		given_up();
	stop(addr);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	rdma_pair_close(&pair);
}

/* The second process: a server that progresses until it is killed. */
static void serve(int ready)
{
	open_side(&pair.responder, "81:00.0");
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
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
	struct doca_rdma_addr *addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", port);
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

static void run(void)
{
	between_processes();
	within_one_process();
	if (is_tcp)
		return;
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	within_one_process();
}

int main(int argc, char **argv)
{
	manager_begin();
	if (argc == 3 && strcmp(argv[1], "--server") == 0)
		serve(atoi(argv[2]));
	manager_main(run);
	return 0;
}
