/*
 * Writes and reads move exactly the bytes of their lists, in the order of submission per connection, while the responder does not
 * progress. Also with inline execution.
 */
#include <sys/uio.h>
#include <unistd.h>

#include "rdma.h"

static struct rdma_pair pair;

static void fill(uint8_t *memory, size_t len, uint64_t seed)
{
	for (size_t i = 0; i < len; i++)
		memory[i] = (uint8_t)((i * 31 + seed) ^ (i >> 8));
}

static void one_write(size_t offset, size_t len)
{
	uint8_t *here = pair.requester.memory, *there = pair.responder.memory;

	fill(here, RDMA_MEMORY, len);
	memset(there, 0xee, RDMA_MEMORY);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 1, offset, len));
	CHECK(memcmp(there + offset, here + offset, len) == 0);
	CHECK(offset == 0 || there[offset - 1] == 0xee);
	CHECK(offset + len == RDMA_MEMORY || there[offset + len] == 0xee);
}

static void one_read(size_t offset, size_t len)
{
	uint8_t *here = pair.requester.memory, *there = pair.responder.memory;

	fill(there, RDMA_MEMORY, len + 1);
	memset(here, 0xee, RDMA_MEMORY);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 0, offset, len));
	CHECK_EQ(pair.requester.last_read_len, len);
	CHECK(memcmp(here + offset, there + offset, len) == 0);
	CHECK(offset == 0 || here[offset - 1] == 0xee);
	CHECK(offset + len == RDMA_MEMORY || here[offset + len] == 0xee);
}

/* A local list of pieces; returns its head. */
static struct doca_buf *make_list(int is_source)
{
	struct doca_buf *head = rdma_local(&pair, 0, 100, is_source);

	CHECK_OK(doca_buf_chain_list(head, rdma_local(&pair, 1000, 1, is_source)));
	CHECK_OK(doca_buf_chain_list(head, rdma_local(&pair, 2000, 99, is_source)));
	return head;
}

static void lists(void)
{
	uint8_t *here = pair.requester.memory, *there = pair.responder.memory;
	int num_ended = pair.requester.completed;
	struct doca_buf *local = make_list(1), *remote = rdma_remote(&pair, 5, 200, 0);

	fill(here, RDMA_MEMORY, 3);
	memset(there, 0, RDMA_MEMORY);
	rdma_submit_write(&pair, pair.connection, local, remote, 0);
	rdma_wait(&pair, num_ended + 1);
	CHECK_OK(pair.requester.last_status);
	CHECK(memcmp(there + 5, here, 100) == 0 && there[105] == here[1000] && memcmp(there + 106, here + 2000, 99) == 0);
	CHECK(there[4] == 0 && there[205] == 0);
	CHECK_EQ(rig_data_len(remote), 0);
	rig_drop(local);
	rig_drop(remote);

	local = make_list(0);
	remote = rdma_remote(&pair, 5, 150, 1);
	memset(here, 0, RDMA_MEMORY);
	rdma_submit_read(&pair, pair.connection, remote, local, 0);
	rdma_wait(&pair, num_ended + 2);
	CHECK_OK(pair.requester.last_status);
	CHECK_EQ(pair.requester.last_read_len, 150);
	CHECK(memcmp(here, there + 5, 100) == 0 && here[1000] == there[105] && memcmp(here + 2000, there + 106, 49) == 0);
	CHECK(here[100] == 0 && here[2049] == 0);
	CHECK_EQ(rig_data_len(local), 100);
	rig_drop(local);
	rig_drop(remote);
}

/* Tasks without buffers move nothing and succeed. */
static void nothing(void)
{
	int num_ended = pair.requester.completed;

	rdma_submit_write(&pair, pair.connection, NULL, NULL, 0);
	rdma_submit_read(&pair, pair.connection, NULL, NULL, 1);
	rdma_wait(&pair, num_ended + 2);
	CHECK_EQ(pair.requester.failed, 0);
	CHECK_EQ(pair.requester.last_read_len, 0);
}

