/*
 * A server and its guests, each a process. Honest guests take data and confirm it; stuck guests post buffers that the server
 * cannot fill. For tests of the delay that a stuck peer may cause.
 */
#ifndef COMCH_GUESTS_H
#define COMCH_GUESTS_H

#include "../src/comch/ring.c"
#include "comch_raw.h"
#include "doca_log.h"
#include "sd_peer.h"

enum {
	RING = 64,
	ROOM = 1 << 20,
	SHORT = COMCH_MAX_STAGES / RING,
	LONG = 2 * SHORT,
	TAKEOVER_MS = 2000,
	QUICK_MS = 1500,	/* less than the time of a second takeover */
	SLACK_MS = 3000,
	CONSUMER = 7,
	SENDS_PER_PEER = 3,
	LIFE_S = 90,
};

static const char name[] = "stuck";
static struct side server;

/* @name Stuck peer */
/* @{ */
/* Posts many buffers to a consumer and never takes their data. */
RIG void offer(int fd, uint8_t *memory)
{
	int fds[COMCH_MAX_FDS], sockets[2];
	struct comch_ring *ring;

	CHECK_OK(comch_ring_create("test", RING, 0, &ring, &fds[0]));
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) == 0);
	for (uint32_t i = 0; i < RING; i++) {
		ring->slots[i].addr = (uintptr_t)memory;
		ring->slots[i].room = ROOM;
		ring->slots[i].state = COMCH_SLOT_POSTED;
	}
	ring->posted = RING;
	fds[1] = sockets[1];
	raw_send(fd, COMCH_CONSUMER_NEW, CONSUMER, NULL, 0, fds, COMCH_MAX_FDS);
}

/* memory: the claimed address of its buffers; NULL: the peer cannot be stuck in the requested way. */
RIG int run_hostile(uint8_t *memory)
{
	int fd;

	if (memory == NULL) {
		report('-');
		return 0;
	}
	fd = raw_connect(name);
	raw_greet(fd, name, NULL, NULL);
	offer(fd, memory);
	report('!');
	for (;;)
		pause();
}
/* @} */

/* @name Honest peer */
/* @{ */
RIG int run_honest(void)
{
	struct side peer;
	struct data consumer;
	char byte = 0;

	side_create_client(&peer, name);
	side_connect(NULL, &peer);
	data_create_consumer(&consumer, &peer, peer.pe);
	CHECK_OK(doca_comch_consumer_task_post_recv_set_conf(consumer.consumer, data_received, data_received, RING));
	data_start_consumer(&consumer, &peer, NULL);
	CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
	report('!');
	for (int completed = 0; !has_byte(&byte);) {
		if (!side_progress(&peer))
			sched_yield();
		if (consumer.completed == completed)
			continue;
		CHECK_OK(data_post(&consumer, (uint64_t)++completed, DATA_SLOT));
		report('+');
	}
	data_stop(&consumer, &peer, NULL);
	data_close(&consumer);
	side_close(&peer, NULL);
	return 0;
}
/* @} */

/* @name Server */
/* @{ */
struct guest {
	struct child child;
	struct data producer;
	uint32_t consumer;
};

/* Accepts a peer and creates a producer for its consumer. Returns 0 if the peer cannot be stuck in the requested way. */
RIG uint8_t admit(struct guest *guest, const char *role)
{
	struct pollfd pipe_fd;
	int known = server.num_consumers;
	char byte;

	guest->child = child_start(role, "");
	pipe_fd = (struct pollfd){ .fd = guest->child.from, .events = POLLIN };
	RIG_PROGRESS_UNTIL(server.pe, poll(&pipe_fd, 1, 0) == 1);
	CHECK_EQ(read(guest->child.from, &byte, 1), 1);
	if (byte == '-') {
		child_close(&guest->child, 0, &server);
		return 0;
	}
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_consumers == known + 1);
	guest->consumer = server.new_ids[known % COMCH_MAX_IDS];
	data_open_producer(&guest->producer, &server, server.pe);
	return 1;
}

RIG void send_to(struct guest *guest, int count, size_t len)
{
	for (int n = 0; n < count; n++)
		CHECK_OK(data_send(&guest->producer, (uint64_t)n, len, NULL, 0, guest->consumer));
}

RIG void check_since(uint64_t begin_ms, uint64_t bound_ms)
{
	uint64_t took = rig_now_ms() - begin_ms;

	if (took > bound_ms)
		fprintf(stderr, "took %llu ms, not %llu\n", (unsigned long long)took, (unsigned long long)bound_ms);
	CHECK(took <= bound_ms || getenv("SLOW_MACHINE") != NULL);
}

/* Sends data to the honest peer, which confirms it. */
RIG void serve(struct guest *honest, size_t len, uint64_t bound_ms)
{
	uint64_t begin_ms = rig_now_ms();
	int completed = honest->producer.completed;

	RIG_PROGRESS_UNTIL(server.pe, data_send(&honest->producer, 0, len, NULL, 0, honest->consumer) == DOCA_SUCCESS);
	SIDE_PROGRESS_UNTIL(&server, NULL, honest->producer.completed == completed + 1);
	child_await(&honest->child, '+', &server);
	check_since(begin_ms, bound_ms);
}

RIG void dismiss_honest(struct guest *honest)
{
	data_stop(&honest->producer, &server, NULL);
	data_close(&honest->producer);
	child_send(&honest->child, '.');
	child_close(&honest->child, 0, &server);
}

/* The end of its process ends all work for the peer. */
RIG void dismiss_stuck(struct guest *stuck)
{
	int gone = server.num_disconnected;

	child_kill(&stuck->child);
	child_close(&stuck->child, SIGKILL, &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == gone + 1);
	data_stop(&stuck->producer, &server, NULL);
	data_close(&stuck->producer);
}

RIG void open_server(uint32_t threads)
{
	CHECK_OK(softdpu_set_threads(threads));
	side_create_server(&server, name);
	CHECK_OK(doca_ctx_start(server.ctx));
}

RIG void close_server(void)
{
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == server.num_connected);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}
/* @} */

#endif
