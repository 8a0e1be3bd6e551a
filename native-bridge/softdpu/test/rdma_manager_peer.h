/*
 * A peer of the connection manager in another process: it may block inside a callback, or die. Each test runs again by TCP.
 */
#ifndef RDMA_MANAGER_PEER_H
#define RDMA_MANAGER_PEER_H

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>

#include "rdma_manager.h"

enum {
	PEER_SOCKET = 3,
	LONG_MS = 65000, /* timeout of connection requests: none occurs during a wait of the test */
	ROOMS = 8,
	ROOM = 64,
	ROOMS_AT = 4096,
};

static_assert(LONG_MS > RIG_LIMIT_S * 1000 && LONG_MS <= UINT16_MAX, "longer than each wait, and a value of the property");

/* The moment at which the peer blocks until the test continues it. */
enum moment { NEVER, BEFORE_PROGRESS, IN_REQUEST, IN_ESTABLISHED, IN_DISCONNECT, IN_STOPPING };

struct peer {
	pid_t pid;
	int socket;
};

/* The first message of a server: its memory. */
struct opened {
	uint64_t addr;
	size_t len;
	uint8_t desc[256];
};

RIG enum moment moment;

RIG void tell(int socket, char byte)
{
	CHECK_EQ(send(socket, &byte, 1, MSG_NOSIGNAL), 1);
}

/* Blocks until the test sends a byte. The process ends with the test. */
RIG void await_test(void)
{
	char byte;

	if (recv(PEER_SOCKET, &byte, 1, 0) != 1)
		_exit(1);
}

RIG void block_at(enum moment now)
{
	if (moment != now)
		return;
	moment = NEVER;
	tell(PEER_SOCKET, 'b');
	await_test();
}

RIG void blocking_requested(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	static uint8_t may_be_late; /* the clients of the requests before the end of the block have given up */
	doca_error_t result;

	may_be_late |= moment == IN_REQUEST;
	block_at(IN_REQUEST);
	if (!may_be_late) {
		requested(connection, ctx_data);
		return;
	}
	/* The client may have given up. Its end may arrive after the answer. */
	result = doca_rdma_connection_accept(connection, NULL, 0);
	CHECK(result == DOCA_ERROR_CONNECTION_ABORTED || result == DOCA_SUCCESS);
}

RIG void blocking_established(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	established(connection, data, ctx_data);
	block_at(IN_ESTABLISHED);
}

RIG void blocking_disconnected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	disconnected(connection, data, ctx_data);
	block_at(IN_DISCONNECT);
}

RIG void blocking_state(const union doca_data data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			   enum doca_ctx_states next)
{
	(void)data;
	(void)ctx;
	(void)previous;
	if (next == DOCA_CTX_STATE_STOPPING)
		block_at(IN_STOPPING);
}

/* Stops the context when the test sends a byte. */
RIG void progress_until_killed(const struct rdma_side *side)
{
	ssize_t len;
	char byte;

	while ((len = recv(PEER_SOCKET, &byte, 1, MSG_DONTWAIT)) != 0) {
		if (len == 1)
			CHECK_ERROR(doca_ctx_stop(side->ctx), DOCA_ERROR_IN_PROGRESS);
		if (!doca_pe_progress(side->pe))
			sched_yield();
	}
	_exit(1);
}

RIG void be_server(enum moment at)
{
	struct opened opened = { 0 };
	const void *desc;

	open_side(&pair.responder, "81:00.0");
	CHECK_OK(doca_rdma_set_connection_state_callbacks(pair.responder.rdma, blocking_requested, blocking_established, failed,
							  blocking_disconnected));
	CHECK_OK(doca_ctx_set_state_changed_cb(pair.responder.ctx, blocking_state));
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
	for (uint64_t i = 0; i < ROOMS; i++)
		rdma_post(&pair.responder, rdma_room(&pair.responder, ROOMS_AT + i * ROOM, ROOM), i);
	CHECK_OK(doca_mmap_export_rdma(pair.responder.map, pair.responder.dev, &desc, &opened.len));
	CHECK(opened.len <= sizeof(opened.desc));
	memcpy(opened.desc, desc, opened.len);
	opened.addr = (uintptr_t)pair.responder.memory;
	CHECK_EQ(send(PEER_SOCKET, &opened, sizeof(opened), MSG_NOSIGNAL), (ssize_t)sizeof(opened));
	moment = at;
	block_at(BEFORE_PROGRESS);
	progress_until_killed(&pair.responder);
}

RIG void be_client(enum moment at)
{
	struct doca_rdma_addr *addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);

	open_side(&pair.requester, "03:00.0");
	CHECK_OK(doca_rdma_set_connection_request_timeout(pair.requester.rdma, LONG_MS));
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	moment = at;
	block_at(BEFORE_PROGRESS);
	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, (union doca_data){ 0 }));
	progress_until_killed(&pair.requester);
}

