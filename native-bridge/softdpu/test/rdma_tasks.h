/* All tasks between the test's process and the responder of rdma_process.h. */
#ifndef RDMA_TASKS_H
#define RDMA_TASKS_H

#include "rdma_parts.h"

RIG struct rdma_pair pair;
RIG struct responder responder;

RIG int num_ended(void)
{
	return pair.requester.completed + pair.requester.failed;
}

RIG doca_error_t run_one(enum rdma_op op, size_t offset, size_t len)
{
	const int is_source = op != RDMA_READ && op < RDMA_SWAP;
	const int is_event = op >= RDMA_EVENT_GET;
	struct doca_buf *local = rdma_local(&pair, offset, len, is_source || op == RDMA_EVENT_SET);
	struct doca_buf *remote = is_event || op == RDMA_SEND || op == RDMA_SEND_IMM ? NULL : rdma_remote(&pair, offset, len, !is_source);
	int ended = num_ended();

	rdma_submit(&pair, op, pair.connection, local, remote, 0);
	rdma_wait(&pair, ended + 1);
	rig_drop(local);
	if (remote != NULL)
		rig_drop(remote);
	return pair.requester.last_status;
}

RIG void fill(uint64_t seed)
{
	for (size_t i = 0; i < RDMA_MEMORY; i++)
		pair.requester.memory[i] = responder_byte(i, seed);
}

RIG void check_responder(size_t offset, size_t len, uint64_t seed)
{
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_CHECK, .offset = offset, .len = len, .seed = seed)->count, 0);
}

RIG void reads_and_writes(void)
{
	fill(1);
	CHECK_OK(run_one(RDMA_WRITE, 5, RDMA_MEMORY - 5));
	check_responder(5, RDMA_MEMORY - 5, 1);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 2);
	CHECK_OK(run_one(RDMA_READ, 3, 300000));
	for (size_t i = 3; i < 300003; i++)
		CHECK_EQ(pair.requester.memory[i], responder_byte(i, 2));
	CHECK_EQ(pair.requester.memory[2], responder_byte(2, 1));
}

RIG void numbers(void)
{
	*(uint64_t *)(void *)(pair.requester.memory + 64) = RDMA_COMPARED;
	CHECK_OK(run_one(RDMA_WRITE, 64, 8));
	CHECK_OK(run_one(RDMA_SWAP, 64, 8));
	CHECK_EQ(*(uint64_t *)(void *)(pair.requester.memory + 64), RDMA_COMPARED);
	CHECK_OK(run_one(RDMA_ADD, 64, 8));
	CHECK_EQ(*(uint64_t *)(void *)(pair.requester.memory + 64), RDMA_OPERAND);
	CHECK_OK(run_one(RDMA_READ, 64, 8));
	CHECK_EQ(*(uint64_t *)(void *)(pair.requester.memory + 64), 2 * RDMA_OPERAND);
}

/* The responder blocks until the event changes. */
RIG void events(void)
{
	const struct responder_message wait = { .order = RESPONDER_WAIT_EVENT, .count = 4 };
	uint64_t *value = (uint64_t *)(void *)pair.requester.memory;

	responder_ask(&responder, &wait);
	CHECK_OK(run_one(RDMA_EVENT_GET, 0, 8));
	CHECK_EQ(*value, 0);
	*value = 5;
	CHECK_OK(run_one(RDMA_EVENT_SET, 0, 8));
	(void)responder_answer(&responder);
	CHECK_OK(run_one(RDMA_EVENT_ADD, 0, 8));
	CHECK_EQ(*value, 5);
	CHECK_OK(run_one(RDMA_EVENT_GET, 0, 8));
	CHECK_EQ(*value, 5 + RDMA_OPERAND);
}

/* By TCP the end of a connection arrives later than by a Unix socket. Empty writes succeed until then. */
RIG void await_end(void)
{
	const uint64_t deadline = rig_now_ms() + RESPONDER_LIMIT_MS;

	if (!is_path("tcp"))
		return;
	do {
		rdma_submit(&pair, RDMA_WRITE, pair.connection, NULL, NULL, 0);
		rdma_wait(&pair, num_ended() + 1);
		CHECK(rig_now_ms() < deadline);
	} while (pair.requester.last_status == DOCA_SUCCESS);
}

RIG int num_received;

/* Returns the number of bytes that differ at the responder. */
RIG uint64_t message(enum rdma_op op, size_t len)
{
	const struct responder_message *answer;

	fill(len + op);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1, .offset = 0, .len = op == RDMA_WRITE_IMM ? 0 : len);
	CHECK_OK(run_one(op, 0, len));
	answer = RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = (uint64_t)++num_received);
	CHECK_EQ(answer->opcode, op == RDMA_SEND ? DOCA_RDMA_OPCODE_RECV_SEND :
				 op == RDMA_SEND_IMM ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM : DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
	CHECK_EQ(answer->len, len);
	CHECK(op == RDMA_SEND || answer->immediate == RDMA_IMMEDIATE);
	return RESPONDER_DO(&responder, .order = RESPONDER_CHECK, .len = len, .seed = len + op)->count;
}

