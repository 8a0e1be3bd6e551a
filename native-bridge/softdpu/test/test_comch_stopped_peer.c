/*
 * A peer that is stopped (SIGSTOP). If the peer is killed then, its end is noticed as usual. Buffers that it has claimed from
 * a consumer return within a time limit when the consumer stops. The peer's later writes, after it continues, reach no memory
 * of this process. A producer whose data the stopped peer does not take also stops within a time limit. The connection stays
 * open.
 */
#include "comch_process.h"
#include "sd_random.h"

/* Sanitizers make everything slower, most of all on a busy machine. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STOP_MS = 10000 };
#else
enum { STOP_MS = 1000 };
#endif

enum { CLAIMED = 2, POSTED = 4, ROUNDS = 20 };

static const char name[] = "stopped";

static struct side server;
static struct data consumer, producer;

/* @name The peer */
/* @{ */
static struct side peer;
static int is_to_sync;

static void on_message(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)connection;
	is_to_sync = 1;
	CHECK_OK(side_send(side, bytes, len));
}

static void go_on_until(char wanted)
{
	char byte = 0;

	while (byte != wanted) {
		if (!side_progress(&peer))
			sched_yield();
		has_byte(&byte);
	}
}

static void be_idle(void)
{
	report('!');
	go_on_until('.');
}

static void claim_and_wait(void)
{
	struct data own;
	char byte = 0;

	RIG_PROGRESS_UNTIL(peer.pe, peer.num_consumers == 1);
	data_open_producer(&own, &peer, peer.pe);
	memset(own.memory, 0xbb, (size_t)DATA_SLOTS * DATA_SLOT);
	/* Without progress: the device executes no copy. */
	for (uint64_t n = 0, deadline = rig_now_ms() + RIG_LIMIT_S * 1000; n < CLAIMED;) {
		n += data_send(&own, n, DATA_SLOT, NULL, 0, peer.new_ids[0]) == DOCA_SUCCESS;
		CHECK(rig_now_ms() < deadline);
	}
	report('!');
	while (!has_byte(&byte))
		sched_yield();
	RIG_PROGRESS_UNTIL(peer.pe, own.completed + own.failed == CLAIMED);
	CHECK_EQ(own.failed, CLAIMED);
	CHECK_EQ(own.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_OK(side_send(&peer, "alive", 5));
	go_on_until('.');
	data_stop(&own, &peer, NULL);
	data_close(&own);
}

/* Fills all posted buffers, until the parent requests an answer. */
static void fill_and_fill(void)
{
	struct data own;
	char byte = 0;

	RIG_PROGRESS_UNTIL(peer.pe, peer.num_consumers == 1);
	data_open_producer(&own, &peer, peer.pe);
	memset(own.memory, 0xbb, (size_t)DATA_SLOTS * DATA_SLOT);
	report('!');
	while (!has_byte(&byte)) {
		side_progress(&peer);
		data_send(&own, 0, DATA_SLOT, NULL, 0, peer.new_ids[(peer.num_consumers - 1) % COMCH_MAX_IDS]);
	}
	data_stop(&own, &peer, NULL);
	data_close(&own);
}

static void take_nothing(void)
{
	struct data own;

	data_create_consumer(&own, &peer, peer.pe);
	data_start_consumer(&own, &peer, NULL);
	for (uint64_t n = 0; n < POSTED; n++)
		CHECK_OK(data_post(&own, n, DATA_SLOT));
	report('!');
	go_on_until('.');
	data_stop(&own, &peer, NULL);
	CHECK_EQ(own.failed, POSTED);
	data_close(&own);
}

static int run_peer(const char *what)
{
	if (strcmp(what, "claims") == 0)
		CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	side_create_client(&peer, name);
	peer.on_message = on_message;
	side_connect(NULL, &peer);
	if (strcmp(what, "claims") == 0)
		claim_and_wait();
	else if (strcmp(what, "fills") == 0)
		fill_and_fill();
	else if (strcmp(what, "takes") == 0)
		take_nothing();
	else
		be_idle();
	side_close(&peer, NULL);
	return 0;
}
/* @} */

static void halt(const struct child *child)
{
	int status;

	CHECK(kill(child->pid, SIGSTOP) == 0);
	CHECK_EQ(waitpid(child->pid, &status, WUNTRACED), child->pid);
	CHECK(WIFSTOPPED(status));
}

static void go_on(const struct child *child)
{
	CHECK(kill(child->pid, SIGCONT) == 0);
}

static void check_time(uint64_t since_ms, uint64_t bound_ms)
{
	uint64_t took = rig_now_ms() - since_ms;

	if (took > bound_ms)
		fprintf(stderr, "took %llu ms\n", (unsigned long long)took);
	CHECK(took <= bound_ms || getenv("SLOW_MACHINE") != NULL);
}

static void leave(struct child *child)
{
	child_send(child, '.');
	child_close(child, 0, &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == server.num_connected);
}

static void killed_while_stopped(void)
{
	struct child child = child_start("peer", "idle");

	child_await(&child, '!', &server);
	halt(&child);
	child_kill(&child);
	NOTICE_UNTIL(&server, NULL, server.num_disconnected == server.num_connected);
	child_close(&child, SIGKILL, NULL);
}

static struct child claim_buffers(void)
{
	struct child child = child_start("peer", "claims");

	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_connected > server.num_disconnected);
	data_create_consumer(&consumer, &server, server.pe);
	data_start_consumer(&consumer, &server, NULL);
	for (uint64_t n = 0; n < POSTED; n++)
		CHECK_OK(data_post(&consumer, n, DATA_SLOT));
	child_await(&child, '!', &server);
	return child;
}

