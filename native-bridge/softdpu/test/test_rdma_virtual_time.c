/*
 * Waits of RDMA connections on the virtual clock of inline execution: for a receive task of the peer, and for a server of this process.
 * A manual clock names their ends. Otherwise progress moves time by short steps, so the other program has time to act.
 */
#include <poll.h>

#include "rdma_manager.h"

static const uint64_t RETRY_NS = 655360000, TIMEOUT_NS = 300000000;

enum { RETRIES = 2, MANY = 400 };

static int is_signalled(struct doca_pe *pe)
{
	struct pollfd fd = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(pe, &fd.fd));
	return poll(&fd, 1, 0) == 1;
}

static void progress_client(int count)
{
	for (int i = 0; i < count; i++)
		doca_pe_progress(pair.requester.pe);
}

static void begin_connect(struct doca_rdma_addr *addr, enum answer answer)
{
	server_answer = answer;
	CHECK_OK(doca_rdma_connect_to_addr(pair.requester.rdma, addr, (union doca_data){ .u64 = 1 }));
}

/* A sleeping program wakes at the end of the wait, and not before. */
static void pass(uint64_t end_ns, const int *count, int expected)
{
	CHECK_EQ(softdpu_clock_get_next(), end_ns);
	CHECK_OK(softdpu_clock_advance(end_ns - 1 - softdpu_clock_now()));
	progress_client(MANY);
	CHECK_EQ(*count, expected - 1);
	CHECK_OK(doca_pe_request_notification(pair.requester.pe));
	CHECK(!is_signalled(pair.requester.pe));
	CHECK_OK(softdpu_clock_advance(1));
	CHECK(is_signalled(pair.requester.pe));
	CHECK_OK(doca_pe_clear_notification(pair.requester.pe, 0));
	progress_client(MANY);
	CHECK_EQ(*count, expected);
	CHECK_EQ(softdpu_clock_get_next(), UINT64_MAX);
}

/* Submits a message, and executes it at its time. */
static uint64_t park(void)
{
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	CHECK_OK(softdpu_clock_advance(softdpu_clock_get_next() - softdpu_clock_now()));
	progress_client(MANY);
	return softdpu_clock_now();
}

/* A message without a limit of its retries names no time. */
static void without_limit(struct doca_rdma_addr *addr)
{
	softdpu_clock_set_manual(0);
	server_answer = ACCEPT;
	connect_pair(addr);
	softdpu_clock_set_manual(1);
	(void)park();
	CHECK_EQ(softdpu_clock_get_next(), UINT64_MAX);
	disconnect_pair(pair.connection);
	rdma_wait(&pair, 1);
	CHECK_EQ(pair.requester.failed, 1);
}

static void clock_is_manual(struct doca_rdma_addr *addr)
{
	softdpu_clock_set_manual(1);
	begin_connect(addr, WAIT);
	pass(softdpu_clock_now() + TIMEOUT_NS, &client.failures, 1);
	without_limit(addr);
	softdpu_clock_set_manual(0);
	rdma_side_stop(&pair.requester);
	CHECK_OK(doca_rdma_set_rnr_retry_count(pair.requester.rdma, RETRIES));
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	connect_pair(addr);
	softdpu_clock_set_manual(1);
	pass(park() + RETRIES * RETRY_NS, &pair.requester.failed, 2);
	softdpu_clock_set_manual(0);
}

/* The server has many progress calls of the client before the wait of the client ends. */
static void connect_is_late(struct doca_rdma_addr *addr)
{
	int established = client.established, failures = client.failures;

	begin_connect(addr, ACCEPT);
	progress_client(MANY);
	CHECK_EQ(client.failures, failures);
	PROGRESS_UNTIL(client.established > established);
	disconnect_pair(client.last);
	begin_connect(addr, WAIT);
	RIG_PROGRESS_UNTIL(pair.requester.pe, client.failures > failures); /* the program's progress ends the wait as well */
}

/* While a message waits, delayed tasks of other connections end at their times. */
static void others_are_in_time(struct doca_rdma_addr *addr)
{
	struct doca_rdma_connection *parked;
	uint64_t due_ns;
	int ended;

	server_answer = ACCEPT;
	connect_pair(addr);
	parked = pair.connection;
	rdma_submit(&pair, RDMA_SEND, parked, NULL, NULL, 0);
	progress_client(2);
	connect_pair(addr);
	ended = pair.requester.completed + pair.requester.failed;
	CHECK_OK(softdpu_faults_set("rdma-write:delay=100ms"));
	rdma_submit(&pair, RDMA_WRITE, pair.connection, NULL, NULL, 1);
	due_ns = softdpu_clock_now() + 100000000;
	rdma_wait(&pair, ended + 1);
	CHECK_EQ(pair.requester.order[ended], 1);
	CHECK(softdpu_clock_now() >= due_ns && softdpu_clock_now() < due_ns + 1000000);
	softdpu_faults_clear();
}

static void run(void)
{
	struct doca_rdma_addr *addr;

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	open_pair();
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);
	connect_is_late(addr);
	others_are_in_time(addr);
	rdma_side_stop(&pair.requester);
	rdma_side_stop(&pair.responder);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	rdma_pair_close(&pair);

	open_pair();
	addr = make_addr(DOCA_RDMA_ADDR_TYPE_IPv4, server_text, port);
	clock_is_manual(addr);
	rdma_side_stop(&pair.requester);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	rdma_pair_close(&pair);
}

int main(void)
{
	make_own_folder();
	run();
	remove_own_folder();
	return 0;
}
