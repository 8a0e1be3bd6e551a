/*
 * Peers of the connection manager in another process, at each moment of the establishment: they are killed, they block inside a
 * callback, or their process has no descriptors. Each side gets one clear result, and later connections work. Again by TCP.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "doca_log.h"
#include "rdma_manager.h"

enum {
	PEER_SOCKET = 3,
	LONG_MS = 60000, /* longer than RIG_LIMIT_S: no wait ends for this limit */
	SHORT_MS = 1000,
	TLS_MS = 3000, /* TLS takes longer */
	ROOMS = 8,
	ROOM = 64,
	ROOMS_AT = 4096,
	SHORTAGES = 2,
};

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

static enum moment moment;

/* --- process of a peer --- */

static void tell(int socket, char byte)
{
	CHECK_EQ(send(socket, &byte, 1, MSG_NOSIGNAL), 1);
}

/* Blocks until the test sends a byte. The process ends with the test. */
static void await_test(void)
{
	char byte;

	if (recv(PEER_SOCKET, &byte, 1, 0) != 1)
		_exit(1);
}

static void block_at(enum moment now)
{
	if (moment != now)
		return;
	moment = NEVER;
	tell(PEER_SOCKET, 'b');
	await_test();
}

static void blocking_requested(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	uint8_t is_late = moment == IN_REQUEST;
	doca_error_t result;

	block_at(IN_REQUEST);
	if (!is_late) {
		requested(connection, ctx_data);
		return;
	}
	/* The client has given up. By TCP, its end may arrive after the answer. */
	result = doca_rdma_connection_accept(connection, NULL, 0);
	CHECK(result == DOCA_ERROR_CONNECTION_ABORTED || (is_tcp && result == DOCA_SUCCESS));
}

static void blocking_established(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	established(connection, data, ctx_data);
	block_at(IN_ESTABLISHED);
}

static void blocking_disconnected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	disconnected(connection, data, ctx_data);
	block_at(IN_DISCONNECT);
}

static void blocking_state(const union doca_data data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			   enum doca_ctx_states next)
{
	(void)data;
	(void)ctx;
	(void)previous;
	if (next == DOCA_CTX_STATE_STOPPING)
		block_at(IN_STOPPING);
}

/* Stops the context when the test sends a byte. */
static void progress_until_killed(const struct rdma_side *side)
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

static void be_server(enum moment at)
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

static void be_client(enum moment at)
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

/* --- process of the test --- */

static struct peer start_peer(const char *role, enum moment at)
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

static void kill_peer(struct peer *peer)
{
	CHECK(kill(peer->pid, SIGKILL) == 0 && waitpid(peer->pid, NULL, 0) == peer->pid);
	close(peer->socket);
}

static void progress(void)
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

static uint8_t has_blocked(const struct peer *peer)
{
	char byte;
	ssize_t len = recv(peer->socket, &byte, 1, MSG_DONTWAIT);

	CHECK(len == 1 || (len < 0 && errno == EAGAIN));
	return len == 1 && byte == 'b';
}

static void begin(void)
{
	memset(&pair, 0, sizeof(pair));
	memset(&client, 0, sizeof(client));
	memset(&server, 0, sizeof(server));
	server_answer = ACCEPT;
}

static void open_client(uint32_t limit_ms)
{
	begin();
	open_side(&pair.requester, "03:00.0");
	CHECK_OK(doca_rdma_set_connection_request_timeout(pair.requester.rdma, (uint16_t)limit_ms));
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
}

static void close_client(void)
{
	if (pair.remote != NULL)
		CHECK_OK(doca_mmap_destroy(pair.remote));
	rdma_side_close(&pair.requester);
	rig_check_nothing_is_left();
}

static void open_server(void)
{
	begin();
	open_side(&pair.responder, "81:00.0");
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
}

static void close_server(void)
{
	rdma_side_close(&pair.responder);
	rig_check_nothing_is_left();
}

/* Starts a server in another process, and imports its memory, if this process has a client. */
static struct peer start_server(enum moment at)
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

static void begin_connect(struct doca_rdma_addr *addr)
{
	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, (union doca_data){ .u64 = 5 }));
}

static struct doca_rdma_connection *connect_client(struct doca_rdma_addr *addr)
{
	int before = client.established;

	begin_connect(addr);
	AWAIT(client.established == before + 1);
	return client.last;
}

static void fail_to_connect(struct doca_rdma_addr *addr)
{
	int before = client.failures, successes = client.established;

	begin_connect(addr);
	AWAIT(client.failures == before + 1);
	CHECK_EQ(client.established, successes);
}

/* A message and accesses to the memory of the server. */
static void use(struct doca_rdma_connection *connection)
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

/* The server dies before its program receives the request, or while the program decides. The client does not wait for its limit. */
static void server_is_killed(void)
{
	static const enum moment moments[] = { BEFORE_PROGRESS, IN_REQUEST };
	struct doca_rdma_addr *addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);
	struct peer peer;

	open_client(LONG_MS);
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		int failures = client.failures;

		peer = start_server(moments[i]);
		if (moments[i] == BEFORE_PROGRESS)
			AWAIT(has_blocked(&peer));
		begin_connect(addr);
		if (moments[i] == IN_REQUEST)
			AWAIT(has_blocked(&peer));
		kill_peer(&peer);
		AWAIT(client.failures == failures + 1);
		CHECK_EQ(client.user_data, 5);
	}
	CHECK(client.established == 0 && client.disconnects == 0);
	peer = start_server(NEVER);
	use(connect_client(addr));
	kill_peer(&peer);
	AWAIT(client.disconnects == 1);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	close_client();
}

