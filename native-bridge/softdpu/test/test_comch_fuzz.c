/*
 * Hostile and damaged bytes end only their connection. Random packets from a seed go to a live server, before and after a
 * correct greeting. The packets also go to the sockets of connections and consumers, and into shared rings, while an honest
 * client works.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "../src/comch/ring.c"
#include "comch_raw.h"
#include "doca_log.h"
#include "sd_random.h"

enum { CASES = 400, RING_CASES = 60 };

static const char name[] = "fuzz";
static struct side server, honest;
static uint64_t seed;

static uint32_t draw(uint32_t below)
{
	return (uint32_t)(sd_random_next(&seed) % below);
}

/* Sends random bytes, or a nearly correct packet. */
static void send_garbage(int fd)
{
	static uint8_t bytes[9000];
	size_t len = draw(4) == 0 ? draw(sizeof(bytes)) : draw(200);
	int fds[4] = { fd, 0, 1, 2 };

	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)draw(256);
	if (draw(3) == 0)
		(void)!send(fd, bytes, len + 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	else
		raw_send(fd, draw(9), draw(4) == 0 ? (uint32_t)sd_random_next(&seed) : draw(5), bytes, len, fds, (int)draw(5));
}

static void check_honest(void)
{
	int received = honest.num_received;

	CHECK_OK(side_send(&honest, "still there?", 12));
	SIDE_PROGRESS_UNTIL(&server, &honest, honest.num_received == received + 1);
	CHECK_EQ(side_state(&honest), DOCA_CTX_STATE_RUNNING);
}

static void answer(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	struct doca_comch_task_send *task;

	if (doca_comch_server_task_send_alloc_init(side->server, connection, bytes, len, &task) == DOCA_SUCCESS)
		CHECK_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
}

static void fuzz_connections(void)
{
	for (int i = 0; i < CASES; i++) {
		int fd = raw_connect(name);
		uint32_t packets = 1 + draw(4);

		if (draw(2))
			raw_greet(fd, name, &server, &honest);
		while (packets-- > 0)
			send_garbage(fd);
		close(fd);
		if (i % 10 == 0)
			check_honest();
	}
}

/* Creates the ring of an attacker, and maps it. Nearly half of the rings are valid. */
static int make_ring(uint32_t num_slots, int seals, struct comch_ring **mapped)
{
	size_t size = comch_ring_size(num_slots);
	int fd = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct comch_ring *ring;

	CHECK(fd >= 0 && ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, seals) == 0);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(ring != MAP_FAILED);
	ring->magic = draw(8) == 0 ? draw(5) : COMCH_RING_MAGIC;
	ring->num_slots = draw(8) == 0 ? draw(100000) : num_slots;
	ring->max_imm_len = draw(8) == 0 ? draw(1000) : COMCH_MAX_IMM;
	atomic_store(&ring->posted, sd_random_next(&seed) >> draw(64));
	atomic_store(&ring->claimed, draw(2) ? 0 : sd_random_next(&seed) >> draw(64));
	for (uint32_t i = 0; i < num_slots; i++) {
		ring->slots[i].addr = sd_random_next(&seed) >> draw(64);
		ring->slots[i].room = sd_random_next(&seed) >> draw(64);
	}
	*mapped = ring;
	return fd;
}

/* Changes a ring while the server uses it. */
static void damage_ring(struct comch_ring *ring, uint32_t num_slots)
{
	struct comch_slot *slot = &ring->slots[draw(num_slots)];

	atomic_store(&slot->state, draw(9));
	slot->addr = sd_random_next(&seed) >> draw(64);
	atomic_store(&slot->room, sd_random_next(&seed) >> draw(64));
	ring->num_slots = draw(100000);
	ring->max_imm_len = draw(100000);
	atomic_store(&ring->posted, sd_random_next(&seed) >> draw(64));
	atomic_store(&ring->claimed, draw(2) ? 0 : sd_random_next(&seed) >> draw(64));
	atomic_store(&ring->doorbell, draw(3));
}

/* Returns, mostly, both seals that a ring needs. */
static int draw_seals(void)
{
	static const int seals[] = { 0, F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_SHRINK | F_SEAL_SEAL };

	return draw(3) == 0 ? seals[draw(4)] : SIZE_SEALS;
}

/* Grows and shrinks a ring with an unsealed size while the server uses it. */
static void resize_ring(int fd)
{
	(void)!ftruncate(fd, (off_t)comch_ring_size(1u << draw(14)));
}

