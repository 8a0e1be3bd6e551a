/* The bridge on the software DPU's RDMA: a request, messages both ways, an atomic task, remote events, and the ends of connections. */
#include "check.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
#include <stdbool.h>
#include <string.h>

#include "doca_buf.h"
#include "doca_buf_inventory.h"
#include "doca_ctx.h"
#include "doca_dev.h"
#include "doca_mmap.h"
#include "doca_pe.h"
#include "doca_rdma.h"
#include "doca_sync_event.h"
#include "dpubridge.h"
#include "softdpu.h"

#define RDMA_ACCESS (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

enum { SLOTS = 8, AREA = 64, PORT = 4711, MAX_TURNS = 100000 };

static const uint64_t bound_ns = 1000000000ull;

struct rig {
	struct doca_dev *dev;
	struct doca_mmap *map, *remote;
	struct doca_buf_inventory *inventory;
	struct doca_buf *local, *room, *old, *number;
	struct doca_pe *pe;
	struct doca_rdma *server, *client;
	struct doca_sync_event *event;
	struct doca_sync_event_remote_net *remote_event;
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint32_t server_handle, client_handle;
	_Alignas(8) uint8_t area[AREA];
};

static void open_device(struct rig *rig)
{
	struct doca_devinfo **list;
	uint32_t count, i;

	CHECK_EQ(doca_devinfo_create_list(&list, &count), DOCA_SUCCESS);
	for (i = 0; i < count && rig->dev == NULL; i++)
		if (doca_rdma_cap_task_write_is_supported(list[i]) == DOCA_SUCCESS)
			CHECK_EQ(doca_dev_open(list[i], &rig->dev), DOCA_SUCCESS);
	CHECK_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	CHECK(rig->dev != NULL);
}

static void share_memory(struct rig *rig)
{
	const void *desc;
	size_t len;

	CHECK_EQ(doca_mmap_create(&rig->map), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_memrange(rig->map, rig->area, AREA), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_permissions(rig->map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC),
		 DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_add_dev(rig->map, rig->dev), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_start(rig->map), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_export_rdma(rig->map, rig->dev, &desc, &len), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_create_from_export(NULL, desc, len, rig->dev, &rig->remote), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_create(4, &rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_start(rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->map, rig->area, 8, &rig->local), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->map, rig->area + 8, 8, &rig->room), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->map, rig->area + 24, 8, &rig->old), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_buf_get_by_addr(rig->inventory, rig->remote, rig->area, AREA, &rig->number), DOCA_SUCCESS);
}