RIG struct peer start_peer(const char *role, enum moment at)
{
	int sockets[2];
	struct peer peer;
	char number[8];

	snprintf(number, sizeof(number), "%d", (int)at);
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0);
	peer.pid = fork();
	CHECK(peer.pid >= 0);
	if (peer.pid == 0) {
		int to = fcntl(sockets[1], F_DUPFD_CLOEXEC, PEER_SOCKET + 1);

		dup2(to, PEER_SOCKET);
		execl("/proc/self/exe", "peer", role, number, (char *)NULL);
		_exit(1);
	}
	close(sockets[1]);
	peer.socket = sockets[0];
	return peer;
}

RIG void kill_peer(struct peer *peer)
{
	CHECK(kill(peer->pid, SIGKILL) == 0 && waitpid(peer->pid, NULL, 0) == peer->pid);
	close(peer->socket);
}

RIG void progress(void)
{
	if (pair.requester.pe != NULL)
		(void)doca_pe_progress(pair.requester.pe);
	if (pair.responder.pe != NULL)
		(void)doca_pe_progress(pair.responder.pe);
	sched_yield();
}

#define AWAIT(condition)                                                     \
	do {                                                                 \
		uint64_t await_until = rig_now_ms() + RIG_LIMIT_S * 1000;    \
		while (!(condition)) {                                       \
			progress();                                          \
			CHECK(rig_now_ms() < await_until);                   \
		}                                                            \
	} while (0)

RIG uint8_t has_blocked(const struct peer *peer)
{
	char byte;
	ssize_t len = recv(peer->socket, &byte, 1, MSG_DONTWAIT);

	CHECK(len == 1 || (len < 0 && errno == EAGAIN));
	return len == 1 && byte == 'b';
}

RIG void begin(void)
{
	memset(&pair, 0, sizeof(pair));
	memset(&client, 0, sizeof(client));
	memset(&server, 0, sizeof(server));
	server_answer = ACCEPT;
}

RIG void open_client(uint32_t limit_ms)
{
	begin();
	open_side(&pair.requester, "03:00.0");
	CHECK_OK(doca_rdma_set_connection_request_timeout(pair.requester.rdma, (uint16_t)limit_ms));
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
}

RIG void close_client(void)
{
	if (pair.remote != NULL)
		CHECK_OK(doca_mmap_destroy(pair.remote));
	rdma_side_close(&pair.requester);
	rig_check_nothing_is_left();
}

RIG void open_server(void)
{
	begin();
	open_side(&pair.responder, "81:00.0");
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
}

RIG void close_server(void)
{
	rdma_side_close(&pair.responder);
	rig_check_nothing_is_left();
}

/* Starts a server in another process, and imports its memory, if this process has a client. */
RIG struct peer start_server(enum moment at)
{
	struct peer peer = start_peer("--server", at);
	struct opened opened;

	CHECK_EQ(recv(peer.socket, &opened, sizeof(opened), 0), (ssize_t)sizeof(opened));
	if (pair.remote != NULL)
		CHECK_OK(doca_mmap_destroy(pair.remote));
	CHECK_OK(doca_mmap_create_from_export(NULL, opened.desc, opened.len, pair.requester.dev, &pair.remote));
	pair.responder.memory = (uint8_t *)(uintptr_t)opened.addr;
	return peer;
}

RIG void begin_connect(struct doca_rdma_addr *addr)
{
	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, (union doca_data){ .u64 = 5 }));
}

RIG struct doca_rdma_connection *connect_client(struct doca_rdma_addr *addr)
{
	int before = client.established;

	begin_connect(addr);
	AWAIT(client.established == before + 1);
	return client.last;
}

/* A message and accesses to the memory of the server. */
RIG void use(struct doca_rdma_connection *connection)
{
	struct doca_buf *local = rdma_local(&pair, 0, ROOM, 1);
	int ended = pair.requester.completed + pair.requester.failed;

	rdma_submit(&pair, RDMA_SEND, connection, local, NULL, 0);
	rdma_wait(&pair, ended + 1);
	CHECK_OK(pair.requester.last_status);
	rig_drop(local);
	pair.requester.memory[100] = (uint8_t)ended;
	CHECK_OK(rdma_transfer(&pair, connection, 1, 100, 1));
	pair.requester.memory[100] = 0xee;
	CHECK_OK(rdma_transfer(&pair, connection, 0, 100, 1));
	CHECK_EQ(pair.requester.memory[100], (uint8_t)ended);
}

/* Runs the test, or the peer that the arguments name. */
RIG int peer_main(int argc, char **argv, void (*run)(void))
{
	manager_begin();
	if (argc == 3 && strcmp(argv[1], "--server") == 0)
		be_server((enum moment)atoi(argv[2]));
	if (argc == 3 && strcmp(argv[1], "--client") == 0)
		be_client((enum moment)atoi(argv[2]));
	manager_main(run);
	return 0;
}

#endif
