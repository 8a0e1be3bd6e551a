/* Immediate data that a consumer receives: up to 32 bytes arrive complete, and more is an error of the task. */
#include "bridge_test.h"

enum { COUNT = 2, LIMIT = DPUBRIDGE_IMMEDIATE_BYTES, PRODUCER_ID = 9, OTHER_BYTE = 0x55 };

struct batch {
	struct dpubridge_batch head;
	struct dpubridge_entry entries[COUNT];
	struct dpubridge_result results[COUNT];
};

static const uint8_t bytes[LIMIT + 1] = "0123456789abcdef0123456789ABCDEF!";

static void create(struct rig *rig)
{
	CHECK_EQ(dpubridge_load(FAKE_PRODUCER), 0);
	rig_create(rig, 8, 32, 1);
	CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMCH_CONSUMER_RECV, COUNT), 0);
	CHECK_EQ(dpubridge_context_queue(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMCH_CONSUMER_RECV, 1), 0);
	rig_start(rig);
	fake_ctx_finish_at_once(rig->ctx, true);
}

static struct dpubridge_entry *put(struct rig *rig)
{
	struct dpubridge_entry *entry = rig_put(rig, 1, 0);

	entry->kind = DPUBRIDGE_KIND_COMCH_CONSUMER_RECV;
	entry->src_buf = 0;
	return entry;
}

static struct dpubridge_record receive(struct rig *rig, uint32_t len)
{
	fake_receive_immediate(rig->ctx, bytes, len);
	CHECK_EQ(dpubridge_enter(rig->bridge, 8), 1);
	return rig_take(rig);
}

static void test_single(void)
{
	struct dpubridge_record record;
	struct rig rig;

	create(&rig);
	put(&rig);
	record = receive(&rig, LIMIT);
	CHECK_EQ(record.status, 0);
	CHECK_EQ(record.states, PRODUCER_ID);
	CHECK_EQ(record.immediate_length, LIMIT);
	CHECK(memcmp(record.immediate, bytes, LIMIT) == 0);
	put(&rig);
	CHECK_EQ(receive(&rig, LIMIT + 1).status, TOO_BIG);
	rig_destroy(&rig);
}

static void run_batch(struct rig *rig, struct batch *batch, uint32_t len)
{
	struct dpubridge_entry *entry = put(rig);
	uint32_t i;

	entry->flags = DPUBRIDGE_FLAG_BATCH;
	entry->src_addr = (uintptr_t)&batch->head;
	*batch = (struct batch){ .head = { .count = COUNT } };
	for (i = 0; i < COUNT; i++) {
		memset(&batch->entries[i], OTHER_BYTE, LIMIT);
		batch->entries[i].dst_buf = (uintptr_t)&rig->dst;
		batch->entries[i].dst_addr = (uintptr_t)rig->dst.head;
	}
	CHECK_EQ(receive(rig, len).type, DPUBRIDGE_RECORD_TASK_DONE);
}

static void test_batch(void)
{
	static struct batch batch;
	struct rig rig;
	uint32_t i;

	create(&rig);
	run_batch(&rig, &batch, LIMIT);
	CHECK_EQ(batch.head.failures, 0);
	for (i = 0; i < COUNT; i++) {
		CHECK_EQ(batch.results[i].checksum0, PRODUCER_ID);
		CHECK_EQ(batch.results[i].checksum1, LIMIT);
		CHECK(memcmp(&batch.entries[i], bytes, LIMIT) == 0);
	}
	run_batch(&rig, &batch, LIMIT + 1);
	CHECK_EQ(batch.head.failures, COUNT);
	for (i = 0; i < COUNT; i++) {
		CHECK_EQ(batch.results[i].outcome, -TOO_BIG);
		CHECK_EQ(batch.results[i].checksum1, 0);
		CHECK_EQ(((uint8_t *)&batch.entries[i])[0], OTHER_BYTE);
	}
	rig_destroy(&rig);
}

int main(void)
{
	test_single();
	test_batch();
	return 0;
}
