/*
 * A responder that blocks in the state callback of its context, as samples do: it exports and connects there, and does not return.
 * All tasks of the requester work meanwhile, over each path.
 */
#include "rdma_tasks.h"

static void state_changed(const union doca_data data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			  enum doca_ctx_states next)
{
	(void)ctx;
	(void)previous;
	if (next == DOCA_CTX_STATE_RUNNING)
		responder_obey_in_callback(data.ptr);
}

/* The responder receives the message after the return from the callback. */
static void send_message(void)
{
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1, .offset = 0, .len = 64);
	CHECK_OK(run_one(RDMA_SEND, 0, 64));
}

static void blocked(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	reads_and_writes();
	numbers();
	events(); /* the callback waits for the event */
	send_message();
	(void)RESPONDER_DO(&responder, .order = RESPONDER_RETURN);
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = 1)->len, 64);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* A requester that disconnects, and a kill of the responder, need no return from the callback either. */
static void ends(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	responder_kill(&responder);
	await_end();
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_close_pair(&pair);
}

static void all(void)
{
	blocked();
	ends();
}

int main(int argc, char **argv)
{
	responder_state_changed = state_changed;
	test_over_each_path(argc, argv, all);
	run_with("SOFTDPU_EXECUTION", "inline", WHOLE_TEST);
	remove_own_folder_and_files();
	return 0;
}
