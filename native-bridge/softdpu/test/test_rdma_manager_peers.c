/*
 * Peers of the connection manager in another process, at each moment of the establishment: they are killed, or their process has
 * no descriptors. Each side gets one clear result, and later connections work.
 */
#include <stdatomic.h>
#include <sys/resource.h>

#include "doca_log.h"
#include "rdma_manager_peer.h"

enum { SHORTAGES = 2 };

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
	server_lacks_descriptors();
}

int main(int argc, char **argv)
{
	return peer_main(argc, argv, run);
}
