/* Batches of the fast path through the bridge: one entry posts, or sends, many buffers. */
#include "comch_transfer.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
struct receives {
	struct dpubridge_batch head;
	struct dpubridge_entry entries[3];
	struct dpubridge_result results[3];
};

/* Begins a run; DOCA keeps the buffers of the previous one. */
static void run_batch(struct dpubridge_batch *head, struct dpubridge_entry *entry)
{
	head->next = head->ended = head->failures = 0;
	entry->flags = DPUBRIDGE_FLAG_BATCH;
	entry->src_addr = (uintptr_t)head;
}

static void post_batch(struct transfer *transfer, struct receives *batch, uint64_t user_data)
{
	run_batch(&batch->head, rings_put(transfer->pair.client_rings, transfer->consumer_handle,
					  DPUBRIDGE_KIND_COMCH_CONSUMER_RECV, user_data));
}

static void fill_receives(const struct transfer *transfer, struct receives *batch)
{
	uint32_t i;

	*batch = (struct receives){ .head = { .count = 3 } };
	for (i = 0; i < 3; i++) {
		batch->entries[i].dst_buf = (uintptr_t)transfer->area[0].bufs[i];
		batch->entries[i].dst_addr = (uintptr_t)(transfer->area[0].memory + i * SLOT);
	}
}

/*
 * Receives of a batch are in order with receives before and after it. Results name the producer. A stopping consumer ends them.
 */
static void test_batch_of_receives(void)
{
	static const char *const immediate[] = { "", "x", "to be or not to be, 32 bytes long" };
	struct transfer transfer;
	struct receives batch;
	uint32_t i;

	open_transfer(&transfer, 0);
	CHECK_EQ(dpubridge_context_queue(transfer.pair.client_rings->bridge, transfer.consumer_handle,
					 DPUBRIDGE_KIND_COMCH_CONSUMER_RECV, 4),
		 0);
	fill_receives(&transfer, &batch);
	post_batch(&transfer, &batch, 77);
	post(&transfer, 5);
	turn(&transfer);
	for (i = 0; i < 3; i++) {
		memset(transfer.area[1].memory + i * SLOT, (int)i + 1, SLOT);
		produce(&transfer, i, 100 + i, immediate[i], (uint16_t)(i < 2 ? i : DPUBRIDGE_IMMEDIATE_BYTES));
		AWAIT(transfer.pair.server_rings, transfer.pair.client_rings,
		      data.num_sent == i + 1 && data.num_received == (i == 2));
	}
	CHECK_EQ(data.received.user_data, 77);
	CHECK_EQ(batch.head.failures, 0);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(batch.results[i].outcome, 100 + i);
		CHECK_EQ(batch.results[i].checksum0, transfer.producer_id);
		CHECK_EQ(batch.results[i].checksum1, i < 2 ? i : DPUBRIDGE_IMMEDIATE_BYTES);
		CHECK(memcmp(&batch.entries[i], immediate[i], batch.results[i].checksum1) == 0);
		CHECK_EQ(transfer.area[0].memory[i * SLOT + 99 + i], i + 1);
	}
	produce(&transfer, 3, 10, NULL, 0);
	AWAIT(transfer.pair.server_rings, transfer.pair.client_rings, data.num_received == 2);
	CHECK_EQ(data.received.user_data, 5);
	CHECK_EQ(batch.head.prepared, 3);
	post_batch(&transfer, &batch, 78);
	turn(&transfer);
	produce(&transfer, 0, 10, NULL, 0);
	AWAIT(transfer.pair.server_rings, transfer.pair.client_rings, batch.head.ended == 1);
	close_transfer(&transfer);
	CHECK_EQ(data.received.user_data, 78);
	CHECK_EQ(batch.head.failures, 2);
	CHECK_EQ(batch.results[0].outcome, 10);
	CHECK_EQ(batch.results[2].outcome, -DOCA_ERROR_IO_FAILED);
}

struct sends {
	struct dpubridge_batch head;
	struct dpubridge_entry entries[3];
	struct dpubridge_result results[3];
};

