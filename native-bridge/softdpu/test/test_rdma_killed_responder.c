/*
 * The responder is killed during an access of the requester's device to its memory, over each path. All tasks end once and in order: those
 * before the access succeed, and those behind it fail.
 */
#include <stdatomic.h>

#include "rdma_accesses.h"

/* A task of PART bytes needs one access. */
enum { COUNT = 16, PART = RDMA_MEMORY / COUNT, CHOSEN = 6 };

enum moment {
	BEFORE,
	UNANSWERED,				/* the request is sent, and the responder has not read it */
	AFTER,					/* the data is copied, or the answer is here */
	MOMENTS
};

static enum moment moment;
static atomic_int accesses_left;		/* up to the one during which the responder ends; 0: none */
static atomic_int is_stopped;
static uint64_t num_successes;

/* Returns whether the device has reached the moment. It executes the tasks of a connection one after the other. */
static int is_reached(enum moment now)
{
	if (now != moment || atomic_load(&accesses_left) == 0)
		return 0;
	return atomic_fetch_sub(&accesses_left, 1) == 1;
}

static void access_begins(void)
{
	if (is_reached(BEFORE))
		responder_signal(&responder, SIGKILL);
	if (!is_reached(UNANSWERED))
		return;
	responder_signal(&responder, SIGSTOP); /* now, so that it does not read the request */
	atomic_store(&is_stopped, 1);
}

static void access_waits(void)
{
	if (atomic_exchange(&is_stopped, 0))
		responder_signal(&responder, SIGKILL);
}

static void access_ends(void)
{
	if (is_reached(AFTER))
		responder_signal(&responder, SIGKILL);
}

static void check_status(uint64_t number)
{
	CHECK_ERROR(pair.requester.last_status, number < num_successes ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
}

/* Returns whether a system call of the requester is the access, without a request to the responder. */
static int is_direct(enum rdma_op op)
{
	return op != RDMA_ADD && is_path("direct");
}

static void kill_during(enum rdma_op op, enum moment chosen)
{
	const size_t len = op == RDMA_ADD ? sizeof(uint64_t) : PART;
	struct doca_buf *local[COUNT], *remote[COUNT];

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(op, 0, len)); /* the connection is established */
	/* Another process may have the process id after the copy, so the copied data does not count. */
	num_successes = chosen == AFTER && !is_direct(op) ? CHOSEN : CHOSEN - 1;
	pair.requester.on_task = check_status;
	moment = chosen;
	atomic_store(&accesses_left, CHOSEN);
	for (uint64_t i = 0; i < COUNT; i++) {
		local[i] = rdma_local(&pair, i * len, len, op == RDMA_WRITE);
		remote[i] = rdma_remote(&pair, i * len, len, op != RDMA_WRITE);
		rdma_submit(&pair, op, pair.connection, local[i], remote[i], i);
	}
	rdma_wait(&pair, 1 + COUNT);
	pair.requester.on_task = NULL;
	for (uint64_t i = 0; i < COUNT; i++) {
		CHECK_EQ(pair.requester.order[1 + i], i);
		rig_drop(local[i]);
		rig_drop(remote[i]);
	}
	CHECK_EQ(atomic_load(&accesses_left), 0);
	CHECK_ERROR(run_one(op, 0, len), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
	responder_kill(&responder); /* it has ended: this waits for its status */
	responder_close_pair(&pair);
}

static void all(void)
{
	static const enum rdma_op ops[] = { RDMA_WRITE, RDMA_READ, RDMA_ADD };

	access_hooks.program = pthread_self();
	access_hooks.begins = access_begins;
	access_hooks.waits = access_waits;
	access_hooks.ends = access_ends;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		for (enum moment chosen = BEFORE; chosen < MOMENTS; chosen++) {
			if (chosen != UNANSWERED || !is_direct(ops[i]))
				kill_during(ops[i], chosen);
		}
	}
}

int main(int argc, char **argv)
{
	test_over_each_path(argc, argv, all);
	remove_own_folder_and_files();
	return 0;
}
