/*
 * Addresses and ports of the connection manager. Addresses of all types reach the server. A port has one listener, and can be
 * closed and opened again. Again by TCP.
 */
#include <arpa/inet.h>

#include "rdma_manager.h"

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
	uint16_t number;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK_ERROR(doca_rdma_addr_create(wrong[i].type, wrong[i].text, 1, &addr), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(softdpu_quirks_set("Q10"));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		addr = (struct doca_rdma_addr *)&addr;
		CHECK_OK(doca_rdma_addr_create(wrong[i].type, wrong[i].text, 1, &addr));
		CHECK(addr == NULL);
	}
	CHECK_ERROR(doca_rdma_addr_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_GID, "fe80::1", 7);
	CHECK_OK(doca_rdma_addr_get_params(addr, &type, &text, &number));
	CHECK(type == DOCA_RDMA_ADDR_TYPE_GID && strcmp(text, "fe80::1") == 0 && number == 7);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	CHECK_OK(softdpu_quirks_set(""));
}

/* A server's connection has the address of the device and the port, from the request on. The program cannot destroy the address. */
static void check_server(enum doca_rdma_addr_type expected_type, const char *expected)
{
	enum doca_rdma_addr_type type;
	struct doca_rdma_addr *addr;
	const char *text;
	uint16_t number;

	CHECK_OK(doca_rdma_connection_get_addr(pair.peer, &addr));
	CHECK(addr == server.addr);
	CHECK_OK(doca_rdma_addr_get_params(addr, &type, &text, &number));
	CHECK(type == expected_type && strcmp(text, expected) == 0 && number == port);
	CHECK_ERROR(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
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
		struct doca_rdma_addr *addr = make_addr(right[i].type, right[i].text, port), *same;

		connect_pair(addr);
		CHECK_OK(doca_rdma_connection_get_addr(pair.connection, &same));
		CHECK(same == addr);
		check_server(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.81");
		disconnect_pair(i % 2 == 0 ? pair.connection : pair.peer);
		CHECK_OK(doca_rdma_addr_destroy(addr));
	}
}

/* A client connects to the address of a server's connection, which is freed before the client's connection. */
static void address_of_connection(struct doca_rdma_addr *addr)
{
	struct doca_rdma_addr *freed, *same;
	struct doca_rdma_connection *kept;
	enum doca_rdma_addr_type type;
	const char *text;
	uint16_t number;

	connect_pair(addr);
	CHECK_OK(doca_rdma_connection_get_addr(pair.peer, &freed));
	disconnect_pair(pair.connection);
	connect_pair(freed);
	kept = pair.connection;
	for (int i = 0; i < 6; i++) { /* more ended connections than can be open */
		connect_pair(addr);
		disconnect_pair(pair.connection);
	}
	CHECK_OK(doca_rdma_connection_get_addr(kept, &same));
	CHECK(same != freed);
	CHECK_OK(doca_rdma_addr_get_params(same, &type, &text, &number));
	CHECK(type == DOCA_RDMA_ADDR_TYPE_IPv4 && strcmp(text, server_text) == 0 && number == port);
	CHECK_ERROR(doca_rdma_addr_destroy(same), DOCA_ERROR_BAD_STATE);
	disconnect_pair(kept);
}

/* GID 0 is the address of the settings, and reaches the server. */
static void gid_of_tcp(void)
{
	struct doca_rdma_addr *addr;
	struct doca_rdma_gid gid;
	char text[64];

	CHECK_OK(doca_rdma_cap_get_gid(doca_dev_as_devinfo(pair.responder.dev), 0, 1, &gid));
	CHECK(inet_ntop(AF_INET6, gid.raw, text, sizeof(text)) != NULL);
	CHECK(strcmp(text, "::ffff:127.0.0.1") == 0);
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_GID, text, port);
	connect_pair(addr);
	check_server(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1");
	disconnect_pair(pair.connection);
	check_server(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1"); /* until the connection is freed */
	CHECK_OK(doca_rdma_addr_destroy(addr));
}

/* A virtual function has no IPv4 address. */
static void without_ipv4(void)
{
	struct doca_rdma_addr *addr;
	struct doca_rdma_gid gid;
	char text[64];

	rdma_side_stop(&pair.responder);
	rdma_side_close(&pair.responder);
	open_side(&pair.responder, "81:00.2");
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
	CHECK_OK(doca_rdma_cap_get_gid(doca_dev_as_devinfo(pair.responder.dev), 0, 1, &gid));
	CHECK(inet_ntop(AF_INET6, gid.raw, text, sizeof(text)) != NULL);
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv6, text, port);
	connect_pair(addr);
	check_server(DOCA_RDMA_ADDR_TYPE_IPv6, text);
	disconnect_pair(pair.connection);
	CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void ports(struct doca_rdma_addr *addr)
{
	struct doca_rdma_connection *kept;
	struct doca_rdma *other;

	CHECK_ERROR(doca_rdma_start_listen_to_port(pair.responder.rdma, port), DOCA_ERROR_ALREADY_EXIST);
	if (is_tcp) { /* all devices have one address */
		CHECK_ERROR(doca_rdma_start_listen_to_port(pair.requester.rdma, port), DOCA_ERROR_ALREADY_EXIST);
	} else { /* another device */
		CHECK_OK(doca_rdma_start_listen_to_port(pair.requester.rdma, port));
		CHECK_OK(doca_rdma_stop_listen_to_port(pair.requester.rdma, port));
	}
	CHECK_ERROR(doca_rdma_stop_listen_to_port(pair.requester.rdma, port), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_create(pair.requester.dev, &other)); /* neither started nor with callbacks */
	CHECK_ERROR(doca_rdma_connect_to_addr(other, addr, (union doca_data){ 0 }), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_destroy(other));
	connect_pair(addr);
	kept = pair.connection;
	CHECK_OK(doca_rdma_stop_listen_to_port(pair.responder.rdma, port));
	expect_failure(addr);
	CHECK_EQ(server.disconnects, client.disconnects); /* the connection stays */
	disconnect_pair(kept);
	CHECK_OK(doca_rdma_start_listen_to_port(pair.responder.rdma, port));
}

static void run(void)
{
	struct doca_rdma_addr *addr;

	open_pair();
	addresses();
	if (is_tcp)
		gid_of_tcp();
	else
		all_types();
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);
	ports(addr);
	address_of_connection(addr);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	if (!is_tcp)
		without_ipv4();
	rdma_pair_close(&pair);
}

int main(void)
{
	manager_begin();
	manager_main(run);
	return 0;
}
