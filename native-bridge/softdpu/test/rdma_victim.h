/* A connection of this process, and a raw peer of it: a socket that sends any bytes. */
#ifndef RDMA_VICTIM_H
#define RDMA_VICTIM_H

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../src/rdma/rdma_details.h"
#include "../src/rdma/wire.h"
#include "doca_log.h"
#include "rdma.h"
#include "rendezvous.h"
#include "sd_rendezvous.h"

enum { LIMIT_MS = RIG_LIMIT_S * 1000, KEY = 4711, ROOM = 100 };

RIG struct rdma_pair pair;
RIG struct doca_rdma_connection *victim;
RIG struct rdma_details details;		/* of the victim */

RIG int connect_raw(void)
{
	char name[SD_RENDEZVOUS_NAME], scope[16], label[24];
	pid_t peer;
	int fd;

	snprintf(scope, sizeof(scope), "%u", details.pid);
	snprintf(label, sizeof(label), "%llx", (unsigned long long)details.port);
	sd_rendezvous_name(name, "rdma", scope, label);
	CHECK_OK(sd_rendezvous_connect(name, &fd, &peer));
	return fd;
}

RIG void export_victim(void)
{
	const void *desc;
	size_t len;

	CHECK_OK(doca_rdma_export(pair.responder.rdma, &desc, &len, &victim));
	CHECK_EQ(len, sizeof(details));
	memcpy(&details, desc, len);
}

RIG void send_bytes(int fd, const void *bytes, size_t len)
{
	CHECK(send(fd, bytes, len, MSG_NOSIGNAL) >= 0 || errno == EPIPE || errno == ECONNRESET || errno == EAGAIN);
}

RIG struct rdma_packet hello(void)
{
	return (struct rdma_packet){
		.type = RDMA_HELLO,
		.value = RDMA_WIRE_VERSION,
		.key = KEY,
		.peer_key = details.key,
		.permissions = RDMA_ALL,
	};
}

/* Receives a packet. Returns its type, or 0 at the end of the socket. */
RIG uint32_t receive(int fd, struct rdma_packet *packet)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	ssize_t len;

	CHECK(poll(&wait, 1, LIMIT_MS) == 1);
	len = recv(fd, packet, sizeof(*packet), 0);
	CHECK(len <= 0 || len == sizeof(*packet));
	return len <= 0 ? 0 : packet->type;
}

RIG void expect(int fd, uint32_t type)
{
	struct rdma_packet packet;

	CHECK_EQ(receive(fd, &packet), type);
}

RIG int connect_and_greet(void)
{
	struct rdma_packet greeting;
	int fd;

	export_victim();
	greeting = hello();
	fd = connect_raw();
	send_bytes(fd, &greeting, sizeof(greeting));
	expect(fd, RDMA_WELCOME);
	return fd;
}

/* --- messages of the victim to the raw peer --- */

struct victim_packet {
	struct rdma_packet head;
	uint8_t bytes[RDMA_MEMORY];
};

RIG void sign(struct rdma_details *forged)
{
	const uint8_t *bytes = (const uint8_t *)forged;

	forged->check = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < offsetof(struct rdma_details, check); i++)
		forged->check = (forged->check ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Connects the victim to the raw socket, which it can send to then. */
RIG int connect_victim(void)
{
	int fd = connect_and_greet();
	struct rdma_details forged = details;

	forged.key = KEY;
	forged.pid = 1;
	sign(&forged);
	CHECK_OK(doca_rdma_connect(pair.responder.rdma, &forged, sizeof(forged), victim));
	return fd;
}

RIG struct doca_buf *victim_bytes(size_t offset, size_t len)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_data(pair.responder.inventory, pair.responder.map, pair.responder.memory + offset,
						    len, &buf));
	return buf;
}

RIG void victim_submit(enum rdma_op op, struct doca_buf *local, uint64_t number)
{
	struct rdma_pair sender = { .requester = pair.responder };

	rdma_submit(&sender, op, victim, local, NULL, number);
}

/* Receives a packet, also with data. Returns the length of the data. */
RIG size_t receive_packet(int fd, struct victim_packet *packet)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	ssize_t len;

	CHECK(poll(&wait, 1, LIMIT_MS) == 1);
	len = recv(fd, packet, sizeof(*packet), 0);
	CHECK(len >= (ssize_t)sizeof(packet->head));
	return (size_t)len - sizeof(packet->head);
}

RIG void answer_more(int fd, uint32_t type, doca_error_t status, uint64_t more)
{
	const struct rdma_packet packet = { .type = type, .value = (uint32_t)status, .total = more };

	send_bytes(fd, &packet, sizeof(packet));
}

RIG void answer(int fd, uint32_t type, doca_error_t status)
{
	answer_more(fd, type, status, 0);
}

/* Opens the victim's context. The warnings about invalid packets are expected. */
RIG void victim_begin(void)
{
	make_own_folder();
	rdma_pair_open(&pair, RDMA_ALL, DOCA_ACCESS_FLAG_RDMA_READ);
	memset(pair.responder.memory, 0xee, RDMA_MEMORY);
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	close(connect_and_greet());
	CHECK_OK(doca_rdma_connection_disconnect(victim));
}

/* Memory and the connection within the process are as before, and no descriptor is left. */
RIG void victim_end(int descriptors)
{
	for (size_t i = 10; i < RDMA_MEMORY; i++)
		CHECK_EQ(pair.responder.memory[i], 0xee);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 0, 0, 64));
	RIG_PROGRESS_UNTIL(pair.responder.pe, count_descriptors() <= descriptors);
	rdma_pair_close(&pair);
	remove_own_folder();
}

#endif