/* An event of this process, and what a peer imports of it. */
static void share_event(struct rig *rig)
{
	const uint8_t *desc;
	size_t len;

	CHECK_EQ(doca_sync_event_create(&rig->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_add_publisher_location_remote_net(rig->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_add_subscriber_location_cpu(rig->event, rig->dev), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_start(rig->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_export_to_remote_net(rig->event, &desc, &len), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_remote_net_create_from_export(rig->dev, desc, len, &rig->remote_event), DOCA_SUCCESS);
}

static struct doca_rdma *start(struct rig *rig, uint64_t user_data, uint32_t *handle)
{
	static const uint16_t kinds[] = { DPUBRIDGE_KIND_RDMA_RECEIVE, DPUBRIDGE_KIND_RDMA_SEND_IMM,
					  DPUBRIDGE_KIND_RDMA_FETCH_ADD, DPUBRIDGE_KIND_RDMA_EVENT_GET,
					  DPUBRIDGE_KIND_RDMA_EVENT_SET, DPUBRIDGE_KIND_RDMA_EVENT_ADD };
	struct doca_rdma *rdma;
	size_t i;

	CHECK_EQ(doca_rdma_create(rig->dev, &rdma), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_set_permissions(rdma, RDMA_ACCESS), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_set_max_num_connections(rdma, 2), DOCA_SUCCESS);
	CHECK_EQ(doca_pe_connect_ctx(rig->pe, doca_rdma_as_ctx(rdma)), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(rig->bridge, doca_rdma_as_ctx(rdma), rdma, user_data, handle), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_rdma_connect(rig->bridge, *handle, rdma, handle), DOCA_ERROR_INVALID_VALUE); /* not configured */
	CHECK_EQ(dpubridge_rdma_configure(rig->bridge, *handle), DOCA_SUCCESS);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		CHECK_EQ(dpubridge_context_configure(rig->bridge, *handle, kinds[i], 2), DOCA_SUCCESS);
	CHECK_EQ(doca_ctx_start(doca_rdma_as_ctx(rdma)), DOCA_SUCCESS);
	return rdma;
}

static void create(struct rig *rig)
{
	open_device(rig);
	share_memory(rig);
	share_event(rig);
	CHECK_EQ(dpubridge_load(DOCA_COMMON), 0);
	CHECK_EQ(dpubridge_load(DOCA_RDMA), 0);
	CHECK_EQ(doca_pe_create(&rig->pe), DOCA_SUCCESS);
	rig->bridge = dpubridge_create(rig->pe, SLOTS, 2 * SLOTS, 0, 0);
	CHECK(rig->bridge != NULL);
	rig->header = dpubridge_memory(rig->bridge);
	rig->entries = (struct dpubridge_entry *)((uint8_t *)rig->header + 4096);
	rig->records = (struct dpubridge_record *)(rig->entries + SLOTS);
	rig->server = start(rig, 1, &rig->server_handle);
	rig->client = start(rig, 2, &rig->client_handle);
}

static void put(struct rig *rig, struct dpubridge_entry entry)
{
	rig->entries[rig->header->submission_tail++ & (SLOTS - 1)] = entry;
}

/* Returns the next record, which is no change of state unless these are wanted. */
static struct dpubridge_record next_of_any(struct rig *rig, bool wants_states)
{
	uint32_t turns;

	for (turns = 0; turns < MAX_TURNS; turns++) {
		CHECK(dpubridge_enter(rig->bridge, 64) != UINT32_MAX);
		while (rig->header->completion_head != rig->header->completion_tail) {
			struct dpubridge_record record = rig->records[rig->header->completion_head++ & (2 * SLOTS - 1)];

			if (record.type != DPUBRIDGE_RECORD_CONTEXT_STATE || wants_states)
				return record;
		}
		CHECK(dpubridge_wait(rig->bridge, bound_ns, bound_ns, 0, 0) >= 0);
	}
	CHECK(!"a record");
	return (struct dpubridge_record){ .type = 0 };
}

/* Returns the next record of this type; skips changes of state. */
static struct dpubridge_record next(struct rig *rig, uint8_t type)
{
	struct dpubridge_record record = next_of_any(rig, type == DPUBRIDGE_RECORD_CONTEXT_STATE);

	CHECK_EQ(record.type, type);
	return record;
}

/* Connects the client to the server. Events arrive in any order of the two contexts. */
static void connect(struct rig *rig, struct doca_rdma_addr *addr, uint32_t *accepted, uint32_t *connected)
{
	struct dpubridge_record first, second;

	CHECK_EQ(dpubridge_rdma_connect(rig->bridge, rig->client_handle, addr, connected), DOCA_SUCCESS);
	CHECK(dpubridge_connection_pointer(rig->bridge, *connected) == NULL);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, *connected), DOCA_ERROR_AGAIN);
	first = next(rig, DPUBRIDGE_RECORD_REQUESTED);
	CHECK_EQ(first.user_data, 1);
	*accepted = first.states;
	CHECK_EQ(doca_rdma_connection_accept(dpubridge_connection_pointer(rig->bridge, *accepted), NULL, 0), DOCA_SUCCESS);
	first = next(rig, DPUBRIDGE_RECORD_CONNECTED);
	second = next(rig, DPUBRIDGE_RECORD_CONNECTED);
	CHECK_EQ(first.user_data + second.user_data, 3);
	CHECK_EQ(first.user_data == 1 ? first.states : second.states, *accepted);
	CHECK_EQ(first.user_data == 1 ? second.states : first.states, *connected);
	CHECK(dpubridge_connection_pointer(rig->bridge, *connected) != NULL);
}

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

/* Entries of tasks on the event of the server. */
static struct dpubridge_entry event_get(struct rig *rig, uint64_t user_data, uint32_t connected)
{
	return (struct dpubridge_entry){ .user_data = user_data, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_EVENT_GET,
					 .src_addr = (uintptr_t)rig->remote_event, .dst_buf = (uintptr_t)rig->old,
					 .dst_addr = (uintptr_t)(rig->area + 24), .argument = connected };
}

static struct dpubridge_entry event_add(struct rig *rig, uint64_t user_data, uint32_t connected, uint64_t summand)
{
	return (struct dpubridge_entry){ .user_data = user_data, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_EVENT_ADD,
					 .src_addr = (uintptr_t)rig->remote_event, .src_len = summand,
					 .dst_buf = (uintptr_t)rig->room, .dst_addr = (uintptr_t)(rig->area + 8),
					 .argument = connected };
}

static struct dpubridge_entry event_set(struct rig *rig, uint64_t user_data, uint32_t connected)
{
	return (struct dpubridge_entry){ .user_data = user_data, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_EVENT_SET,
					 .src_buf = (uintptr_t)rig->local, .src_addr = (uintptr_t)rig->area,
					 .dst_addr = (uintptr_t)rig->remote_event, .argument = connected };
}

static void check_done(struct rig *rig, uint64_t user_data, uint64_t produced)
{
	struct dpubridge_record record = next(rig, DPUBRIDGE_RECORD_TASK_DONE);

	CHECK_EQ(record.user_data, user_data);
	CHECK_EQ(record.produced, produced);
}

static uint64_t value_of(const struct rig *rig)
{
	uint64_t value;

	CHECK_EQ(doca_sync_event_get(rig->event, &value), DOCA_SUCCESS);
	return value;
}

/* The record has the value, and the value before an addition. The device refuses the first task for a while: the order stays. */
static void change_event(struct rig *rig, uint32_t connected)
{
	const uint64_t value = 1ull << 40;

	memcpy(rig->area, &value, 8);
	CHECK_EQ(softdpu_faults_set("rdma-event-notify-set:again=3:nth=1"), DOCA_SUCCESS);
	put(rig, event_set(rig, 30, connected));
	put(rig, event_add(rig, 31, connected, 2));
	put(rig, event_get(rig, 32, connected));
	check_done(rig, 30, 0);
	check_done(rig, 31, value);
	check_done(rig, 32, value + 2);
	softdpu_faults_clear();
	CHECK_EQ(value_of(rig), value + 2);
}

static void check_refused(struct rig *rig, struct dpubridge_entry entry)
{
	put(rig, entry);
	CHECK_EQ(next(rig, DPUBRIDGE_RECORD_REFUSED).status, DOCA_ERROR_INVALID_VALUE);
}

/* Entries without an event, without a buffer, or with another one do not reach DOCA. */
static void refuse_events(struct rig *rig, uint32_t connected)
{
	struct dpubridge_entry entry = event_get(rig, 40, connected);

	entry.src_addr = 0;
	check_refused(rig, entry);
	entry = event_get(rig, 41, connected);
	entry.dst_buf = 0;
	check_refused(rig, entry);
	entry = event_add(rig, 42, connected, 1);
	entry.src_buf = (uintptr_t)rig->local;
	check_refused(rig, entry);
	entry = event_set(rig, 43, connected);
	entry.dst_addr = 0;
	check_refused(rig, entry);
	entry = event_set(rig, 44, connected);
	entry.dst_buf = (uintptr_t)rig->room;
	check_refused(rig, entry);
}

/* Changes an event that its owner has destroyed: the task fails, and both sides of the connection end, in any order. */
static void lose_event(struct rig *rig, uint32_t accepted, uint32_t connected)
{
	uint32_t i, ended = 0;

	CHECK_EQ(doca_sync_event_stop(rig->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_destroy(rig->event), DOCA_SUCCESS);
	put(rig, event_add(rig, 50, connected, 1));
	for (i = 0; i < 3; i++) {
		struct dpubridge_record record = next_of_any(rig, false);

		if (record.type == DPUBRIDGE_RECORD_DISCONNECTED) {
			CHECK(record.states == accepted || record.states == connected);
			ended++;
			continue;
		}
		CHECK_EQ(record.type, DPUBRIDGE_RECORD_TASK_FAILED);
		CHECK_EQ(record.user_data, 50);
		CHECK_EQ(record.status, DOCA_ERROR_IO_FAILED);
		CHECK_EQ(record.produced, 0);
	}
	CHECK_EQ(ended, 2);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->client_handle, connected), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_rdma_disconnect(rig->bridge, rig->server_handle, accepted), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_remote_net_destroy(rig->remote_event), DOCA_SUCCESS);
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

static void stop(struct rig *rig, struct doca_rdma *rdma, uint32_t handle)
{
	doca_error_t status;

	status = doca_ctx_stop(doca_rdma_as_ctx(rdma));
	CHECK(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
	while ((next(rig, DPUBRIDGE_RECORD_CONTEXT_STATE).states & 0xffff) != DOCA_CTX_STATE_IDLE)
		;
	CHECK_EQ(dpubridge_context_detach(rig->bridge, handle), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_destroy(rdma), DOCA_SUCCESS);
}

static void destroy(struct rig *rig)
{
	struct softdpu_census census, empty = { 0 };

	CHECK_EQ(dpubridge_destroy(rig->bridge), 0);
	CHECK_EQ(doca_buf_dec_refcount(rig->local, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_dec_refcount(rig->room, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_dec_refcount(rig->old, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_dec_refcount(rig->number, NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_destroy(rig->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->remote), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(rig->map), DOCA_SUCCESS);
	CHECK_EQ(doca_pe_destroy(rig->pe), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(rig->dev), DOCA_SUCCESS);
	softdpu_census(&census);
	CHECK(memcmp(&census, &empty, sizeof(census)) == 0);
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
	change_event(&rig, connected);
	refuse_events(&rig, connected);
	connect(&rig, addr, &other_accepted, &other);
	overtake(&rig, connected, other);
	part(&rig, other_accepted, other);
	part(&rig, accepted, connected);
	connect(&rig, addr, &accepted, &connected);
	lose_event(&rig, accepted, connected);
	fail(&rig);
	CHECK_EQ(doca_rdma_addr_destroy(addr), DOCA_SUCCESS);
	stop(&rig, rig.client, rig.client_handle);
	stop(&rig, rig.server, rig.server_handle);
	destroy(&rig);
}

int main(void)
{
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
#endif