static void produce_batch(struct transfer *transfer, struct sends *batch, uint64_t user_data)
{
	run_batch(&batch->head, produce(transfer, (uint32_t)user_data, 0, NULL, 0));
}

static void fill_sends(const struct transfer *transfer, struct sends *batch)
{
	uint32_t i;

	*batch = (struct sends){ .head = { .count = 3 } };
	for (i = 0; i < 3; i++) {
		batch->entries[i].src_buf = (uintptr_t)transfer->area[1].bufs[i];
		batch->entries[i].src_addr = (uintptr_t)(transfer->area[1].memory + i * SLOT);
		batch->entries[i].src_len = 100 + i;
		batch->entries[i].argument = transfer->consumer_id;
	}
	batch->entries[2].flags = 2;
	batch->entries[2].dst_addr = (uintptr_t)"hi";
}

/* The sends of a batch follow the posts; later sends do not overtake the batch. */
static void test_batch_of_sends(void)
{
	struct transfer transfer;
	struct rings *rings;
	struct sends batch;
	uint32_t i;

	open_transfer(&transfer, 0);
	rings = transfer.pair.server_rings;
	for (i = 0; i < 4; i++)
		post(&transfer, i);
	rings_turn(transfer.pair.client_rings);
	fill_sends(&transfer, &batch);
	produce_batch(&transfer, &batch, 9);
	produce(&transfer, 12, 50, NULL, 0);
	AWAIT(rings, transfer.pair.client_rings, data.num_received == 4 && data.num_sent == 2);
	CHECK_EQ(data.received.user_data, 3);
	CHECK_EQ(data.received.produced, 50);
	CHECK_EQ(batch.head.failures, 0);
	CHECK_EQ(batch.head.prepared, 3);
	produce_batch(&transfer, &batch, 11);
	produce(&transfer, 13, 50, NULL, 0);
	for (i = 0; i < 4; i++) {
		rings_turn(rings);
		post(&transfer, i);
		AWAIT(rings, transfer.pair.client_rings, data.num_received == 5 + i);
		CHECK_EQ(data.received.produced, i < 3 ? 100 + i : 50);
		CHECK_EQ(data.received.immediate_length, i == 2 ? 2 : 0);
	}
	AWAIT(rings, transfer.pair.client_rings, data.num_sent == 4);
	CHECK_EQ(data.num_refused, 0);
	close_transfer(&transfer);
}

/* A batch without further posted buffers waits. A withdrawal ends the rest, and the send behind it follows. */
static void test_batch_of_sends_is_withdrawn(void)
{
	struct transfer transfer;
	struct rings *rings;
	struct sends batch;

	open_transfer(&transfer, 0);
	rings = transfer.pair.server_rings;
	post(&transfer, 1);
	post(&transfer, 2);
	rings_turn(transfer.pair.client_rings);
	fill_sends(&transfer, &batch);
	produce_batch(&transfer, &batch, 9);
	produce(&transfer, 12, 50, NULL, 0);
	AWAIT(rings, transfer.pair.client_rings, data.num_received == 2);
	CHECK_EQ(data.received.produced, 101);
	CHECK_EQ(batch.head.next, 2);
	rings_turn(rings);
	CHECK_EQ(dpubridge_context_reclaim(rings->bridge, transfer.producer_handle, 9), 0);
	CHECK_EQ(dpubridge_context_withdraw(rings->bridge, transfer.producer_handle, 9, DOCA_ERROR_TIME_OUT), 0);
	AWAIT(rings, transfer.pair.client_rings, data.num_sent == 1);
	CHECK_EQ(data.sent.user_data, 9);
	CHECK_EQ(batch.head.failures, 1);
	CHECK_EQ(batch.results[2].outcome, -DOCA_ERROR_TIME_OUT);
	post(&transfer, 3);
	AWAIT(rings, transfer.pair.client_rings, data.num_sent == 2);
	CHECK_EQ(data.sent.user_data, 12);
	close_transfer(&transfer);
}

int main(void)
{
	char folder[64];

	make_own_folder(folder);
	test_batch_of_receives();
	test_batch_of_sends();
	test_batch_of_sends_is_withdrawn();
	CHECK_EQ(rmdir(folder), 0);
	return 0;
}
#endif