/* Claimed buffers return at the end of the connection, for a running and for a stopping consumer. */
static void killed_with_claims(uint8_t is_stopping)
{
	struct child child = claim_buffers();

	halt(&child);
	if (is_stopping)
		CHECK_ERROR(doca_ctx_stop(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	child_kill(&child);
	NOTICE_UNTIL(&server, NULL, server.num_disconnected == server.num_connected && consumer.failed == POSTED);
	CHECK(consumer.last_error == DOCA_ERROR_CONNECTION_RESET || is_stopping); /* slow machine: withdrawn before */
	data_stop(&consumer, &server, NULL);
	data_close(&consumer);
	child_close(&child, SIGKILL, NULL);
}

static uint8_t is_untouched(uint8_t value)
{
	for (size_t i = 0; i < (size_t)DATA_SLOTS * DATA_SLOT; i++)
		if (consumer.memory[i] != value)
			return 0;
	return 1;
}

/* The claims are of a stopped peer, or of a running peer whose device does not work. */
static void claims_are_taken_back(uint8_t is_halted)
{
	struct child child = claim_buffers();
	uint64_t stopped_ms = rig_now_ms();

	if (is_halted)
		halt(&child);
	data_stop(&consumer, &server, NULL);
	check_time(stopped_ms, STOP_MS);
	CHECK_EQ(consumer.failed, POSTED);
	CHECK_EQ(consumer.last_error, DOCA_ERROR_IO_FAILED);
	memset(consumer.memory, 0x11, (size_t)DATA_SLOTS * DATA_SLOT); /* the program owns the memory again */
	if (is_halted)
		go_on(&child);
	child_send(&child, '!');
	server.num_received = 0;
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_received == 1);
	CHECK(is_untouched(0x11));
	data_close(&consumer);
	leave(&child);
}

static int num_synced;

static void synced(struct side *side, struct doca_comch_connection *connection, const uint8_t *bytes, uint32_t len)
{
	(void)side;
	(void)connection;
	(void)bytes;
	(void)len;
	num_synced++;
}

/* The peer is stopped at any place: before, in or after the system call that copies. */
static void stopped_anywhere(void)
{
	struct child child = child_start("peer", "fills");
	uint64_t random = 4, posted = 0;

	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_connected > server.num_disconnected);
	data_create_consumer(&consumer, &server, server.pe);
	data_start_consumer(&consumer, &server, NULL);
	child_await(&child, '!', &server);
	server.on_message = synced;
	for (int round = 1; round <= ROUNDS; round++) {
		uint64_t until = posted + sd_random_next(&random) % 100, stopped_ms;

		while (posted < until) {
			if (data_post(&consumer, posted, DATA_SLOT) == DOCA_SUCCESS)
				posted++;
			side_progress(&server);
		}
		halt(&child);
		stopped_ms = rig_now_ms();
		data_stop(&consumer, &server, NULL);
		check_time(stopped_ms, STOP_MS);
		memset(consumer.memory, 0x11, (size_t)DATA_SLOTS * DATA_SLOT);
		go_on(&child);
		CHECK_OK(side_send(&server, "sync", 4));
		SIDE_PROGRESS_UNTIL(&server, NULL, num_synced == round);
		CHECK(is_untouched(0x11));
		data_start_consumer(&consumer, &server, NULL);
	}
	server.on_message = NULL;
	data_stop(&consumer, &server, NULL);
	data_close(&consumer);
	leave(&child);
}

/* The data goes through the socket, which the peer does not read. */
static void producer_stops(void)
{
	struct child child = child_start("peer", "takes");
	uint64_t stopped_ms;

	CHECK_OK(softdpu_quirks_set("no-direct-copy"));
	server.num_consumers = 0;
	child_await(&child, '!', &server);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_consumers == 1);
	data_open_producer(&producer, &server, server.pe);
	halt(&child);
	for (uint64_t n = 0; n < POSTED; n++)
		CHECK_OK(data_send(&producer, n, DATA_SLOT, NULL, 0, server.new_ids[0]));
	stopped_ms = rig_now_ms();
	data_stop(&producer, &server, NULL);
	check_time(stopped_ms, STOP_MS);
	CHECK_EQ(producer.failed, POSTED);
	CHECK_EQ(producer.last_error, DOCA_ERROR_IO_FAILED);
	data_close(&producer);
	go_on(&child);
	CHECK_OK(side_send(&server, "alive", 5));
	server.num_received = 0;
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_received == 1);
	leave(&child);
	CHECK_OK(softdpu_quirks_set(""));
}

/* A producer of the same process whose engine makes no progress. */
static void within_one_process(void)
{
	struct side client;

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	sides_open(&server, &client, name);
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
	memset(producer.memory, 0xbb, DATA_SLOT);
	CHECK_OK(data_send(&producer, 0, DATA_SLOT, NULL, 0, consumer.id));
	data_stop(&consumer, &client, NULL);
	CHECK_EQ(consumer.failed, 1);
	memset(consumer.memory, 0x11, (size_t)DATA_SLOTS * DATA_SLOT);
	SIDE_PROGRESS_UNTIL(&server, NULL, producer.failed == 1);
	CHECK(is_untouched(0x11));
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	sides_close(&server, &client);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
}

int main(int argc, char **argv)
{
	int before;

	if (argc > 2)
		return run_peer(argv[2]);
	make_own_folder();
	before = count_descriptors();
	side_create_server(&server, name);
	CHECK_OK(doca_ctx_start(server.ctx));
	killed_while_stopped();
	killed_with_claims(0);
	killed_with_claims(1);
	claims_are_taken_back(1);
	claims_are_taken_back(0);
	stopped_anywhere();
	producer_stops();
	side_close(&server, NULL);
	rig_check_nothing_is_left();
	within_one_process();
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
