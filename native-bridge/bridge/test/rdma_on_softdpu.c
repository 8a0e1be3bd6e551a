/* The bridge on the software DPU's RDMA: a request, messages both ways, an atomic task, and the ends of connections. */
#include "check.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
#include "rdma_rig.h"

static void exchange(struct rig *rig, uint32_t accepted, uint32_t connected)
{
	struct dpubridge_record first, second;

	memcpy(rig->area, "message", 8);
	put(rig, (struct dpubridge_entry){ .user_data = 10, .context = rig->server_handle, .kind = DPUBRIDGE_KIND_RDMA_RECEIVE,
					   .dst_buf = (uintptr_t)rig->room, .dst_addr = (uintptr_t)(rig->area + 8) });
	put(rig, (struct dpubridge_entry){ .user_data = 11, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_SEND_IMM,
					   .src_buf = (uintptr_t)rig->local, .src_addr = (uintptr_t)rig->area, .src_len = 8,
					   .argument = (uint64_t)0x01020304 << 32 | connected });
	first = next(rig, DPUBRIDGE_RECORD_TASK_DONE);
	second = next(rig, DPUBRIDGE_RECORD_TASK_DONE);
	CHECK_EQ(first.user_data + second.user_data, 21);
	if (first.user_data != 10)
		first = second;
	CHECK_EQ(first.states, accepted);
	CHECK_EQ(first.produced, 8);
	CHECK_EQ(first.checksum0, 0x01020304);
	CHECK_EQ(first.checksum1, DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM);
	CHECK(memcmp(rig->area + 8, "message", 8) == 0);
}

static void add(struct rig *rig, uint32_t connected)
{
	const struct dpubridge_atomic operands = { .operand = 2 };
	const uint64_t value = 40;
	uint64_t after, before;

	memcpy(rig->area + 16, &value, 8);
	put(rig, (struct dpubridge_entry){ .user_data = 12, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_FETCH_ADD,
					   .src_buf = (uintptr_t)rig->number, .src_addr = (uintptr_t)(rig->area + 16),
					   .src_len = (uintptr_t)&operands, .dst_buf = (uintptr_t)rig->room,
					   .dst_addr = (uintptr_t)(rig->area + 8), .argument = connected });
	CHECK_EQ(next(rig, DPUBRIDGE_RECORD_TASK_DONE).produced, 8);
	memcpy(&before, rig->area + 8, 8);
	memcpy(&after, rig->area + 16, 8);
	CHECK_EQ(before, 40);
	CHECK_EQ(after, 42);
}

enum { RECEIVED = 20, ADDED = 21, SENT = 22 };

/* Puts a receive, an atomic task that the fault plan refuses, and a message of the client. */
static void put_refused(struct rig *rig, const char *plan, uint32_t added, uint32_t sent)
{
	static const struct dpubridge_atomic operands = { .operand = 1 };

	CHECK_EQ(softdpu_faults_set(plan), DOCA_SUCCESS);
	put(rig, (struct dpubridge_entry){ .user_data = RECEIVED, .context = rig->server_handle,
					   .kind = DPUBRIDGE_KIND_RDMA_RECEIVE, .dst_buf = (uintptr_t)rig->room,
					   .dst_addr = (uintptr_t)(rig->area + 8) });
	put(rig, (struct dpubridge_entry){ .user_data = ADDED, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_FETCH_ADD,
					   .src_buf = (uintptr_t)rig->number, .src_addr = (uintptr_t)(rig->area + 16),
					   .src_len = (uintptr_t)&operands, .dst_buf = (uintptr_t)rig->old,
					   .dst_addr = (uintptr_t)(rig->area + 24), .argument = added });
	put(rig, (struct dpubridge_entry){ .user_data = SENT, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_SEND_IMM,
					   .src_buf = (uintptr_t)rig->local, .src_addr = (uintptr_t)rig->area, .src_len = 8,
					   .argument = sent });
}

/* The tasks of a connection keep their order: a message does not overtake a task of another kind that DOCA refuses. */
static void keep_order(struct rig *rig, uint32_t connected)
{
	uint64_t expected = ADDED;
	uint32_t i;

	put_refused(rig, "rdma-atomic-fetch-add:again=3:nth=1", connected, connected);
	for (i = RECEIVED; i <= SENT; i++) {
		uint64_t user_data = next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data;

		if (user_data != RECEIVED)
			CHECK_EQ(user_data, expected++);
	}
	softdpu_faults_clear();
}

