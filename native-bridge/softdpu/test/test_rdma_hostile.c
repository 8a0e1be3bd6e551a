/*
 * Hostile bytes on the sockets of RDMA connections: a process of the same user sends wrong greetings, wrong packets in every state,
 * and noise. At most the addressed connection ends. Memory, other connections and posted receive tasks stay.
 */
#include "rdma_victim.h"
#include "sd_random.h"

enum { ROUNDS = 1500 };

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
	WRONG(7, .type = RDMA_MESSAGE, .total = 8);
	WRONG(9, .type = RDMA_MESSAGE, .total = 8);
	WRONG(8, .type = RDMA_MESSAGE);
	WRONG(0, .type = RDMA_MESSAGE, .value = 3);
	WRONG(0, .type = RDMA_MESSAGE, .total = (1u << 30) + 1);
	WRONG(0, .type = RDMA_MESSAGE, .total = UINT64_MAX);
	WRONG(0, .type = RDMA_MESSAGE, .value = DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM); /* without the permission */
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

	victim_begin();
	descriptors = count_descriptors();
	greetings();
	CHECK_OK(doca_rdma_connection_disconnect(victim));
	packets();
	silent();
	CHECK_OK(doca_rdma_connection_disconnect(victim));
	noise();
	victim_end(descriptors);
	return 0;
}