enum { NUM_MESSAGES = 200, NUM_LARGE = 15, LARGE_MESSAGE = 65537 };

/* Submitted before the receive tasks exist, and in order. */
RIG void several_messages(int count, size_t len)
{
	struct doca_buf *bufs[NUM_MESSAGES];
	int ended = num_ended();

	fill(99 + len);
	for (int i = 0; i < count; i++) {
		bufs[i] = rdma_local(&pair, (size_t)i * len, len, 1);
		rdma_submit(&pair, RDMA_SEND, pair.connection, bufs[i], NULL, (uint64_t)i);
	}
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = (uint64_t)count, .len = len);
	rdma_wait(&pair, ended + count);
	CHECK_EQ(pair.requester.failed, 0);
	num_received += count;
	(void)RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = (uint64_t)num_received);
	check_responder(0, (size_t)count * len, 99 + len);
	for (int i = 0; i < count; i++)
		rig_drop(bufs[i]);
}

/* More than are sent without an answer, and messages that are too large for one packet. */
RIG void many_messages(void)
{
	several_messages(NUM_MESSAGES, RESPONDER_ROOM);
	several_messages(NUM_LARGE, LARGE_MESSAGE);
}

/* From the responder to the requester, longer than a socket's buffer. */
RIG void other_direction(void)
{
	struct doca_buf *room = rdma_room(&pair.requester, 0, RDMA_MEMORY);
	const struct responder_message order = { .order = RESPONDER_SEND, .offset = 0, .len = RDMA_MEMORY };

	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 5);
	memset(pair.requester.memory, 0, RDMA_MEMORY);
	responder_ask(&responder, &order);
	rdma_post(&pair.requester, room, 3);
	RIG_PROGRESS_UNTIL(pair.requester.pe, pair.requester.received == 1);
	CHECK_OK(responder_answer(&responder)->result);
	CHECK_EQ(pair.requester.message.len, RDMA_MEMORY);
	CHECK(pair.requester.message.connection == pair.connection);
	for (size_t i = 0; i < RDMA_MEMORY; i++)
		CHECK_EQ(pair.requester.memory[i], responder_byte(i, 5));
	rig_drop(room);
}

enum { NUM_EXCHANGED = 32, EXCHANGED = RDMA_MEMORY / 2 / NUM_EXCHANGED };

/* Many messages in both directions at the same time: more bytes than are sent without an answer. */
RIG void exchange_messages(void)
{
	const struct responder_message order = {
		.order = RESPONDER_EXCHANGE, .count = NUM_EXCHANGED, .len = EXCHANGED, .offset = RDMA_MEMORY / 2
	};
	struct doca_buf *rooms[NUM_EXCHANGED];

	fill(7);
	memcpy(pair.requester.memory + RDMA_MEMORY / 2, pair.requester.memory, RDMA_MEMORY / 2);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 8);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = NUM_EXCHANGED, .len = EXCHANGED);
	for (uint64_t i = 0; i < NUM_EXCHANGED; i++) {
		rooms[i] = rdma_room(&pair.requester, i * EXCHANGED, EXCHANGED);
		rdma_post(&pair.requester, rooms[i], i);
	}
	responder_ask(&responder, &order);
	responder_exchange(&pair.requester, pair.connection, &order);
	(void)responder_answer(&responder);
	num_received += NUM_EXCHANGED;
	CHECK_EQ(pair.requester.failed, 0);
	check_responder(0, RDMA_MEMORY / 2, 7);
	for (size_t i = 0; i < RDMA_MEMORY / 2; i++)
		CHECK_EQ(pair.requester.memory[i], responder_byte(RDMA_MEMORY / 2 + i, 8));
	for (int i = 0; i < NUM_EXCHANGED; i++)
		rig_drop(rooms[i]);
}

/* Fault "corrupt": the data that arrives differs in one bit, over each path. */
RIG void damaged_messages(void)
{
	static const size_t lengths[] = { 1, 65536, 65537 };

	num_received = 0;
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(softdpu_faults_set("rdma-send:corrupt;rdma-send-imm:corrupt;rdma-write-imm:corrupt"));
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		CHECK_EQ(message(RDMA_SEND, lengths[i]), 1);
		CHECK_EQ(message(RDMA_SEND_IMM, lengths[i]), 1);
		CHECK_EQ(message(RDMA_WRITE_IMM, lengths[i]), 1);
	}
	softdpu_faults_clear();
	responder_quit(&responder);
	responder_close_pair(&pair);
}

RIG void all_tasks(void)
{
	static const size_t lengths[] = { 1, 4096, 65537, RDMA_MEMORY };

	num_received = 0;
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	reads_and_writes();
	numbers();
	events();
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		CHECK_EQ(message(RDMA_SEND, lengths[i]), 0);
		CHECK_EQ(message(RDMA_SEND_IMM, lengths[i]), 0);
		CHECK_EQ(message(RDMA_WRITE_IMM, lengths[i]), 0);
	}
	many_messages();
	other_direction();
	exchange_messages();
	responder_quit(&responder);
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_close_pair(&pair);
	damaged_messages();
}

#endif
