/*
 * A stuck peer posts buffers and never reads its socket, on a system where processes cannot write into each other's memory.
 * Such a peer delays its own connection, and others for 2 s at most. After the limit of abandoned threads, sends to such peers
 * fail, and other sends continue.
 */
#include "comch_guests.h"

enum {
	MAX_PEERS = SD_PEER_MAX_ABANDONED + 4,
	NUM_THREADS = 2,
	ALL_TAKEOVERS_MS = MAX_PEERS / NUM_THREADS * TAKEOVER_MS / 2,	/* half of the time of takeovers after 2 s each */
	REFUSALS = 4,							/* of each peer */
	OVERDUE_MS = 4 * 500,						/* peers without a thread, if they were not refused */
};

/* As many peers as hardware threads. */
static void peers_that_take_nothing(void)
{
	struct guest stuck[2], honest;

	CHECK_OK(softdpu_quirks_set("no-direct-copy"));
	open_server(2);
	CHECK(admit(&honest, "honest"));
	serve(&honest, LONG, QUICK_MS);
	for (int i = 0; i < 2; i++) {
		CHECK(admit(&stuck[i], "stuck"));
		send_to(&stuck[i], SENDS_PER_PEER, LONG);
	}
	serve(&honest, SHORT, QUICK_MS);
	serve(&honest, LONG, TAKEOVER_MS + SLACK_MS);
	send_to(&stuck[0], SENDS_PER_PEER, LONG); /* the sends stay in the queue */
	serve(&honest, LONG, QUICK_MS);
	serve(&honest, LONG, QUICK_MS);
	CHECK_EQ(stuck[0].producer.failed + stuck[1].producer.failed, 0);
	dismiss_stuck(&stuck[0]);
	CHECK_EQ(stuck[0].producer.failed, 2 * SENDS_PER_PEER);
	dismiss_stuck(&stuck[1]);
	serve(&honest, LONG, QUICK_MS);
	dismiss_honest(&honest);
	close_server();
	CHECK_OK(softdpu_quirks_set(""));
}

/* A producer of a stuck peer stops: its tasks in the queue and on a thread end. */
static void producer_stops(void)
{
	struct guest stuck, honest;

	CHECK_OK(softdpu_quirks_set("no-direct-copy"));
	open_server(1);
	CHECK(admit(&honest, "honest"));
	CHECK(admit(&stuck, "stuck"));
	send_to(&stuck, SENDS_PER_PEER, LONG);
	serve(&honest, LONG, TAKEOVER_MS + SLACK_MS);
	data_stop(&stuck.producer, &server, NULL);
	CHECK_EQ(stuck.producer.failed, SENDS_PER_PEER);
	serve(&honest, LONG, QUICK_MS);
	dismiss_stuck(&stuck);
	dismiss_honest(&honest);
	close_server();
	CHECK_OK(softdpu_quirks_set(""));
}

/* Sends to peers without a thread fail at once, also those to a peer that was overdue. */
static void refuse_all(struct guest *stuck)
{
	uint64_t begin_ms = rig_now_ms();

	for (int i = 0; i < REFUSALS * MAX_PEERS; i++) {
		struct data *producer = &stuck[i % MAX_PEERS].producer;
		int failed = producer->failed;

		send_to(&stuck[i % MAX_PEERS], 1, LONG);
		SIDE_PROGRESS_UNTIL(&server, NULL, producer->failed > failed);
		CHECK_EQ(producer->last_error, DOCA_ERROR_IO_FAILED);
	}
	check_since(begin_ms, REFUSALS * OVERDUE_MS / 2);
}

/* The limit of abandoned threads is reached, with fewer threads than peers: the delays do not add up to 2 s each. */
static void too_many_stuck_peers(void)
{
	struct guest stuck[MAX_PEERS], honest;
	int failed = 0;

	CHECK_OK(softdpu_quirks_set("no-direct-copy"));
	open_server(NUM_THREADS);
	CHECK(admit(&honest, "honest"));
	for (int i = 0; i < MAX_PEERS; i++)
		CHECK(admit(&stuck[i], "stuck"));
	for (int i = 0; i < MAX_PEERS; i++)
		send_to(&stuck[i], 1, LONG);
	serve(&honest, LONG, ALL_TAKEOVERS_MS);
	for (int i = SD_PEER_MAX_ABANDONED; i < MAX_PEERS; i++)
		SIDE_PROGRESS_UNTIL(&server, NULL, stuck[i].producer.failed == 1);
	for (int i = 0; i < SD_PEER_MAX_ABANDONED; i++)
		CHECK_EQ(stuck[i].producer.failed, 0);
	serve(&honest, LONG, QUICK_MS);
	refuse_all(stuck);
	serve(&honest, LONG, QUICK_MS);
	for (int i = 0; i < MAX_PEERS; i++) {
		dismiss_stuck(&stuck[i]);
		CHECK_EQ(stuck[i].producer.completed, 0);
		failed += stuck[i].producer.failed;
	}
	CHECK_EQ(failed, (REFUSALS + 1) * MAX_PEERS);
	serve(&honest, LONG, QUICK_MS);
	dismiss_honest(&honest);
	close_server();
	CHECK_OK(softdpu_quirks_set(""));
}
int main(int argc, char **argv)
{
	int before;

	alarm(LIFE_S); /* fails the test if the program's thread hangs */
	if (argc > 2)
		return strcmp(argv[1], "honest") == 0 ? run_honest() : run_hostile((uint8_t *)(uintptr_t)ROOM);
	make_own_folder();
	before = count_descriptors();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* each takeover logs a warning */
	peers_that_take_nothing();
	producer_stops();
	too_many_stuck_peers();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