/* Reads bytes that the device may be writing: by the kernel, because a plain read would be a data race. */
static uint64_t peek(uint8_t *addr, size_t len)
{
	uint64_t value = 0;
	struct iovec here = { .iov_base = &value, .iov_len = len }, there = { .iov_base = addr, .iov_len = len };

	CHECK_EQ(process_vm_readv(getpid(), &here, 1, &there, 1, 0), len);
	return value;
}

/* The write that ends, or a later one of its connection, was the last one at their place. */
static void check_place(uint64_t number)
{
	CHECK(peek(pair.responder.memory + number % 2 * 64, 8) >= number);
}

/* Every write goes to the same place, and the last one of all must stay. The second connection has its own order. */
static void order(void)
{
	struct doca_rdma_connection *second, *second_peer;
	int num_ended = pair.requester.completed;
	uint64_t *values = (uint64_t *)(void *)pair.requester.memory;
	uint64_t next[2] = { 0, 1 };
	struct doca_buf *place[2];

	rdma_connect(&pair, &second, &second_peer);
	place[0] = rdma_remote(&pair, 0, 8, 0);
	place[1] = rdma_remote(&pair, 64, 8, 0);
	pair.requester.on_task = check_place;
	for (uint64_t i = 0; i < RDMA_TASKS; i++) {
		struct doca_buf *src = rdma_local(&pair, i * 8, 8, 1);

		values[i] = i;
		rdma_submit_write(&pair, i % 2 == 0 ? pair.connection : second, src, place[i % 2], i);
		rig_drop(src);
		if (i % 5 == 0)
			(void)doca_pe_progress(pair.requester.pe); /* submit while the device executes older tasks */
	}
	rdma_wait(&pair, num_ended + RDMA_TASKS);
	pair.requester.on_task = NULL;
	CHECK_EQ(pair.requester.failed, 0);
	for (int i = 0; i < RDMA_TASKS; i++) {
		uint64_t number = pair.requester.order[(num_ended + i) % (4 * RDMA_TASKS)];

		CHECK_EQ(number, next[number % 2]);
		next[number % 2] += 2;
	}
	CHECK_EQ(*(uint64_t *)(void *)pair.responder.memory, RDMA_TASKS - 2);
	CHECK_EQ(*(uint64_t *)(void *)(pair.responder.memory + 64), RDMA_TASKS - 1);
	rig_drop(place[0]);
	rig_drop(place[1]);
	CHECK_OK(doca_rdma_connection_disconnect(second));
}

/* All tasks of a connection are executed without the requester's progress. Hardware threads only. */
static void without_progress(void)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;
	int num_ended = pair.requester.completed;

	memset(pair.requester.memory, 7, 100);
	memset(pair.responder.memory, 0, 100);
	for (size_t i = 0; i < 100; i++) {
		struct doca_buf *src = rdma_local(&pair, i, 1, 1), *dst = rdma_remote(&pair, i, 1, 0);

		rdma_submit_write(&pair, pair.connection, src, dst, i);
		rig_drop(src);
		rig_drop(dst);
	}
	while (peek(pair.responder.memory + 99, 1) != 7) {
		CHECK(rig_now_ms() < deadline);
		sched_yield();
	}
	CHECK_EQ(pair.requester.completed, num_ended);
	rdma_wait(&pair, num_ended + 100);
}

static void run(void)
{
	static const size_t lengths[] = { 1, 7, 64, 4096, 65537, RDMA_MEMORY };

	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		one_write(RDMA_MEMORY - lengths[i], lengths[i]);
		one_read(0, lengths[i]);
	}
	lists();
	nothing();
	order();
}

int main(void)
{
	run();
	without_progress();
	rdma_pair_close(&pair);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	run();
	rdma_pair_close(&pair);
	return 0;
}
