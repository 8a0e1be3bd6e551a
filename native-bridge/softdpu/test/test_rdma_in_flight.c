/*
 * Several messages of one connection are on their way at the same time. The raw peer sees the packets: many messages arrive without
 * any answer, their number and bytes have limits, tasks of other kinds do not pass them, and the first failure fails all later ones.
 * The receiving side stores messages until it has receive tasks.
 */
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "rdma_victim.h"

enum { MESSAGE = 8, PART = 64 << 10, LARGE = RDMA_MEMORY / 8 };

static struct victim_packet packet;

static atomic_int data_left;			/* packets of data until the peer answers at once */
static atomic_int answering_fd;

/*
 * Replaces the function of libc, also for the library. The thread that has sent the last data continues after the service thread
 * has read the answer, and READY for the next message.
 */
ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	const struct rdma_packet *head = message->msg_iov[0].iov_base;
	ssize_t sent = syscall(SYS_sendmsg, fd, message, flags);
	uint8_t byte;

	if (atomic_load(&data_left) == 0 || head->type != RDMA_DATA || atomic_fetch_sub(&data_left, 1) > 1)
		return sent;
	answer(atomic_load(&answering_fd), RDMA_ANSWER, DOCA_SUCCESS);
	answer(atomic_load(&answering_fd), RDMA_READY, DOCA_SUCCESS);
	while (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
		sched_yield();
	return sent;
}

static void expect_nothing(int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };

	CHECK_EQ(poll(&wait, 1, 50), 0);
}

static void expect_message(int fd, size_t total, size_t carried)
{
	CHECK_EQ(receive_packet(fd, &packet), carried);
	CHECK_EQ(packet.head.type, RDMA_MESSAGE);
	CHECK_EQ(packet.head.total, total);
}

static int num_ended(void)
{
	return pair.responder.completed + pair.responder.failed;
}

static void wait_for(int ended)
{
	RIG_PROGRESS_UNTIL(pair.responder.pe, num_ended() >= ended);
	CHECK_EQ(num_ended(), ended);
}

/* Begins to count the ends of tasks again. */
static void count_again(void)
{
	pair.responder.completed = pair.responder.failed = 0;
}

static void check_order(int count)
{
	for (int i = 0; i < count; i++)
		CHECK_EQ(pair.responder.order[i], (uint64_t)i);
}

static void disconnect(int fd)
{
	CHECK_OK(doca_rdma_connection_disconnect(victim));
	close(fd);
}

/* All messages up to the limit reach a peer that does not answer. Each answer admits one more. */
static void many(void)
{
	struct doca_buf *local = victim_bytes(0, MESSAGE);
	int fd = connect_victim(), count = RDMA_MAX_AHEAD + 2;

	count_again();
	for (int i = 0; i < count; i++)
		victim_submit(i % 2 == 0 ? RDMA_SEND : RDMA_SEND_IMM, local, (uint64_t)i);
	for (int i = 0; i < RDMA_MAX_AHEAD; i++) {
		expect_message(fd, MESSAGE, MESSAGE);
		CHECK(packet.head.immediate == (i % 2 == 0 ? 0 : htobe32(RDMA_IMMEDIATE)));
		CHECK(memcmp(packet.bytes, pair.responder.memory, MESSAGE) == 0);
	}
	expect_nothing(fd);
	CHECK_EQ(num_ended(), 0);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	expect_message(fd, MESSAGE, MESSAGE);
	expect_nothing(fd);
	answer_more(fd, RDMA_ANSWER, DOCA_SUCCESS, RDMA_MAX_AHEAD - 1); /* and to all others */
	expect_message(fd, MESSAGE, MESSAGE);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	wait_for(count);
	CHECK_EQ(pair.responder.failed, 0);
	check_order(count);
	rig_drop(local);
	disconnect(fd);
}

/* Packets carry a limited number of bytes ahead. A message that is too large for a packet waits for READY; later ones do not. */
static void large(void)
{
	struct doca_buf *part = victim_bytes(0, PART), *whole = victim_bytes(0, LARGE);
	int fd = connect_victim(), fit = RDMA_MAX_AHEAD_BYTES / PART;

	count_again();
	victim_submit(RDMA_SEND, whole, 0);
	for (int i = 0; i <= fit; i++)
		victim_submit(RDMA_SEND, part, (uint64_t)i + 1);
	expect_message(fd, LARGE, 0);
	for (int i = 0; i < fit; i++)
		expect_message(fd, PART, PART);
	expect_nothing(fd);
	answer(fd, RDMA_READY, DOCA_SUCCESS);
	for (size_t done = 0; done < LARGE; done += PART) {
		CHECK_EQ(receive_packet(fd, &packet), PART);
		CHECK_EQ(packet.head.type, RDMA_DATA);
		CHECK(memcmp(packet.bytes, pair.responder.memory + done, PART) == 0);
	}
	expect_nothing(fd);
	answer_more(fd, RDMA_ANSWER, DOCA_SUCCESS, 1);
	expect_message(fd, PART, PART);
	answer_more(fd, RDMA_ANSWER, DOCA_SUCCESS, (uint64_t)fit - 1);
	wait_for(fit + 2);
	CHECK_EQ(pair.responder.failed, 0);
	check_order(fit + 2);
	rig_drop(part);
	rig_drop(whole);
	disconnect(fd);
}

