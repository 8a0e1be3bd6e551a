/*
 * The responder disconnects after the last access of a task, and before the requester's device completes the task. The access has
 * taken place, so the task succeeds. A task that has something left to do fails.
 */
#include <sched.h>
#include <stdatomic.h>

#include "rdma_accesses.h"

enum { PART = 64 << 10, NUMBER = 8 };

static int num_disconnected;

/* An access of a hardware thread does not return until the test releases it. */
static atomic_int held_access, is_held;		/* the first access has number 1; 0: none */

static void hold(void)
{
	if (atomic_load(&held_access) == 0 || atomic_fetch_sub(&held_access, 1) > 1)
		return;
	atomic_store(&is_held, 1);
	while (atomic_load(&is_held))
		sched_yield();
}

static void requested(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	(void)connection;
	(void)ctx_data;
}

static void not_expected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)connection;
	(void)data;
	(void)ctx_data;
	CHECK(0);
}

static void disconnected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)data;
	(void)ctx_data;
	CHECK(connection == pair.connection);
	num_disconnected++;
}

/* The connection of a task ends while an access of the task returns. */
static doca_error_t run_and_disconnect_at(enum rdma_op op, size_t len, int access)
{
	const int is_source = op == RDMA_WRITE || op == RDMA_WRITE_IMM || op == RDMA_EVENT_SET;
	struct doca_buf *local, *remote = NULL;
	int ended = num_ended(), before = num_disconnected;

	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
	local = rdma_local(&pair, 0, len, is_source);
	if (op < RDMA_EVENT_GET)
		remote = rdma_remote(&pair, 0, len, !is_source);
	CHECK_OK(run_one(RDMA_WRITE, 0, 0)); /* the connection is established */
	ended++;
	atomic_store(&held_access, access);
	rdma_submit(&pair, op, pair.connection, local, remote, 0);
	RIG_PROGRESS_UNTIL(pair.requester.pe, atomic_load(&is_held));
	CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_DISCONNECT)->result);
	RIG_PROGRESS_UNTIL(pair.requester.pe, num_disconnected > before);
	CHECK_EQ(num_ended(), ended);
	atomic_store(&is_held, 0);
	rdma_wait(&pair, ended + 1);
	rig_drop(local);
	if (remote != NULL)
		rig_drop(remote);
	return pair.requester.last_status;
}

static doca_error_t run_and_disconnect(enum rdma_op op, size_t len)
{
	return run_and_disconnect_at(op, len, 1);
}

static void begin(void)
{
	access_hooks.program = pthread_self();
	access_hooks.ends = hold;
	responder_start(&responder);
	rdma_side_open(&pair.requester, "03:00.0", 0);
	CHECK_OK(doca_rdma_set_connection_state_callbacks(pair.requester.rdma, requested, not_expected, not_expected, disconnected));
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
}

static void numbers_and_events(void)
{
	uint64_t *value = (uint64_t *)(void *)pair.requester.memory;

	CHECK_OK(run_and_disconnect(RDMA_SWAP, NUMBER));
	CHECK_OK(run_and_disconnect(RDMA_ADD, NUMBER));
	*value = 5;
	CHECK_OK(run_and_disconnect(RDMA_EVENT_SET, NUMBER));
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_GET_EVENT)->count, 5);
	CHECK_OK(run_and_disconnect(RDMA_EVENT_ADD, NUMBER));
	CHECK_EQ(*value, 5);
	CHECK_OK(run_and_disconnect(RDMA_EVENT_GET, NUMBER));
	CHECK_EQ(*value, 5 + RDMA_OPERAND);
}

/* A write and a read of some parts, whose last access returns late. */
static void bytes(int parts)
{
	const size_t len = (size_t)parts * PART;

	fill((uint64_t)parts);
	CHECK_OK(run_and_disconnect_at(RDMA_WRITE, len, parts));
	check_responder(0, len, (uint64_t)parts);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 9);
	CHECK_OK(run_and_disconnect_at(RDMA_READ, len, parts));
	for (size_t i = 0; i < len; i++)
		CHECK_EQ(pair.requester.memory[i], responder_byte(i, 9));
}

static void all(void)
{
	begin();
	bytes(1);
	bytes(3);
	numbers_and_events();
	CHECK_ERROR(run_and_disconnect(RDMA_WRITE, 2 * PART), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(run_and_disconnect(RDMA_READ, PART + 1), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(run_and_disconnect(RDMA_WRITE_IMM, PART), DOCA_ERROR_IO_FAILED);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

int main(int argc, char **argv)
{
	test_over_each_path(argc, argv, all);
	remove_own_folder_and_files();
	return 0;
}