/* Another process with forged consumers. */
static int attack_with_rings(void)
{
	char byte;

	for (int i = 0; i < RING_CASES; i++) {
		int fd = raw_connect(name), fds[2], sockets[2];
		uint32_t num_slots = 1u << draw(14);
		struct comch_ring *ring;
		int seals;

		raw_greet(fd, name, NULL, NULL);
		CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) == 0);
		seals = draw_seals();
		fds[0] = make_ring(num_slots, seals, &ring);
		fds[1] = sockets[1];
		report('g');
		while (!has_byte(&byte))
			sched_yield();
		raw_send(fd, COMCH_CONSUMER_NEW, 7, NULL, 0, fds, 2);
		resize_ring(fds[0]);
		raw_send(fd, COMCH_CONSUMER_NEW, 9, NULL, 0, fds, 2); /* the same ring again, for another consumer */
		report('r');
		while (!has_byte(&byte))
			sched_yield();
		/* A file without seals may be shorter now than the mapping. */
		while (!has_byte(&byte)) {
			if (seals == SIZE_SEALS)
				damage_ring(ring, num_slots);
			sched_yield();
		}
		munmap(ring, comch_ring_size(num_slots));
		close(fds[0]);
		close(fds[1]);
		close(sockets[0]);
		close(fd);
	}
	return 0;
}

/* The server's producer writes into the claimed buffers of the attackers. */
static void fuzz_rings(void)
{
	int num_opened = server.num_consumers, num_written = 0;
	char attackers_seed[24];
	struct child child;

	snprintf(attackers_seed, sizeof(attackers_seed), "%" PRIu64, sd_random_next(&seed));
	child = child_start("rings", attackers_seed);
	for (int i = 0; i < RING_CASES; i++) {
		int known = server.num_consumers, gone = server.num_disconnected;
		struct data producer;

		child_await(&child, 'g', &server);
		data_open_producer(&producer, &server, server.pe);
		child_send(&child, '!');
		child_await(&child, 'r', &server);
		if (i % 2)
			SIDE_PROGRESS_UNTIL(&server, &honest, server.num_consumers > known || server.num_disconnected > gone);
		child_send(&child, '!'); /* the attacker damages its ring from now on */
		for (uint64_t n = 0; n < DATA_TASKS; n++) {
			size_t len = 1 + draw(n % 4 == 3 ? DATA_SLOT : 1000);
			doca_error_t result = data_send(&producer, n, len, NULL, 0, 7 + 2 * draw(2));

			CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN || result == DOCA_ERROR_NO_MEMORY);
		}
		child_send(&child, '!');
		data_stop(&producer, &server, &honest);
		num_written += producer.completed;
		data_close(&producer);
		SIDE_PROGRESS_UNTIL(&server, &honest, server.num_disconnected > gone);
	}
	child_close(&child, 0, &server);
	/* A refused ring tests nothing behind the refusal. */
	CHECK(server.num_consumers - num_opened > RING_CASES / 20);
	CHECK(num_written > RING_CASES / 20);
}

