/*
 * Faults of the link between two processes, over each path and with inline execution. The link delays tasks, drops packets until the
 * retries are over, and goes down. After a dropped task, other connections still work; a link that goes down ends them. New connections
 * always work. A lost message takes no receive task of the other process, and older messages do not fail with it.
 */
#include "rdma_tasks.h"

enum { MS = 1000000, LEN = 8, RETRIES_MS = 70 };

static struct doca_rdma_connection *other;	/* the first connection; the fault occurs in a task of the second one */

/* Opens a pair with two established connections, and a plan for the tasks of this process. */
static void open_with(const char *plan)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(RDMA_WRITE, 0, LEN));
	other = pair.connection;
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
	CHECK_OK(run_one(RDMA_WRITE, 0, LEN));
	CHECK_OK(softdpu_faults_set(plan));
}

static void close_pair(void)
{
	softdpu_faults_clear();
	responder_quit(&responder);
	responder_close_pair(&pair);
}

static void post(uint64_t count)
{
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = count, .len = LEN);
}

/* Waits until the responder has received count messages. The last one must have LEN bytes. */
static void expect_received(uint64_t count)
{
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = count)->len, LEN);
}

/* The plan delays each task by this time at least. A message leaves the device, and its answer starts the delay. */
static void delays(const char *plan, uint64_t least_ms)
{
	static const enum rdma_op ops[] = { RDMA_WRITE, RDMA_READ, RDMA_ADD, RDMA_SEND };

	open_with(plan);
	post(1);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		uint64_t begin = rdma_now_ns();

		CHECK_OK(run_one(ops[i], 0, LEN));
		CHECK(rdma_now_ns() - begin >= least_ms * MS);
	}
	expect_received(1);
	close_pair();
}

/*
 * The task of the fault fails, and its connection ends on both sides. others: result of the next task of the other connection. The
 * receive task serves a message of the next connection.
 */
static void fails(const char *plan, enum rdma_op op, doca_error_t others)
{
	open_with(plan);
	post(1);
	CHECK_ERROR(run_one(op, 0, LEN), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(run_one(RDMA_WRITE, 0, LEN), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(RESPONDER_DO(&responder, .order = RESPONDER_SEND, .len = LEN)->result, DOCA_ERROR_IO_FAILED);
	pair.connection = other;
	CHECK_ERROR(run_one(RDMA_WRITE, 0, LEN), others);
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
	CHECK_OK(run_one(RDMA_SEND, 0, LEN));
	expect_received(1);
	close_pair();
}

/* A message is lost while older ones wait for receive tasks. They succeed; then the connection ends, and the last message fails. */
static void older_messages(void)
{
	enum { OLDER = 2, COUNT = 4 };
	struct doca_buf *local[COUNT];
	uint64_t begin_ms;
	int ended;

	open_with("rdma-link:drop:nth=3");
	ended = num_ended();
	for (uint64_t i = 0; i < COUNT; i++) {
		local[i] = rdma_local(&pair, i * LEN, LEN, 1);
		rdma_submit(&pair, RDMA_SEND, pair.connection, local[i], NULL, i);
	}
	begin_ms = rig_now_ms();
	RIG_PROGRESS_UNTIL(pair.requester.pe, rig_now_ms() >= begin_ms + 3 * RETRIES_MS); /* the retries are over */
	CHECK_EQ(num_ended(), ended);
	post(OLDER);
	rdma_wait(&pair, ended + COUNT);
	CHECK_EQ(pair.requester.completed, ended + OLDER);
	for (uint64_t i = 0; i < COUNT; i++) {
		CHECK_EQ(pair.requester.order[(uint64_t)ended + i], i);
		rig_drop(local[i]);
	}
	expect_received(OLDER);
	close_pair();
}

static void all(void)
{
	delays("rdma-link:delay=30ms", 30);
	delays("rdma-link:drop=2", 20);
	fails("rdma-link:drop:nth=1", RDMA_WRITE, DOCA_SUCCESS);
	fails("rdma-link:drop:nth=1", RDMA_SEND, DOCA_SUCCESS);
	fails("rdma-link:down:nth=1", RDMA_WRITE, DOCA_ERROR_IO_FAILED);
	fails("rdma-link:down:nth=1", RDMA_SEND, DOCA_ERROR_IO_FAILED);
	older_messages();
}

int main(int argc, char **argv)
{
	test_over_each_path(argc, argv, all);
	run_with("SOFTDPU_EXECUTION", "inline", WHOLE_TEST);
	remove_own_folder();
	return 0;
}