/* The peer answers a message, and is ready for the next one, while the thread that has sent the data still works on the first. */
static void fast_answer(void)
{
	struct doca_buf *list = victim_bytes(0, MESSAGE);
	int fd = connect_victim();

	CHECK_OK(doca_buf_chain_list(list, victim_bytes(MESSAGE, MESSAGE)));
	count_again();
	victim_submit(RDMA_SEND, list, 0);
	victim_submit(RDMA_SEND, list, 1);
	expect_message(fd, 2 * MESSAGE, 0);
	expect_message(fd, 2 * MESSAGE, 0);
	atomic_store(&answering_fd, fd);
	atomic_store(&data_left, 2);
	answer(fd, RDMA_READY, DOCA_SUCCESS);
	for (int i = 0; i < 4; i++) {
		CHECK_EQ(receive_packet(fd, &packet), MESSAGE);
		CHECK_EQ(packet.head.type, RDMA_DATA);
	}
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	wait_for(2);
	CHECK_EQ(pair.responder.completed, 2);
	check_order(2);
	rig_drop(list);
	disconnect(fd);
}

/* The second of four messages fails: the first one has succeeded, and the later ones fail, in order. */
static void failure(doca_error_t status)
{
	struct doca_buf *local = victim_bytes(0, MESSAGE);
	int fd = connect_victim();

	count_again();
	for (uint64_t i = 0; i < 4; i++)
		victim_submit(RDMA_SEND, local, i);
	for (int i = 0; i < 4; i++)
		expect_message(fd, MESSAGE, MESSAGE);
	if (status == DOCA_SUCCESS) { /* the peer disconnects after its answer */
		answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
		close(fd);
	} else {
		answer_more(fd, RDMA_ANSWER, status, 1);
	}
	wait_for(4);
	CHECK_EQ(pair.responder.completed, 1);
	check_order(4);
	if (status != DOCA_SUCCESS)
		close(fd);
	rig_drop(local);
}

/* A write and an invalid message wait for the answers of older messages, and messages wait for a write. */
static void order(void)
{
	struct doca_buf *local = victim_bytes(0, MESSAGE), *list = victim_bytes(0, 1);
	int fd = connect_victim();

	for (int i = 0; i < RDMA_LIST_LEN; i++)
		CHECK_OK(doca_buf_chain_list(list, victim_bytes(0, 1))); /* too long */
	count_again();
	victim_submit(RDMA_SEND, local, 0);
	victim_submit(RDMA_WRITE, NULL, 1);
	victim_submit(RDMA_SEND, local, 2);
	victim_submit(RDMA_SEND, list, 3);
	expect_message(fd, MESSAGE, MESSAGE);
	expect_nothing(fd);
	CHECK_EQ(num_ended(), 0);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	expect_message(fd, MESSAGE, MESSAGE);
	wait_for(2);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	wait_for(4);
	check_order(4);
	CHECK_EQ(pair.responder.completed, 3);
	expect(fd, 0);
	close(fd);
	rig_drop(local);
	rig_drop(list);
}

/* A peer that has no receive task holds all messages, and its retries are over. */
static void refused(void)
{
	struct doca_buf *local = victim_bytes(0, MESSAGE);
	int fd = connect_victim();

	count_again();
	for (uint64_t i = 0; i < 3; i++)
		victim_submit(RDMA_SEND, local, i);
	for (int i = 0; i < 3; i++)
		expect_message(fd, MESSAGE, MESSAGE);
	answer(fd, RDMA_NOT_READY, DOCA_SUCCESS);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	answer(fd, RDMA_NOT_READY, DOCA_SUCCESS);
	wait_for(3);
	CHECK_EQ(pair.responder.completed, 1);
	check_order(3);
	close(fd);
	rig_drop(local);
}

/* --- the receiving side --- */

static void send_message(int fd, uint8_t content, size_t total, size_t carried)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };

	packet.head = (struct rdma_packet){ .type = RDMA_MESSAGE, .total = total };
	memset(packet.bytes, content, carried);
	CHECK(poll(&wait, 1, LIMIT_MS) == 1); /* room for the packet */
	send_bytes(fd, &packet, sizeof(packet.head) + carried);
}

static void expect_answers(int fd, int count)
{
	for (int answered = 0; answered < count;) {
		(void)receive_packet(fd, &packet);
		CHECK(packet.head.type == RDMA_ANSWER || packet.head.type == RDMA_NOT_READY);
		if (packet.head.type != RDMA_ANSWER)
			continue;
		CHECK_EQ(packet.head.value, DOCA_SUCCESS);
		answered += 1 + (int)packet.head.total;
	}
}

