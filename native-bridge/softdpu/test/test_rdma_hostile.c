/*
 * Hostile bytes on the sockets of RDMA connections: a process of the same user sends wrong greetings, wrong packets in every state,
 * and noise. At most the addressed connection ends. Memory, other connections and posted receive tasks stay.
 */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../src/rdma/rdma_details.h"
#include "../src/rdma/wire.h"
#include "doca_log.h"
#include "rdma.h"
#include "rendezvous.h"
#include "sd_random.h"
#include "sd_rendezvous.h"

enum { ROUNDS = 1500, LIMIT_MS = 20000, KEY = 4711, ROOM = 100 };

static struct rdma_pair pair;
static struct doca_rdma_connection *victim;
static struct rdma_details details;		/* of the victim */

static int connect_raw(void)
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

static void export_victim(void)
{
	const void *desc;
	size_t len;

	CHECK_OK(doca_rdma_export(pair.responder.rdma, &desc, &len, &victim));
	CHECK_EQ(len, sizeof(details));
	memcpy(&details, desc, len);
}

static void send_bytes(int fd, const void *bytes, size_t len)
{
	CHECK(send(fd, bytes, len, MSG_NOSIGNAL) >= 0 || errno == EPIPE || errno == ECONNRESET || errno == EAGAIN);
}

static struct rdma_packet hello(void)
{
	return (struct rdma_packet){ .type = RDMA_HELLO, .value = RDMA_WIRE_VERSION, .key = KEY, .peer_key = details.key };
}

/* Receives a packet. Returns its type, or 0 at the end of the socket. */
static uint32_t receive(int fd, struct rdma_packet *packet)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	ssize_t len;

	CHECK(poll(&wait, 1, LIMIT_MS) == 1);
	len = recv(fd, packet, sizeof(*packet), 0);
	CHECK(len <= 0 || len == sizeof(*packet));
	return len <= 0 ? 0 : packet->type;
}

static void expect(int fd, uint32_t type)
{
	struct rdma_packet packet;

	CHECK_EQ(receive(fd, &packet), type);
}

static int connect_and_greet(void)
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

#define REFUSED(change)                                             \
	do {                                                        \
		struct rdma_packet wrong = hello();                 \
		int wrong_fd = connect_raw();                       \
		wrong.change;                                       \
		send_bytes(wrong_fd, &wrong, sizeof(wrong));        \
		expect(wrong_fd, 0);                                \
		close(wrong_fd);                                    \
	} while (0)

static void greetings(void)
{
	struct rdma_packet greeting;
	int fd, second;

	export_victim();
	greeting = hello();
	REFUSED(type = RDMA_MESSAGE);
	REFUSED(value += 1);
	REFUSED(key = 0);
	REFUSED(peer_key += 1);
	fd = connect_raw();
	send_bytes(fd, &greeting, sizeof(greeting) - 1);
	expect(fd, 0);
	close(fd);
	fd = connect_raw();
	send_bytes(fd, &greeting, sizeof(greeting));
	expect(fd, RDMA_WELCOME);
	second = connect_raw(); /* the victim has a peer */
	send_bytes(second, &greeting, sizeof(greeting));
	expect(second, 0);
	close(second);
	close(fd);
}

/* One packet after the greeting, which ends the connection. */
static void wrong_packet(const struct rdma_packet *packet, size_t data_len)
{
	uint8_t bytes[sizeof(*packet) + 200] = { 0 };
	struct rdma_packet answer;
	int fd = connect_and_greet();

	memcpy(bytes, packet, sizeof(*packet));
	send_bytes(fd, bytes, sizeof(*packet) + data_len);
	CHECK_EQ(receive(fd, &answer), 0);
	close(fd);
}

#define WRONG(data_len, ...) wrong_packet(&(const struct rdma_packet){ __VA_ARGS__ }, data_len)

static void packets(void)
{
	WRONG(0, .type = 0);
	WRONG(0, .type = 99);
	WRONG(0, .type = RDMA_HELLO);
	WRONG(0, .type = RDMA_WELCOME);
	WRONG(0, .type = RDMA_CROSSED);
	WRONG(0, .type = RDMA_READY);
	WRONG(0, .type = RDMA_NOT_READY);
	WRONG(0, .type = RDMA_ANSWER);
	WRONG(8, .type = RDMA_DATA);
	WRONG(8, .type = RDMA_MESSAGE, .total = 8);
	WRONG(0, .type = RDMA_MESSAGE, .value = 3);
	WRONG(0, .type = RDMA_MESSAGE, .total = (1u << 30) + 1);
	WRONG(0, .type = RDMA_MESSAGE, .total = UINT64_MAX);
	WRONG(0, .type = RDMA_MESSAGE, .value = DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM); /* without the permission */
}

/* A message that begins correctly, and goes wrong. The receive task is posted again, or fails if data arrived. */
static void messages(void)
{
	struct doca_buf *room = rdma_room(&pair.responder, 0, ROOM);
	const struct rdma_packet message = { .type = RDMA_MESSAGE, .total = ROOM };
	struct {
		struct rdma_packet head;
		uint8_t bytes[ROOM + 1];
	} data = { .head = { .type = RDMA_DATA } };
	int fd = connect_and_greet();

	rdma_post(&pair.responder, room, 1);
	send_bytes(fd, &message, sizeof(message));
	expect(fd, RDMA_READY);
	send_bytes(fd, &message, sizeof(message)); /* a second one */
	expect(fd, 0);
	close(fd);

	fd = connect_and_greet();
	send_bytes(fd, &message, sizeof(message));
	expect(fd, RDMA_READY); /* the same receive task */
	send_bytes(fd, &data, sizeof(data.head) + ROOM + 1);
	expect(fd, 0);
	close(fd);

	fd = connect_and_greet();
	send_bytes(fd, &message, sizeof(message));
	expect(fd, RDMA_READY);
	send_bytes(fd, &data, sizeof(data.head) + 10);
	close(fd);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.unreceived == 1);
	CHECK_EQ(pair.responder.received, 0);
	CHECK(pair.responder.memory[10] == 0xee);
	rig_drop(room);
}

