/* The fast path through the bridge: a producer of the server fills buffers that a consumer of the client posts. */
#include "comch_transfer.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
enum { ROUNDS = 300 };

/* Tests every length of immediate data, with content and without. The record has the immediate data and its length. */
static void transfer_rounds(struct transfer *transfer)
{
	uint8_t immediate[DPUBRIDGE_IMMEDIATE_BYTES];
	uint32_t n;

	for (n = 0; n < ROUNDS; n++) {
		uint16_t immediate_len = (uint16_t)(n % (DPUBRIDGE_IMMEDIATE_BYTES + 1));
		uint32_t len = n % 3 == 2 && immediate_len > 0 ? 0 : 1 + n * 31 % SLOT;

		memset(transfer->area[1].memory + n % SLOTS * SLOT, (int)n, SLOT);
		memset(transfer->area[0].memory + n % SLOTS * SLOT, ~(int)n, SLOT);
		memset(immediate, (int)(n + 1), sizeof(immediate));
		post(transfer, n);
		turn(transfer);
		produce(transfer, n, len, immediate, immediate_len);
		rings_turn(transfer->pair.server_rings);
		memset(immediate, 0xee, sizeof(immediate));
		AWAIT(transfer->pair.server_rings, transfer->pair.client_rings,
		      data.num_received == n + 1 && data.num_sent == n + 1);
		CHECK_EQ(data.received.user_data, n);
		CHECK_EQ(data.received.status, 0);
		CHECK_EQ(data.received.produced, len);
		CHECK_EQ(data.received.states, transfer->producer_id);
		CHECK_EQ(data.received.immediate_length, immediate_len);
		memset(immediate, (int)(n + 1), sizeof(immediate));
		CHECK(memcmp(data.received.immediate, immediate, immediate_len) == 0);
		CHECK(memcmp(transfer->area[0].memory + n % SLOTS * SLOT, transfer->area[1].memory + n % SLOTS * SLOT, len) == 0);
		CHECK_EQ(data.sent.user_data, n);
		CHECK_EQ(data.sent.produced, 0);
	}
	CHECK_EQ(data.num_refused + data.num_flushed + data.num_send_failed, 0);
}

static void test_transfers(uint8_t is_shared, const char *quirks)
{
	struct transfer transfer;

	CHECK_EQ(softdpu_quirks_set(quirks), DOCA_SUCCESS);

	open_transfer(&transfer, is_shared);
	transfer_rounds(&transfer);
	close_transfer(&transfer);
	CHECK_EQ(softdpu_quirks_set(""), DOCA_SUCCESS);
}

static void expect_refused(struct transfer *transfer, uint64_t user_data, int32_t status)
{
	uint32_t before = data.num_refused;

	turn(transfer);
	CHECK_EQ(data.num_refused, before + 1);
	CHECK_EQ(data.refused.user_data, user_data);
	CHECK_EQ(data.refused.status, status);
}

/* Bad entries are refused. A stopping consumer returns posted buffers. */
static void test_refusals(void)
{
	struct transfer transfer;

	open_transfer(&transfer, 0);
	produce(&transfer, 3, 0, NULL, 0);
	expect_refused(&transfer, 3, DOCA_ERROR_INVALID_VALUE);
	produce(&transfer, 4, 10, "x", DPUBRIDGE_IMMEDIATE_BYTES + 1);
	expect_refused(&transfer, 4, DOCA_ERROR_INVALID_VALUE);
	produce(&transfer, 5, 10, NULL, 0)->flags = 1;
	expect_refused(&transfer, 5, DOCA_ERROR_INVALID_VALUE);
	produce(&transfer, 6, 10, NULL, 0)->argument = 1ull << 32;
	expect_refused(&transfer, 6, DOCA_ERROR_INVALID_VALUE);
	rings_put(transfer.pair.client_rings, transfer.consumer_handle, DPUBRIDGE_KIND_COMCH_CONSUMER_RECV, 7);
	expect_refused(&transfer, 7, DOCA_ERROR_INVALID_VALUE);
	produce(&transfer, 8, 10, NULL, 0)->argument = transfer.consumer_id + 100;
	AWAIT(transfer.pair.server_rings, transfer.pair.client_rings, data.num_send_failed == 1);
	CHECK_EQ(data.sent.status, DOCA_ERROR_NOT_CONNECTED);
	CHECK_EQ(dpubridge_comch_disconnect(transfer.pair.server_rings->bridge, transfer.pair.server.handle, seen.connection),
		 DOCA_ERROR_IN_USE);
	post(&transfer, 2);
	post(&transfer, 3);
	turn(&transfer);
	close_transfer(&transfer);
	CHECK_EQ(data.num_flushed, 2);
}

/* Takes turns of an engine without other work until a record arrives. */
static void wait_for_record(struct rings *rings)
{
	uint64_t start = now_s();

	while (rings->header->completion_tail == rings->header->completion_head) {
		CHECK(dpubridge_wait(rings->bridge, 60000000000, 60000000000, 0, 8) >= 0);
		CHECK(dpubridge_enter(rings->bridge, 8) != UINT32_MAX);
		CHECK(now_s() - start < TIMEOUT_S);
	}
}

/* Refused sends wait in order and hold up no other consumer. Once the consumer posts, enter or the sleep submits them. */
static void test_retries(void)
{
	struct transfer transfer;
	struct rings *rings;

	open_transfer(&transfer, 0);
	rings = transfer.pair.server_rings;
	produce(&transfer, 1, 10, NULL, 0);
	produce(&transfer, 2, 20, NULL, 0);
	produce(&transfer, 3, 10, NULL, 0)->argument = transfer.consumer_id + 100;
	AWAIT(rings, transfer.pair.client_rings, data.num_send_failed == 1);
	CHECK_EQ(data.sent.user_data, 3);
	CHECK_EQ(dpubridge_wait(rings->bridge, 1000000, 1000000, 0, 8), 0);
	post(&transfer, 1);
	rings_turn(transfer.pair.client_rings);
	wait_for_record(rings);
	rings_turn(rings);
	CHECK_EQ(data.num_sent, 1);
	CHECK_EQ(data.sent.user_data, 1);
	produce(&transfer, 4, 30, NULL, 0);
	CHECK_EQ(dpubridge_context_withdraw(rings->bridge, transfer.producer_handle, 2, DOCA_ERROR_TIME_OUT), 1);
	CHECK_EQ(dpubridge_context_withdraw(rings->bridge, transfer.producer_handle, 2, DOCA_ERROR_TIME_OUT), 0);
	rings_turn(rings);
	post(&transfer, 2);
	AWAIT(rings, transfer.pair.client_rings, data.num_sent == 2 && data.num_received == 2);
	CHECK_EQ(data.sent.user_data, 4);
	CHECK_EQ(data.received.produced, 30);
	CHECK_EQ(data.num_refused, 0);
	produce(&transfer, 5, 10, NULL, 0);
	rings_turn(rings);
	dpubridge_context_drain(rings->bridge, transfer.producer_handle);
	expect_refused(&transfer, 5, DOCA_ERROR_BAD_STATE);
	close_transfer(&transfer);
}

int main(void)
{
	char folder[64];

	make_own_folder(folder);
	test_transfers(0, "");
	test_transfers(1, "");
	test_transfers(0, "no-direct-copy");
	test_refusals();
	test_retries();
	CHECK_EQ(rmdir(folder), 0);
	return 0;
}
#endif
