/* The bridge's tasks on sync events of RDMA peers, on the software DPU: their results, order, refusals, and an event that has ended. */
#include "check.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
#include "rdma_rig.h"
#include "doca_sync_event.h"

struct shared {
	struct doca_sync_event *event;
	struct doca_sync_event_remote_net *remote;
};

/* An event of this process, and what a peer imports of it. */
static void share(struct shared *shared, struct doca_dev *dev)
{
	const uint8_t *desc;
	size_t len;

	CHECK_EQ(doca_sync_event_create(&shared->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_add_publisher_location_remote_net(shared->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_add_subscriber_location_cpu(shared->event, dev), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_start(shared->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_export_to_remote_net(shared->event, &desc, &len), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_remote_net_create_from_export(dev, desc, len, &shared->remote), DOCA_SUCCESS);
}

/* Entries of tasks on the event of the server. */
static struct dpubridge_entry event_get(const struct rig *rig, const struct shared *shared, uint64_t user_data, uint32_t connected)
{
	return (struct dpubridge_entry){ .user_data = user_data, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_EVENT_GET,
					 .src_addr = (uintptr_t)shared->remote, .dst_buf = (uintptr_t)rig->old,
					 .dst_addr = (uintptr_t)(rig->area + 24), .argument = connected };
}

static struct dpubridge_entry event_add(const struct rig *rig, const struct shared *shared, uint64_t user_data, uint32_t connected, uint64_t summand)
{
	return (struct dpubridge_entry){ .user_data = user_data, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_EVENT_ADD,
					 .src_addr = (uintptr_t)shared->remote, .src_len = summand,
					 .dst_buf = (uintptr_t)rig->room, .dst_addr = (uintptr_t)(rig->area + 8),
					 .argument = connected };
}

static struct dpubridge_entry event_set(const struct rig *rig, const struct shared *shared, uint64_t user_data, uint32_t connected)
{
	return (struct dpubridge_entry){ .user_data = user_data, .context = rig->client_handle, .kind = DPUBRIDGE_KIND_RDMA_EVENT_SET,
					 .src_buf = (uintptr_t)rig->local, .src_addr = (uintptr_t)rig->area,
					 .dst_addr = (uintptr_t)shared->remote, .argument = connected };
}

static void check_done(struct rig *rig, uint64_t user_data, uint64_t produced)
{
	struct dpubridge_record record = next(rig, DPUBRIDGE_RECORD_TASK_DONE);

	CHECK_EQ(record.user_data, user_data);
	CHECK_EQ(record.produced, produced);
}

static uint64_t value_of(const struct shared *shared)
{
	uint64_t value;

	CHECK_EQ(doca_sync_event_get(shared->event, &value), DOCA_SUCCESS);
	return value;
}

/* The record has the value, and the value before an addition. The device refuses the first task for a while: the order stays. */
static void change_event(struct rig *rig, const struct shared *shared, uint32_t connected)
{
	const uint64_t value = 1ull << 40;

	memcpy(rig->area, &value, 8);
	CHECK_EQ(softdpu_faults_set("rdma-event-notify-set:again=3:nth=1"), DOCA_SUCCESS);
	put(rig, event_set(rig, shared, 30, connected));
	put(rig, event_add(rig, shared, 31, connected, 2));
	put(rig, event_get(rig, shared, 32, connected));
	check_done(rig, 30, 0);
	check_done(rig, 31, value);
	check_done(rig, 32, value + 2);
	softdpu_faults_clear();
	CHECK_EQ(value_of(shared), value + 2);
}

static void check_refused(struct rig *rig, struct dpubridge_entry entry)
{
	put(rig, entry);
	CHECK_EQ(next(rig, DPUBRIDGE_RECORD_REFUSED).status, DOCA_ERROR_INVALID_VALUE);
}

/* Entries without an event, without a buffer, or with another one do not reach DOCA. */
static void refuse_events(struct rig *rig, const struct shared *shared, uint32_t connected)
{
	struct dpubridge_entry entry = event_get(rig, shared, 40, connected);

	entry.src_addr = 0;
	check_refused(rig, entry);
	entry = event_get(rig, shared, 41, connected);
	entry.dst_buf = 0;
	check_refused(rig, entry);
	entry = event_add(rig, shared, 42, connected, 1);
	entry.src_buf = (uintptr_t)rig->local;
	check_refused(rig, entry);
	entry = event_set(rig, shared, 43, connected);
	entry.dst_addr = 0;
	check_refused(rig, entry);
	entry = event_set(rig, shared, 44, connected);
	entry.dst_buf = (uintptr_t)rig->room;
	check_refused(rig, entry);
}

/* Changes an event that its owner has destroyed: the task fails, and both sides of the connection end, in any order. */
static void lose_event(struct rig *rig, const struct shared *shared, uint32_t accepted, uint32_t connected)
{
	uint32_t i, ended = 0;

	CHECK_EQ(doca_sync_event_stop(shared->event), DOCA_SUCCESS);
	CHECK_EQ(doca_sync_event_destroy(shared->event), DOCA_SUCCESS);
	put(rig, event_add(rig, shared, 50, connected, 1));
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
	CHECK_EQ(doca_sync_event_remote_net_destroy(shared->remote), DOCA_SUCCESS);
}

static void run(enum softdpu_execution execution)
{
	struct rig rig = { .dev = NULL };
	struct shared shared;
	struct doca_rdma_addr *addr;
	uint32_t accepted, connected;

	CHECK_EQ(softdpu_set_execution(execution), DOCA_SUCCESS);
	create(&rig);
	share(&shared, rig.dev);
	CHECK_EQ(doca_rdma_start_listen_to_port(rig.server, PORT), DOCA_SUCCESS);
	CHECK_EQ(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", PORT, &addr), DOCA_SUCCESS);
	connect(&rig, addr, &accepted, &connected);
	change_event(&rig, &shared, connected);
	refuse_events(&rig, &shared, connected);
	lose_event(&rig, &shared, accepted, connected);
	finish(&rig, addr);
}

int main(void)
{
	run_both(run);
	return 0;
}
#endif