/* The client dies while the server's program decides: the request fails, and cannot be accepted. */
static void client_is_killed(void)
{
	struct peer peer;

	open_server();
	for (int i = 0; i < 2; i++) {
		int requests = server.requests, failures = server.failures;

		server_answer = WAIT;
		peer = start_peer("--client", NEVER);
		AWAIT(server.requests == requests + 1);
		kill_peer(&peer);
		AWAIT(server.failures == failures + 1);
		CHECK_ERROR(doca_rdma_connection_accept(server.last, NULL, 0), DOCA_ERROR_CONNECTION_ABORTED);
	}
	CHECK(server.established == 0 && server.disconnects == 0);
	server_answer = ACCEPT;
	peer = start_peer("--client", NEVER);
	AWAIT(server.established == 1);
	kill_peer(&peer);
	AWAIT(server.disconnects == 1);
	close_server();
}

/* The client dies before the server's program receives the request: the program does not receive it. */
static void client_is_killed_early(void)
{
	int descriptors;
	struct peer peer;

	open_server();
	descriptors = count_descriptors() + 1; /* with the socket of the peer's process */
	peer = start_peer("--client", NEVER);
	for (uint64_t until = rig_now_ms() + RIG_LIMIT_S * 1000; count_descriptors() <= descriptors; sched_yield())
		CHECK(rig_now_ms() < until);
	kill_peer(&peer);
	for (uint64_t until = rig_now_ms() + RIG_LIMIT_S * 1000; count_descriptors() >= descriptors; sched_yield())
		CHECK(rig_now_ms() < until);
	while (doca_pe_progress(pair.responder.pe))
		;
	CHECK(server.requests == 0 && server.failures == 0);
	close_server();
}

/* The server's program blocks in the callback of a request: this request and the next one reach the client's limit. */
static void blocks_in_request(struct doca_rdma_addr *addr)
{
	int failures = client.failures;
	struct peer peer = start_server(IN_REQUEST);

	begin_connect(addr);
	AWAIT(has_blocked(&peer));
	begin_connect(addr);
	AWAIT(client.failures == failures + 2);
	tell(peer.socket, 'g');
	use(connect_client(addr));
	kill_peer(&peer);
	AWAIT(client.disconnects == 1);
}

/* The server's program blocks in the callback of an established or ended connection: connections that are up work. */
static void blocks_with_connection(struct doca_rdma_addr *addr, enum moment at)
{
	int disconnects = client.disconnects;
	struct peer peer = start_server(at);
	struct doca_rdma_connection *connection = connect_client(addr);

	if (at == IN_DISCONNECT) {
		struct doca_rdma_connection *other = connect_client(addr);

		CHECK_OK(doca_rdma_connection_disconnect(other));
		disconnects++;
	}
	AWAIT(has_blocked(&peer));
	AWAIT(client.disconnects == disconnects);
	use(connection);
	fail_to_connect(addr);
	use(connection);
	tell(peer.socket, 'g');
	use(connect_client(addr));
	use(connection);
	kill_peer(&peer);
	AWAIT(client.disconnects == disconnects + 2);
}

/* The server's program blocks in the callback of its context, which stops: the connection has ended, and the port is closed. */
static void blocks_in_stop(struct doca_rdma_addr *addr)
{
	int disconnects = client.disconnects, ended = pair.requester.completed + pair.requester.failed;
	struct peer peer = start_server(IN_STOPPING);
	struct doca_rdma_connection *connection = connect_client(addr);

	tell(peer.socket, 's');
	AWAIT(has_blocked(&peer));
	AWAIT(client.disconnects == disconnects + 1);
	rdma_submit(&pair, RDMA_SEND, connection, NULL, NULL, 0);
	rdma_wait(&pair, ended + 1);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	fail_to_connect(addr);
	kill_peer(&peer);
}

static void server_blocks(void)
{
	struct doca_rdma_addr *addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);

	open_client(is_tcp ? TLS_MS : SHORT_MS);
	blocks_in_request(addr);
	blocks_with_connection(addr, IN_ESTABLISHED);
	blocks_with_connection(addr, IN_DISCONNECT);
	blocks_in_stop(addr);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	close_client();
}

static atomic_int num_lines;

static void flush(char *text)
{
	CHECK(strstr(text, "accept4") != NULL && strstr(text, strerror(EMFILE)) != NULL);
	atomic_fetch_add(&num_lines, 1);
}

/* The server's process has no descriptor for a client: it logs that once, and the client waits until the shortage is over. */
static void server_lacks_descriptors(void)
{
	static char line[1024];
	struct doca_log_backend *backend;
	struct rlimit limit, none;

	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), flush, &backend));
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	open_server();
	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	none = limit;
	none.rlim_cur = 0;
	for (int i = 1; i <= SHORTAGES; i++) {
		struct peer peer = start_peer("--client", BEFORE_PROGRESS);

		CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
		AWAIT(has_blocked(&peer));
		tell(peer.socket, 'g');
		AWAIT(atomic_load(&num_lines) == i);
		CHECK_EQ(server.requests, i - 1);
		CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
		AWAIT(server.established == i);
		kill_peer(&peer);
		AWAIT(server.disconnects == i);
	}
	CHECK_EQ(atomic_load(&num_lines), SHORTAGES);
	close_server();
}

static void run(void)
{
	server_is_killed();
	client_is_killed();
	client_is_killed_early();
	server_blocks();
	server_lacks_descriptors();
}

int main(int argc, char **argv)
{
	manager_begin();
	if (argc == 3 && strcmp(argv[1], "--server") == 0)
		be_server((enum moment)atoi(argv[2]));
	if (argc == 3 && strcmp(argv[1], "--client") == 0)
		be_client((enum moment)atoi(argv[2]));
	manager_main(run);
	return 0;
}
