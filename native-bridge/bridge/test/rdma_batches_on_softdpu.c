/* Batches of RDMA through the bridge: connections share the tasks of a context, and a batch leaves tasks to the others. */
#include "check.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
#include "rdma_rig.h"

enum { COUNT = 3, BATCH = 30, RECEIVED = 31, ADDED = 32 };

struct sends {
	struct dpubridge_batch head;
	struct dpubridge_entry entries[COUNT];
	struct dpubridge_result results[COUNT];
};

static void put_batch(struct rig *rig, struct sends *batch, uint32_t connected)
{
	batch->head.next = batch->head.ended = batch->head.failures = 0;
	put(rig, (struct dpubridge_entry){ .user_data = BATCH, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_SEND,
					   .flags = DPUBRIDGE_FLAG_BATCH, .src_addr = (uintptr_t)&batch->head,
					   .argument = connected });
}

static void fill(struct rig *rig, struct sends *batch, uint32_t connected)
{
	uint32_t i;

	*batch = (struct sends){ .head = { .count = COUNT, .limit = 1 } };
	for (i = 0; i < COUNT; i++)
		batch->entries[i] = (struct dpubridge_entry){ .src_buf = (uintptr_t)rig->local, .src_addr = (uintptr_t)rig->area,
							      .src_len = i + 1, .argument = connected };
}

/* Completes the next task of the batch. Returns the length of the message. */
static uint64_t receive(struct rig *rig, uint64_t *num_ended)
{
	uint64_t length = 0;

	put(rig, (struct dpubridge_entry){ .user_data = RECEIVED, .context = rig->server_handle,
					   .kind = DPUBRIDGE_KIND_RDMA_RECEIVE, .dst_buf = (uintptr_t)rig->room,
					   .dst_addr = (uintptr_t)(rig->area + 8) });
	while (length == 0) {
		struct dpubridge_record record = next(rig, DPUBRIDGE_RECORD_TASK_DONE);

		if (record.user_data == RECEIVED)
			length = record.produced;
		else
			*num_ended += record.user_data == BATCH;
	}
	return length;
}

/* Without a receive, the first task of the batch lasts. Its limit keeps the second one back; a task of the other connection passes. */
static void pass(struct rig *rig, struct sends *batch, uint32_t connected, uint32_t other)
{
	static const struct dpubridge_atomic operands = { .operand = 1 };
	uint64_t num_ended = 0;
	uint32_t i;

	put_batch(rig, batch, connected);
	put(rig, (struct dpubridge_entry){ .user_data = ADDED, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_FETCH_ADD,
					   .src_buf = (uintptr_t)rig->number, .src_addr = (uintptr_t)(rig->area + 16),
					   .src_len = (uintptr_t)&operands, .dst_buf = (uintptr_t)rig->old,
					   .dst_addr = (uintptr_t)(rig->area + 24), .argument = other });
	CHECK_EQ(next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data, ADDED);
	CHECK_EQ(batch->head.next, 1);
	for (i = 0; i < COUNT; i++)
		CHECK_EQ(receive(rig, &num_ended), i + 1);
	if (num_ended == 0)
		CHECK_EQ(next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data, BATCH);
	CHECK_EQ(batch->head.ended, COUNT);
	CHECK_EQ(batch->head.failures, 0);
}

/* The second run of a batch loses its connection: the task in flight is flushed, and the others are refused one by one. */
static void lose(struct rig *rig, struct sends *batch, uint32_t connected, uint32_t accepted)
{
	struct dpubridge_record record;
	bool is_known = false, has_ended = false;

	put_batch(rig, batch, connected);
	CHECK_EQ(dpubridge_enter(rig->bridge, 64), 0);
	CHECK_EQ(batch->head.next, 1);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, connected), DOCA_SUCCESS);
	while (!is_known || !has_ended) {
		record = next_of_any(rig, false);
		is_known |= record.type == DPUBRIDGE_RECORD_DISCONNECTED && record.states == accepted;
		has_ended |= record.type == DPUBRIDGE_RECORD_TASK_DONE && record.user_data == BATCH;
	}
	CHECK_EQ(batch->head.failures, COUNT);
	CHECK_EQ(batch->results[0].outcome, -DOCA_ERROR_IO_FAILED);
	CHECK_EQ(batch->results[1].outcome, -DOCA_ERROR_NOT_CONNECTED);
	CHECK_EQ(batch->results[2].outcome, -DOCA_ERROR_NOT_CONNECTED);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->server_handle, accepted), DOCA_SUCCESS);
}

