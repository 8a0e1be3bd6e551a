/*
 * Messages complete the receive tasks of the peer in order: lengths, immediate data, lists, no buffer, several connections, and writes
 * with immediate data. Also with inline execution.
 */
#include "rdma_messages.h"

static void fill(uint8_t *memory, size_t len, uint64_t seed)
{
	for (size_t i = 0; i < len; i++)
		memory[i] = (uint8_t)((i * 31 + seed) ^ (i >> 8));
}

static void one(enum rdma_op op, size_t len)
{
	static const enum doca_rdma_opcode opcodes[] = {
		[RDMA_SEND] = DOCA_RDMA_OPCODE_RECV_SEND,
		[RDMA_SEND_IMM] = DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM,
		[RDMA_WRITE_IMM] = DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM,
	};
	struct doca_buf *local = len == 0 ? NULL : rdma_local(&pair, 3, len, 1);
	struct doca_buf *remote = op == RDMA_WRITE_IMM && len > 0 ? rdma_remote(&pair, 5, len, 0) : NULL;
	uint8_t is_written = op == RDMA_WRITE_IMM;
	struct doca_buf *room = len == 0 ? NULL : rdma_room(&pair.responder, is_written ? 0 : 5, is_written ? 4 : len);
	const struct rdma_message *message = &pair.responder.message;

	fill(pair.requester.memory, RDMA_MEMORY, len);
	memset(pair.responder.memory, 0xee, RDMA_MEMORY);
	CHECK_OK(exchange(op, local, remote, room));
	CHECK_EQ(message->opcode, opcodes[op]);
	CHECK_EQ(message->number, 77);
	CHECK_EQ(message->len, len);
	CHECK(message->connection == pair.peer && message->buf == room);
	CHECK(op == RDMA_SEND || message->immediate == RDMA_IMMEDIATE);
	CHECK(memcmp(pair.responder.memory + 5, pair.requester.memory + 3, len) == 0);
	CHECK(pair.responder.memory[0] == 0xee && pair.responder.memory[4] == 0xee && pair.responder.memory[5 + len] == 0xee);
	CHECK(room == NULL || rig_data_len(room) == (is_written ? 0 : len)); /* a write leaves the receive buffer alone */
	for (struct doca_buf **buf = (struct doca_buf *[]){ local, remote, room, NULL }, **end = buf + 3; buf < end; buf++) {
		if (*buf != NULL)
			rig_drop(*buf);
	}
}

/* Lists on both sides, with different borders. */
static void lists(void)
{
	struct doca_buf *local = rdma_local(&pair, 0, 100, 1), *room = rdma_room(&pair.responder, 0, 7);

	fill(pair.requester.memory, 4096, 9);
	CHECK_OK(doca_buf_chain_list(local, rdma_local(&pair, 1000, 50, 1)));
	CHECK_OK(doca_buf_chain_list(room, rdma_room(&pair.responder, 100, 200)));
	CHECK_OK(exchange(RDMA_SEND, local, NULL, room));
	CHECK_EQ(pair.responder.message.len, 150);
	CHECK(memcmp(pair.responder.memory, pair.requester.memory, 7) == 0);
	CHECK(memcmp(pair.responder.memory + 100, pair.requester.memory + 7, 93) == 0);
	CHECK(memcmp(pair.responder.memory + 193, pair.requester.memory + 1000, 50) == 0);
	CHECK_EQ(rig_data_len(room), 7);
	rig_drop(local);
	rig_drop(room);
}

/*
 * Two connections of one context. The messages of both connections take the same receive tasks; each one names its own
 * connection.
 */
static void two_connections(void)
{
	struct doca_rdma_connection *second, *second_peer;
	int sent = num_ended(), received = num_received();
	struct doca_buf *local = rdma_local(&pair, 0, 8, 1);
	struct doca_buf *rooms[4];

	rdma_connect(&pair, &second, &second_peer);
	for (uint64_t i = 0; i < 4; i++) {
		rooms[i] = rdma_room(&pair.responder, 64 * i, 8);
		rdma_post(&pair.responder, rooms[i], i);
		*(uint64_t *)(void *)pair.requester.memory = 500 + i;
		rdma_submit(&pair, RDMA_SEND_IMM, i % 2 == 0 ? pair.connection : second, local, NULL, i);
		rdma_wait(&pair, sent + (int)i + 1);
		receive_until(received + (int)i + 1);
		CHECK_EQ(pair.responder.message.number, i);
		CHECK(pair.responder.message.connection == (i % 2 == 0 ? pair.peer : second_peer));
		CHECK_EQ(*(uint64_t *)(void *)(pair.responder.memory + 64 * i), 500 + i);
	}
	for (int i = 0; i < 4; i++)
		rig_drop(rooms[i]);
	rig_drop(local);
	CHECK_OK(doca_rdma_connection_disconnect(second));
}

static uint64_t next_number;

static void check_order(uint64_t number)
{
	CHECK_EQ(number, next_number++);
}

/* Many messages in flight: both sides report them in order. */
static void order(void)
{
	int sent = num_ended(), received = num_received();
	struct doca_buf *bufs[RDMA_TASKS], *rooms[RDMA_TASKS];

	next_number = 0;
	pair.requester.on_task = check_order;
	for (uint64_t i = 0; i < RDMA_TASKS; i++) {
		*(uint64_t *)(void *)(pair.requester.memory + 8 * i) = i;
		bufs[i] = rdma_local(&pair, 8 * i, 8, 1);
		rooms[i] = rdma_room(&pair.responder, 8 * i, 8);
		rdma_post(&pair.responder, rooms[i], i);
		rdma_submit(&pair, RDMA_SEND, pair.connection, bufs[i], NULL, i);
	}
	receive_until(received + RDMA_TASKS);
	rdma_wait(&pair, sent + RDMA_TASKS);
	pair.requester.on_task = NULL;
	CHECK_EQ(next_number, RDMA_TASKS);
	for (uint64_t i = 0; i < RDMA_TASKS; i++) {
		CHECK_EQ(*(uint64_t *)(void *)(pair.responder.memory + 8 * i), i);
		rig_drop(bufs[i]);
		rig_drop(rooms[i]);
	}
}

static void run(void)
{
	static const size_t lengths[] = { 0, 1, 63, 4096, 65536, 65537, RDMA_MEMORY - 16 };

	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		one(RDMA_SEND, lengths[i]);
		one(RDMA_SEND_IMM, lengths[i]);
		one(RDMA_WRITE_IMM, lengths[i]);
	}
	lists();
	two_connections();
	order();
	rdma_pair_close(&pair);
}

int main(void)
{
	run();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	run();
	return 0;
}
