/* Messages through the bridge: both ways, complete and in order, with more sends than tasks and more messages than cells. */
#include "comch_pair.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
static void test_messages(uint8_t is_shared)
{
	struct pair pair;

	open_pair(&pair, is_shared);
	exchange(&pair);
	close_pair(&pair);
}

/* While the server reads nothing, at most CELLS messages arrive, and finally sends are refused. Then the server reads all. */
static void test_cells_run_out(void)
{
	static uint8_t bytes[MESSAGE];
	uint64_t start = now_s();
	struct pair pair;
	uint32_t number, turns;

	open_pair(&pair, 0);
	for (number = 0; seen.num_refused == 0; number++) {
		fill(bytes, number);
		control_send(&pair.client, pair.client_connection, number, bytes, len_of(number));
		rings_turn(pair.client_rings);
		CHECK(dpubridge_enter(pair.server_rings->bridge, 16) != UINT32_MAX);
		CHECK(pair.server_rings->header->message_tail <= CELLS);
		CHECK(now_s() - start < TIMEOUT_S);
	}
	AWAIT(pair.client_rings, NULL,
	      (dpubridge_enter(pair.server_rings->bridge, 16), pair.server_rings->header->message_tail >= CELLS));
	for (turns = 0; turns < 100; turns++)
		CHECK(dpubridge_enter(pair.server_rings->bridge, 16) != UINT32_MAX);
	CHECK_EQ(pair.server_rings->header->message_tail, CELLS);
	CHECK(pair.server_rings->header->counters[DPUBRIDGE_COUNTER_STALLED] > 0);
	CHECK_EQ(seen.server_next, 0);
	AWAIT(pair.server_rings, pair.client_rings, seen.server_next == number - 1 && seen.num_sent[1] == number - 1);
	CHECK_EQ(pair.server_rings->max_cells, CELLS);
	close_pair(&pair);
}

int main(void)
{
	char folder[64];

	make_own_folder(folder);
	test_messages(0);
	test_messages(1);
	test_cells_run_out();
	CHECK_EQ(rmdir(folder), 0);
	return 0;
}
#endif