/* A withdrawn batch ends the tasks that were not submitted; the record follows the task in flight. */
static void withdraw(struct rig *rig, struct sends *batch, uint32_t connected)
{
	uint64_t num_ended = 0;

	fill(rig, batch, connected);
	put_batch(rig, batch, connected);
	CHECK_EQ(dpubridge_enter(rig->bridge, 64), 0);
	CHECK_EQ(dpubridge_context_withdraw(rig->bridge, rig->client_handle, BATCH, DOCA_ERROR_TIME_OUT), 0);
	CHECK_EQ(batch->head.failures, COUNT - 1);
	CHECK_EQ(receive(rig, &num_ended), 1);
	if (num_ended == 0)
		CHECK_EQ(next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data, BATCH);
	CHECK_EQ(batch->results[0].outcome, 0);
	CHECK_EQ(batch->results[COUNT - 1].outcome, -DOCA_ERROR_TIME_OUT);
}

/* A limit that grows during the run admits more tasks when the next one ends. */
static void widen(struct rig *rig, struct sends *batch, uint32_t connected)
{
	uint64_t num_ended = 0;
	uint32_t turns;

	fill(rig, batch, connected);
	put_batch(rig, batch, connected);
	CHECK_EQ(dpubridge_enter(rig->bridge, 64), 0);
	CHECK_EQ(batch->head.next, 1);
	batch->head.limit = COUNT;
	CHECK_EQ(receive(rig, &num_ended), 1);
	for (turns = 0; turns < MAX_TURNS && batch->head.ended == 0; turns++) {
		CHECK(dpubridge_wait(rig->bridge, bound_ns, bound_ns, 0, 0) >= 0);
		CHECK(dpubridge_enter(rig->bridge, 64) != UINT32_MAX);
	}
	CHECK_EQ(batch->head.ended, 1);
	CHECK_EQ(batch->head.next, COUNT);
	CHECK_EQ(receive(rig, &num_ended), 2);
	CHECK_EQ(receive(rig, &num_ended), COUNT);
	if (num_ended == 0)
		CHECK_EQ(next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data, BATCH);
	CHECK_EQ(batch->head.failures, 0);
}

static void part(struct rig *rig, uint32_t accepted, uint32_t connected)
{
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, connected), DOCA_SUCCESS);
	CHECK_EQ(next(rig, DPUBRIDGE_RECORD_DISCONNECTED).states, accepted);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->server_handle, accepted), DOCA_SUCCESS);
}

static void run(enum softdpu_execution execution)
{
	struct rig rig = { .dev = NULL };
	struct sends batch;
	struct doca_rdma_addr *addr;
	uint32_t accepted, connected, other_accepted, other;

	CHECK_EQ(softdpu_set_execution(execution), DOCA_SUCCESS);
	create(&rig);
	CHECK_EQ(doca_rdma_start_listen_to_port(rig.server, PORT), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", PORT, &addr), DOCA_SUCCESS);
	connect(&rig, addr, &accepted, &connected);
	connect(&rig, addr, &other_accepted, &other);
	fill(&rig, &batch, connected);
	pass(&rig, &batch, connected, other);
	lose(&rig, &batch, connected, accepted);
	withdraw(&rig, &batch, other);
	widen(&rig, &batch, other);
	part(&rig, other_accepted, other);
	finish(&rig, addr);
}

int main(void)
{
	run_both(run);
	return 0;
}
#endif
