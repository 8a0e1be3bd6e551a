/*
 * A responder is stopped (SIGSTOP). A message, and an access that the responder's process answers, wait 5 s for it and fail. Each has its
 * own connection, because a failure ends a connection, and later tasks of that connection fail at once. A direct access needs no answer
 * and succeeds.
 */
#include "doca_log.h"
#include "rdma_tasks.h"

enum { LEN = 8, LEAST_MS = 4000 };		/* the limit is 5000 ms, by a clock of the kernel's ticks */

static uint64_t begin_ms;

static void check_late_failure(uint64_t number)
{
	(void)number;
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	CHECK(rig_now_ms() - begin_ms >= LEAST_MS);
}

/* Both wait at the same time. The message is first, because the access may occupy the only hardware thread. */
static void message_and_access_fail(struct doca_rdma_connection *of_message, enum rdma_op access)
{
	const int is_write = access == RDMA_WRITE, ended = num_ended();
	struct doca_buf *local = rdma_local(&pair, 0, LEN, is_write), *remote = rdma_remote(&pair, 0, LEN, !is_write);

	pair.requester.on_task = check_late_failure;
	begin_ms = rig_now_ms();
	rdma_submit(&pair, RDMA_SEND, of_message, NULL, NULL, 0);
	rdma_submit(&pair, access, pair.connection, local, remote, 1);
	rdma_wait(&pair, ended + 2);
	pair.requester.on_task = NULL;
	rig_drop(local);
	rig_drop(remote);
}

static void all(void)
{
	const int is_direct = is_path("direct");
	struct doca_rdma_connection *first;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(RDMA_WRITE, 0, LEN)); /* the connection is established */
	first = pair.connection;
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
	CHECK_OK(run_one(RDMA_WRITE, 0, LEN));
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* the warning about the waiting thread is expected */
	responder_signal(&responder, SIGSTOP);
	if (is_direct) {
		CHECK_OK(run_one(RDMA_WRITE, 0, LEN));
		CHECK_OK(run_one(RDMA_READ, 0, LEN));
		CHECK_OK(run_one(RDMA_EVENT_GET, 0, LEN));
	}
	message_and_access_fail(first, is_direct ? RDMA_ADD : RDMA_WRITE);
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
	CHECK(kill(responder.pid, SIGCONT) == 0);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

int main(int argc, char **argv)
{
	test_over_each_path(argc, argv, all);
	remove_own_folder();
	return 0;
}
