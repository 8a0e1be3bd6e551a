/*
 * A connection gives access to memory and events of its peer's process only, also if a device with the same VHCA id exported those of
 * another process.
 */
#include "rdma_tasks.h"

enum { SEED = 8 };

static const enum rdma_op ops[] = {
	RDMA_READ, RDMA_WRITE, RDMA_WRITE_IMM, RDMA_SWAP, RDMA_ADD, RDMA_EVENT_GET, RDMA_EVENT_SET, RDMA_EVENT_ADD,
};

static struct responder stranger;		/* exports memory and an event, and is not connected */
static struct rdma_side own;			/* the same, of this process */

static void drop_imports(void)
{
	CHECK_OK(doca_sync_event_remote_net_destroy(pair.remote_event));
	CHECK_OK(doca_mmap_destroy(pair.remote));
}

/* Replaces the imports of the responder. */
static void import_stranger(void)
{
	drop_imports();
	responder_import(&pair, RESPONDER_DO(&stranger, .order = RESPONDER_EXPORT, .map_permissions = RDMA_ALL,
					     .context_permissions = RDMA_ALL));
	(void)RESPONDER_DO(&stranger, .order = RESPONDER_FILL, .seed = SEED);
}

static void check_refused(enum rdma_op op)
{
	memset(pair.requester.memory, 0x55, 128);
	CHECK_ERROR(run_one(op, 64, 8), DOCA_ERROR_IO_FAILED);
	for (size_t i = 0; i < 128; i++)
		CHECK_EQ(pair.requester.memory[i], 0x55);
}

static void check_stranger(void)
{
	CHECK_EQ(RESPONDER_DO(&stranger, .order = RESPONDER_CHECK, .len = RDMA_MEMORY, .seed = SEED)->count, 0);
	CHECK_EQ(RESPONDER_DO(&stranger, .order = RESPONDER_GET_EVENT)->count, 0);
}

/* A violation has ended the connection. The responder may not know that yet, and has room for few connections. */
static void connect_again(void)
{
	CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_DISCONNECT)->result);
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
}

/* The peer is another process. */
static void other_of_far(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	responder_start(&stranger);
	import_stranger();
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		check_refused(ops[i]);
		connect_again();
	}
	check_stranger();
	responder_quit(&stranger);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* The peer is another process, and this process exported the memory. */
static void own_of_far(void)
{
	const void *desc;
	size_t len;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	rdma_side_open(&own, "81:00.0", RDMA_ALL);
	CHECK_OK(doca_mmap_destroy(pair.remote));
	CHECK_OK(doca_mmap_export_rdma(own.map, own.dev, &desc, &len));
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, pair.requester.dev, &pair.remote));
	pair.responder.memory = own.memory;
	check_refused(RDMA_READ);
	connect_again();
	check_refused(RDMA_WRITE);
	CHECK_EQ(own.memory[64], 0);
	responder_quit(&responder);
	rdma_side_stop(&pair.requester);
	drop_imports();
	rdma_side_close(&own);
	rdma_side_close(&pair.requester);
	rig_check_nothing_is_left();
}

/* The peer is in this process. */
static void other_of_near(void)
{
	uint8_t *memory;

	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	rdma_event_open(&pair);
	memory = pair.responder.memory;
	responder_start(&stranger);
	import_stranger();
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		check_refused(ops[i]);
		rdma_connect(&pair, &pair.connection, &pair.peer);
	}
	check_stranger();
	responder_quit(&stranger);
	pair.responder.memory = memory;
	rdma_pair_close(&pair);
}

static void all(void)
{
	other_of_far();
	own_of_far();
	other_of_near();
}

int main(int argc, char **argv)
{
	test_over_each_path(argc, argv, all);
	run_with("SOFTDPU_EXECUTION", "inline", WHOLE_TEST);
	remove_own_folder();
	return 0;
}