/* Damages the ring and the socket of a consumer of the server that its peer has received. */
static void damage_consumer(void)
{
	for (int i = 0; i < RING_CASES; i++) {
		union {
			struct cmsghdr header;
			char bytes[CMSG_SPACE(2 * sizeof(int))];
		} control;
		struct comch_packet packet = { 0 };
		struct iovec part = { &packet, sizeof(packet) };
		struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
					  .msg_controllen = sizeof(control) };
		struct { struct comch_data_packet head; uint8_t bytes[64]; } bad = { 0 };
		struct comch_ring *ring;
		struct data consumer;
		uint32_t num_slots, imm;
		int fd = raw_connect(name), fds[2], gone = server.num_disconnected;

		raw_greet(fd, name, &server, &honest);
		data_create_consumer(&consumer, &server, server.pe);
		CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
		SIDE_PROGRESS_UNTIL(&server, &honest, recvmsg(fd, &message, MSG_DONTWAIT) > 0);
		CHECK_EQ(packet.type, COMCH_CONSUMER_NEW);
		memcpy(fds, CMSG_DATA(&control.header), sizeof(fds));
		CHECK_OK(comch_ring_open(fds[0], &ring, &num_slots, &imm));
		raw_send(fd, COMCH_CONSUMER_ACK, packet.value, NULL, 0, NULL, 0);
		SIDE_PROGRESS_UNTIL(&server, &honest, data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
		for (uint64_t n = 0; n < 4; n++)
			CHECK_OK(data_post(&consumer, n, 100));
		for (uint32_t n = 0; n < 4; n++) {
			ring->slots[n].data_len = draw(2) ? 101 : UINT64_MAX;
			ring->slots[n].imm_len = draw(100);
			atomic_store(&ring->slots[n].state, draw(7));
		}
		atomic_store(&ring->claimed, draw(2) ? 4 : sd_random_next(&seed) >> 1 >> draw(60));
		bad.head = (struct comch_data_packet){ .kind = draw(5), .len = draw(65), .sequence = draw(6), .offset = draw(200) };
		(void)!send(fds[1], &bad, sizeof(bad.head) + (draw(2) ? bad.head.len : draw(64)), MSG_NOSIGNAL | MSG_DONTWAIT);
		comch_ring_close(ring);
		close(fds[0]);
		close(fds[1]);
		close(fd);
		SIDE_PROGRESS_UNTIL(&server, &honest, server.num_disconnected > gone && consumer.completed + consumer.failed == 4);
		data_stop(&consumer, &server, &honest);
		data_close(&consumer);
	}
}

/*
 * The peer claims two buffers, writes an invalid length into the first slot without a doorbell, and closes the writing end of
 * the data socket. The consumer's stop ends the connection, and the service thread sleeps before.
 */
static void damage_stopping_consumer(void)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control;
	struct comch_packet packet = { 0 };
	struct iovec part = { &packet, sizeof(packet) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	int fd = raw_connect(name), fds[2], gone = server.num_disconnected;
	struct timespec used, pause = { .tv_nsec = 100000000 };
	struct comch_ring *ring;
	uint32_t num_slots, imm;
	struct data consumer;
	int64_t before_ms;

	raw_greet(fd, name, &server, &honest);
	data_create_consumer(&consumer, &server, server.pe);
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(&server, &honest, recvmsg(fd, &message, MSG_DONTWAIT) > 0);
	memcpy(fds, CMSG_DATA(&control.header), sizeof(fds));
	CHECK_OK(comch_ring_open(fds[0], &ring, &num_slots, &imm));
	raw_send(fd, COMCH_CONSUMER_ACK, packet.value, NULL, 0, NULL, 0);
	SIDE_PROGRESS_UNTIL(&server, &honest, data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	for (uint64_t n = 0; n < 2; n++)
		CHECK_OK(data_post(&consumer, n, 100));
	CHECK_EQ(shutdown(fds[1], SHUT_WR), 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	before_ms = used.tv_sec * 1000 + used.tv_nsec / 1000000;
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	CHECK(used.tv_sec * 1000 + used.tv_nsec / 1000000 - before_ms < 50);
	atomic_store(&ring->claimed, 2);
	CHECK_ERROR(doca_ctx_stop(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	ring->slots[0].data_len = UINT64_MAX;
	atomic_store(&ring->slots[0].state, COMCH_SLOT_DONE);
	nanosleep(&(struct timespec){ .tv_nsec = 300000000 }, NULL); /* the revocation begins after 100 ms; nobody scans before */
	SIDE_PROGRESS_UNTIL(&server, &honest, server.num_disconnected > gone && consumer.completed + consumer.failed == 2);
	data_stop(&consumer, &server, &honest);
	data_close(&consumer);
	comch_ring_close(ring);
	close(fds[0]);
	close(fds[1]);
	close(fd);
}

int main(int argc, char **argv)
{
	int before;

	if (argc > 2 && strcmp(argv[1], "rings") == 0) {
		seed = strtoull(argv[2], NULL, 0);
		return attack_with_rings();
	}
	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20241121;
	make_own_folder();
	before = count_descriptors();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* each case logs a warning */
	sides_open(&server, &honest, name);
	server.on_message = answer;
	fuzz_connections();
	check_honest();
	fuzz_rings();
	CHECK_OK(softdpu_quirks_set("no-direct-copy"));
	fuzz_rings();
	CHECK_OK(softdpu_quirks_set(""));
	check_honest();
	damage_consumer();
	check_honest();
	damage_stopping_consumer();
	check_honest();
	CHECK_EQ(server.num_disconnected + 1, server.num_connected);
	sides_close(&server, &honest);
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