static void sign(struct rdma_details *forged)
{
	const uint8_t *bytes = (const uint8_t *)forged;

	forged->check = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < offsetof(struct rdma_details, check); i++)
		forged->check = (forged->check ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Connects the victim to this socket, and lets it send ROOM bytes. */
static int let_victim_send(struct doca_buf *local)
{
	struct rdma_pair sender = { .requester = pair.responder };
	int fd = connect_and_greet();
	struct rdma_details forged = details;

	forged.key = KEY;
	forged.pid = 1;
	sign(&forged);
	CHECK_OK(doca_rdma_connect(pair.responder.rdma, &forged, sizeof(forged), victim));
	rdma_submit(&sender, RDMA_SEND, victim, local, NULL, 0);
	expect(fd, RDMA_MESSAGE);
	return fd;
}

static void answer(int fd, uint32_t type, doca_error_t status)
{
	const struct rdma_packet packet = { .type = type, .value = (uint32_t)status };

	send_bytes(fd, &packet, sizeof(packet));
}

static void wait_for_task(doca_error_t expected)
{
	int ended = pair.responder.completed + pair.responder.failed;

	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.completed + pair.responder.failed > ended);
	CHECK_ERROR(pair.responder.last_status, expected);
}

static void receive_data(int fd, uint8_t data[sizeof(struct rdma_packet) + ROOM + 1])
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	CHECK(poll(&wait, 1, LIMIT_MS) == 1);
	CHECK_EQ(recv(fd, data, sizeof(struct rdma_packet) + ROOM + 1, 0), sizeof(struct rdma_packet) + ROOM);
}

/* The victim sends; its peer answers too early, twice, or with an error. */
static void answers(void)
{
	struct doca_buf *local;
	uint8_t data[sizeof(struct rdma_packet) + ROOM + 1];
	int fd;

	CHECK_OK(doca_buf_inventory_buf_get_by_data(pair.responder.inventory, pair.responder.map, pair.responder.memory, ROOM,
						    &local));
	fd = let_victim_send(local);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS); /* no byte was sent */
	wait_for_task(DOCA_ERROR_IO_FAILED);
	close(fd);
	fd = let_victim_send(local);
	answer(fd, RDMA_ANSWER, DOCA_ERROR_FULL);
	wait_for_task(DOCA_ERROR_IO_FAILED);
	close(fd);
	fd = let_victim_send(local);
	answer(fd, RDMA_READY, DOCA_SUCCESS);
	receive_data(fd, data);
	answer(fd, RDMA_READY, DOCA_SUCCESS); /* a second one */
	wait_for_task(DOCA_ERROR_IO_FAILED);
	close(fd);
	fd = let_victim_send(local);
	answer(fd, RDMA_READY, DOCA_SUCCESS);
	receive_data(fd, data);
	CHECK(memcmp(data + sizeof(struct rdma_packet), pair.responder.memory, ROOM) == 0);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	wait_for_task(DOCA_SUCCESS);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	expect(fd, 0);
	close(fd);
	rig_drop(local);
}

/* More silent sockets than the listener keeps: a real peer gets through. */
static void silent(void)
{
	int fds[100];

	export_victim();
	for (int i = 0; i < 100; i++)
		fds[i] = connect_raw();
	close(connect_and_greet());
	for (int i = 0; i < 100; i++)
		close(fds[i]);
}

static void noise(void)
{
	uint8_t packet[300];
	uint64_t random = 3;

	for (int i = 0; i < ROUNDS; i++) {
		int fd = i % 2 == 0 ? connect_and_greet() : connect_raw();

		for (int count = 0; count < 4; count++) {
			size_t len = sd_random_next(&random) % sizeof(packet);

			for (size_t at = 0; at < sizeof(packet); at++)
				packet[at] = (uint8_t)sd_random_next(&random);
			memset(packet, 0, 8);
			packet[0] = (uint8_t)(sd_random_next(&random) % 10);
			packet[4] = (uint8_t)(sd_random_next(&random) % 4);
			if (i % 3 == 0)
				memset(packet + 10, 0, 20);
			send_bytes(fd, packet, len);
		}
		close(fd);
		if (i % 2 == 0)
			CHECK_OK(doca_rdma_connection_disconnect(victim));
	}
}

int main(void)
{
	int descriptors;

	make_own_folder();
	rdma_pair_open(&pair, RDMA_ALL, DOCA_ACCESS_FLAG_RDMA_READ);
	memset(pair.responder.memory, 0xee, RDMA_MEMORY);
	/* The warnings about invalid packets are expected. */
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	close(connect_and_greet());
	CHECK_OK(doca_rdma_connection_disconnect(victim));
	descriptors = count_descriptors();
	greetings();
	CHECK_OK(doca_rdma_connection_disconnect(victim));
	packets();
	messages();
	answers();
	silent();
	CHECK_OK(doca_rdma_connection_disconnect(victim));
	noise();
	for (size_t i = 10; i < RDMA_MEMORY; i++)
		CHECK_EQ(pair.responder.memory[i], 0xee);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 0, 0, 64)); /* the connection within the process works */
	RIG_PROGRESS_UNTIL(pair.responder.pe, count_descriptors() <= descriptors);
	rdma_pair_close(&pair);
	remove_own_folder();
	return 0;
}
