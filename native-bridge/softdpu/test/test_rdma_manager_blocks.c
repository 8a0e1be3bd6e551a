/*
 * Servers of the connection manager in another process that block inside a callback. Each side gets one clear result, and other
 * connections work.
 */
#include "rdma_manager_peer.h"

enum { SHORT_MS = 1000, TLS_MS = 3000 /* TLS takes longer */ };

static void fail_to_connect(struct doca_rdma_addr *addr)
{
	int before = client.failures, successes = client.established;

	begin_connect(addr);
	AWAIT(client.failures == before + 1);
	CHECK_EQ(client.established, successes);
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

static void run(void)
{
	struct doca_rdma_addr *addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);

	open_client(is_tcp ? TLS_MS : SHORT_MS);
	blocks_in_request(addr);
	blocks_with_connection(addr, IN_ESTABLISHED);
	blocks_with_connection(addr, IN_DISCONNECT);
	blocks_in_stop(addr);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	close_client();
	open_server(); /* removes the sockets of the killed servers */
	close_server();
}

int main(int argc, char **argv)
{
	return peer_main(argc, argv, run);
}