/* A refused task holds up no other connection. */
static void overtake(struct rig *rig, uint32_t connected, uint32_t other)
{
	uint64_t first, second;

	put_refused(rig, "rdma-atomic-fetch-add:again=1000000000:nth=1", connected, other);
	first = next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data;
	second = next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data;
	CHECK_EQ(first + second, RECEIVED + SENT);
	softdpu_faults_clear();
	CHECK_EQ(next(rig, DPUBRIDGE_RECORD_TASK_DONE).user_data, ADDED);
}

/* A receive that waits for the peer's next message does not hold up the refused one behind it. */
static void receive_twice(struct rig *rig, uint32_t connected)
{
	const struct dpubridge_entry receive = { .context = rig->server_handle, .kind = DPUBRIDGE_KIND_RDMA_RECEIVE,
						 .dst_buf = (uintptr_t)rig->room, .dst_addr = (uintptr_t)(rig->area + 8) };
	const struct dpubridge_entry send = { .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_SEND_IMM,
					      .src_buf = (uintptr_t)rig->local, .src_addr = (uintptr_t)rig->area, .src_len = 8,
					      .argument = connected };
	struct dpubridge_entry second = receive;
	const uint64_t *submitted = &rig->header->counters[DPUBRIDGE_COUNTER_SUBMITTED];
	uint64_t before = *submitted;
	uint32_t i;

	CHECK_EQ(softdpu_faults_set("rdma-receive:again=3:nth=2"), DOCA_SUCCESS);
	put(rig, receive);
	second.dst_buf = (uintptr_t)rig->old;
	second.dst_addr = (uintptr_t)(rig->area + 24);
	put(rig, second);
	for (i = 0; i < 4; i++)
		CHECK_EQ(dpubridge_enter(rig->bridge, 64), 0);
	CHECK_EQ(*submitted, before + 2);
	softdpu_faults_clear();
	put(rig, send);
	put(rig, send);
	for (i = 0; i < 4; i++)
		next(rig, DPUBRIDGE_RECORD_TASK_DONE);
}

/* The handle of the side that disconnects ends at once, the other one with its own call. */
static void part(struct rig *rig, uint32_t accepted, uint32_t connected)
{
	struct dpubridge_record record;

	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->server_handle, connected), DOCA_ERROR_NOT_FOUND);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, connected), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, connected), DOCA_ERROR_NOT_FOUND);
	record = next(rig, DPUBRIDGE_RECORD_DISCONNECTED);
	CHECK_EQ(record.states, accepted);
	CHECK_EQ(record.status, DOCA_SUCCESS);
	CHECK(dpubridge_connection_pointer(rig->bridge, accepted) == NULL);
	put(rig, (struct dpubridge_entry){ .user_data = 13, .context = rig->server_handle, .kind = DPUBRIDGE_KIND_RDMA_SEND_IMM,
					   .argument = accepted });
	CHECK_EQ(next(rig, DPUBRIDGE_RECORD_REFUSED).status, DOCA_ERROR_NOT_CONNECTED);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->server_handle, accepted), DOCA_SUCCESS);
	CHECK(dpubridge_connection_pointer(rig->bridge, accepted) == NULL);
}

/* Nobody listens: the attempt fails. */
static void fail(struct rig *rig)
{
	struct doca_rdma_addr *addr;
	struct dpubridge_record record;
	uint32_t connection;

	CHECK_EQ(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", PORT + 1, &addr), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_rdma_connect(rig->bridge, rig->client_handle, addr, &connection), DOCA_SUCCESS);
	record = next(rig, DPUBRIDGE_RECORD_DISCONNECTED);
	CHECK_EQ(record.states, connection);
	CHECK_EQ(record.status, DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, connection), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_addr_destroy(addr), DOCA_SUCCESS);
}

static void run(enum softdpu_execution execution)
{
	struct rig rig = { .dev = NULL };
	struct doca_rdma_addr *addr;
	uint32_t accepted, connected, other_accepted, other;

	CHECK_EQ(softdpu_set_execution(execution), DOCA_SUCCESS);
	create(&rig);
	CHECK_EQ(doca_rdma_start_listen_to_port(rig.server, PORT), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", PORT, &addr), DOCA_SUCCESS);
	connect(&rig, addr, &accepted, &connected);
	exchange(&rig, accepted, connected);
	add(&rig, connected);
	keep_order(&rig, connected);
	connect(&rig, addr, &other_accepted, &other);
	receive_twice(&rig, connected);
	overtake(&rig, connected, other);
	part(&rig, other_accepted, other);
	part(&rig, accepted, connected);
	fail(&rig);
	finish(&rig, addr);
}

int main(void)
{
	run_both(run);
	return 0;
}
#endif