/* Messages wait for receive tasks, which get them in order. The one in the middle sends its data after READY. */
static void stored(void)
{
	struct doca_buf *rooms[RDMA_MAX_AHEAD];
	int fd = connect_and_greet(), middle = RDMA_MAX_AHEAD / 2;

	pair.responder.received = 0;
	for (int i = 0; i < RDMA_MAX_AHEAD; i++) {
		rooms[i] = rdma_room(&pair.responder, ROOM + (size_t)i * MESSAGE, MESSAGE);
		send_message(fd, (uint8_t)i, MESSAGE, i == middle ? 0 : MESSAGE);
	}
	expect(fd, RDMA_NOT_READY);
	for (int i = 0; i < RDMA_MAX_AHEAD; i++)
		rdma_post(&pair.responder, rooms[i], (uint64_t)i);
	expect_answers(fd, middle);
	do { /* without a receive task at first */
		(void)receive_packet(fd, &packet);
	} while (packet.head.type == RDMA_NOT_READY);
	CHECK_EQ(packet.head.type, RDMA_READY);
	packet.head = (struct rdma_packet){ .type = RDMA_DATA };
	memset(packet.bytes, middle, MESSAGE);
	send_bytes(fd, &packet, sizeof(packet.head) + MESSAGE);
	expect_answers(fd, RDMA_MAX_AHEAD - middle);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.received == RDMA_MAX_AHEAD);
	for (int i = 0; i < RDMA_MAX_AHEAD * MESSAGE; i++)
		CHECK_EQ(pair.responder.memory[ROOM + i], i / MESSAGE);
	CHECK_EQ(pair.responder.message.number, RDMA_MAX_AHEAD - 1);
	memset(pair.responder.memory, 0xee, RDMA_MEMORY);
	for (int i = 0; i < RDMA_MAX_AHEAD; i++)
		rig_drop(rooms[i]);
	disconnect(fd);
}

/* One message, or one byte, more than the limits ends the connection. */
static void too_many(void)
{
	int fd = connect_and_greet();

	for (int i = 0; i <= RDMA_MAX_AHEAD; i++)
		send_message(fd, 0, MESSAGE, MESSAGE);
	expect(fd, RDMA_NOT_READY);
	expect(fd, 0);
	close(fd);
	fd = connect_and_greet();
	for (int i = 0; i < RDMA_MAX_AHEAD_BYTES / PART; i++)
		send_message(fd, 0, PART, PART);
	send_message(fd, 0, 1, 1);
	expect(fd, RDMA_NOT_READY);
	expect(fd, 0);
	close(fd);
}

/* No message behind one that does not fit reaches a receive task. */
static void does_not_fit(void)
{
	struct doca_buf *room = rdma_room(&pair.responder, 0, MESSAGE);
	int fd = connect_and_greet();

	pair.responder.received = pair.responder.unreceived = 0;
	rdma_post(&pair.responder, room, 0);
	rdma_post(&pair.responder, NULL, 1);
	send_message(fd, 0, MESSAGE + 1, MESSAGE + 1);
	send_message(fd, 0, 0, 0);
	(void)receive_packet(fd, &packet);
	CHECK_EQ(packet.head.type, RDMA_ANSWER);
	CHECK_EQ(packet.head.value, DOCA_ERROR_IO_FAILED);
	expect_nothing(fd);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.unreceived == 1);
	CHECK_EQ(pair.responder.received, 0);
	disconnect(fd);
	fd = connect_and_greet();
	send_message(fd, 0, 0, 0); /* to the second receive task */
	expect(fd, RDMA_ANSWER);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.received == 1);
	disconnect(fd);
	rig_drop(room);
}

/* The send queue of the context limits the messages too. */
static void small_queue(void)
{
	struct doca_buf *local = victim_bytes(0, MESSAGE);
	int fd;

	rdma_side_stop(&pair.responder);
	CHECK_OK(doca_rdma_set_send_queue_size(pair.responder.rdma, 2));
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	rdma_connect(&pair, &pair.connection, &pair.peer); /* the stop has ended it */
	fd = connect_victim();
	count_again();
	for (uint64_t i = 0; i < 3; i++)
		victim_submit(RDMA_SEND, local, i);
	expect_message(fd, MESSAGE, MESSAGE);
	expect_message(fd, MESSAGE, MESSAGE);
	expect_nothing(fd);
	answer(fd, RDMA_ANSWER, DOCA_SUCCESS);
	expect_message(fd, MESSAGE, MESSAGE);
	answer_more(fd, RDMA_ANSWER, DOCA_SUCCESS, 1);
	wait_for(3);
	rig_drop(local);
	disconnect(fd);
}

int main(void)
{
	int descriptors;

	victim_begin();
	descriptors = count_descriptors();
	many();
	large();
	fast_answer();
	failure(DOCA_ERROR_FULL);
	failure(DOCA_SUCCESS);
	order();
	refused();
	stored();
	too_many();
	does_not_fit();
	small_queue();
	victim_end(descriptors);
	return 0;
}
