/*
 * Faults of the link: it delays tasks, drops packets until the retries are over, and goes down, in both execution modes. Then other
 * connections and new ones work as far as the fault leaves them.
 */
#include "doca_log.h"
#include "rdma.h"

enum { MS = 1000000 };

static struct rdma_pair pair;
static struct doca_rdma_connection *second, *second_peer;

/* Opens a pair with two connections, and a plan. */
static void open_with(const char *plan)
{
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	rdma_connect(&pair, &second, &second_peer);
	CHECK_OK(softdpu_faults_set(plan));
}

static void close_pair(void)
{
	softdpu_faults_clear();
	rdma_pair_close(&pair);
}

/* Writes one byte, and returns its time. */
static uint64_t write_byte(struct doca_rdma_connection *connection, doca_error_t expected)
{
	uint64_t begin = rdma_now_ns();

	CHECK_ERROR(rdma_transfer(&pair, connection, 1, 0, 1), expected);
	return rdma_now_ns() - begin;
}

static void delays(void)
{
	open_with("rdma-link:delay=30ms:nth=2");
	(void)write_byte(pair.connection, DOCA_SUCCESS);
	CHECK(write_byte(pair.connection, DOCA_SUCCESS) >= 30 * MS);
	(void)write_byte(pair.connection, DOCA_SUCCESS);
	close_pair();
}

/* Two lost packets cost two retries; lost for ever, all retries and the connection. */
static void drops(void)
{
	struct softdpu_fault_counters counters;
	uint64_t time;

	open_with("rdma-link:drop=2:nth=1 ; rdma-link:drop=7:nth=2 ; rdma-link:drop:nth=3");
	time = write_byte(pair.connection, DOCA_SUCCESS);
	CHECK(time >= 20 * MS);
	CHECK(write_byte(pair.connection, DOCA_SUCCESS) >= 70 * MS);
	CHECK(write_byte(pair.connection, DOCA_ERROR_IO_FAILED) >= 70 * MS);
	(void)write_byte(pair.connection, DOCA_ERROR_IO_FAILED);
	(void)write_byte(second, DOCA_SUCCESS);
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.failed, 1);
	close_pair();
}

/* All connections of the context end. The next connection finds the link up again. */
static void goes_down(void)
{
	open_with("rdma-link:down:nth=2");
	(void)write_byte(second, DOCA_SUCCESS);
	(void)write_byte(pair.connection, DOCA_ERROR_IO_FAILED);
	(void)write_byte(second, DOCA_ERROR_IO_FAILED);
	rdma_connect(&pair, &second, &second_peer);
	(void)write_byte(second, DOCA_SUCCESS);
	close_pair();
}

/* A task behind a lost one fails with it, and no receive task of the peer is lost. */
static void messages(void)
{
	struct doca_buf *local;

	open_with("rdma-link:drop:nth=1");
	local = rdma_local(&pair, 0, 8, 1);
	rdma_post(&pair.responder, NULL, 0);
	rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 0);
	rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 1);
	rdma_wait(&pair, 2);
	CHECK_EQ(pair.requester.failed, 2);
	rdma_submit(&pair, RDMA_SEND, second, NULL, NULL, 2);
	RIG_PROGRESS_UNTIL(pair.requester.pe, (doca_pe_progress(pair.responder.pe), pair.responder.received == 1));
	rdma_wait(&pair, 3);
	CHECK_OK(pair.requester.last_status);
	rig_drop(local);
	close_pair();
}

/* Tasks of other libraries have no link, a rule for all tasks is not about links, and links have no other faults. */
static void rules(void)
{
	static const char *const bad[] = {
		"rdma-link:fail", "rdma-link:again", "rdma-link:corrupt", "rdma-link:lost", "rdma-link:down=1", "rdma-link:drop=0",
		"*:drop", "*:down", "rdma-write:down", "alloc-map:drop",
	};

	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the errors are expected */
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_ERROR(softdpu_faults_set(bad[i]), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING));
	open_with("*:delay=30ms:nth=2");
	(void)write_byte(pair.connection, DOCA_SUCCESS);
	CHECK(write_byte(pair.connection, DOCA_SUCCESS) >= 30 * MS);
	close_pair();
}

int main(void)
{
	static const enum softdpu_execution executions[] = { SOFTDPU_EXECUTION_THREADS, SOFTDPU_EXECUTION_INLINE };

	for (int i = 0; i < 2; i++) {
		CHECK_OK(softdpu_set_execution(executions[i]));
		delays();
		drops();
		goes_down();
		messages();
		rules();
	}
	return 0;
}
