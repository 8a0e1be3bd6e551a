/*
 * Protection of the responder, as one table: each operation with each violation, within one process and between two, by all paths.
 * A violation fails the task with the error of the table, ends the connection, and fails the tasks behind it. The memory of the
 * responder and the requester does not change. Contexts, other connections and posted receive tasks continue.
 */
#include "rdma_tasks.h"

enum violation {
	NONE,					/* map and context have exactly the permission of the operation */
	MAP_PERMISSION,				/* the map lacks the permission of the operation, and has all others */
	CONTEXT_PERMISSION,			/* so does the context */
	STOPPED,				/* the map has stopped, or the event is destroyed */
	BOUNDS,					/* one byte more than the remote buffer has, at an aligned address */
	ALIGNMENT,				/* 4 bytes beside an aligned address */
	FOREIGN_KEY,				/* the map was exported again, with another key */
	VIOLATIONS
};

/* Reads and writes have any alignment. Events have no map, no bounds and no alignment. */
#define OK DOCA_SUCCESS
#define NO DOCA_ERROR_IO_FAILED
#define READ DOCA_ACCESS_FLAG_RDMA_READ
#define WRITE DOCA_ACCESS_FLAG_RDMA_WRITE
#define ATOMIC DOCA_ACCESS_FLAG_RDMA_ATOMIC
enum { SKIPPED = -1 };

static const struct row {
	enum rdma_op op;
	uint32_t permission;
	int expected[VIOLATIONS];		/* doca_error_t of the requester's task, or SKIPPED: there is no such violation */
} rows[] = {
	/*			NONE MAP_P.   CONTEXT_P. STOPPED BOUNDS   ALIGNMENT FOREIGN_KEY */
	{ RDMA_READ, READ,	{ OK, NO,      NO,	  NO,	  NO,	   OK,	     NO } },
	{ RDMA_WRITE, WRITE,	{ OK, NO,      NO,	  NO,	  NO,	   OK,	     NO } },
	{ RDMA_WRITE_IMM, WRITE, { OK, NO,     NO,	  NO,	  NO,	   OK,	     NO } },
	{ RDMA_SWAP, ATOMIC,	{ OK, NO,      NO,	  NO,	  NO,	   NO,	     NO } },
	{ RDMA_ADD, ATOMIC,	{ OK, NO,      NO,	  NO,	  NO,	   NO,	     NO } },
	{ RDMA_EVENT_GET, READ,	{ OK, SKIPPED, NO,	  NO,	  SKIPPED, SKIPPED,  SKIPPED } },
	{ RDMA_EVENT_SET, WRITE, { OK, SKIPPED, NO,	  NO,	  SKIPPED, SKIPPED,  SKIPPED } },
	{ RDMA_EVENT_ADD, ATOMIC, { OK, SKIPPED, NO,	  NO,	  SKIPPED, SKIPPED,  SKIPPED } },
};

static struct doca_rdma_connection *other;	/* a second connection of both contexts */

static uint8_t is_event(const struct row *row)
{
	return row->op >= RDMA_EVENT_GET;
}

static uint32_t granted(const struct row *row, enum violation violation, enum violation lacking)
{
	if (violation == NONE)
		return row->permission;
	return violation == lacking ? RDMA_ALL & ~row->permission : RDMA_ALL;
}

static void open_pair(const struct row *row, enum violation violation)
{
	uint32_t map = granted(row, violation, MAP_PERMISSION), context = granted(row, violation, CONTEXT_PERMISSION);

	memset(&pair, 0, sizeof(pair));
	rdma_side_open(&pair.requester, "03:00.0", 0);
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	responder_connect(&pair, &responder, map, context, REQUESTER_ONLY);
	other = pair.connection;
	responder_connect(&pair, &responder, map, context, REQUESTER_ONLY);
	memset(pair.requester.memory, 0x55, RDMA_MEMORY);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 8);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1);
}

static void prepare(const struct row *row, enum violation violation)
{
	if (violation == FOREIGN_KEY)
		(void)RESPONDER_DO(&responder, .order = RESPONDER_EXPORT_MAP_AGAIN);
	else if (violation == STOPPED && is_event(row))
		(void)RESPONDER_DO(&responder, .order = RESPONDER_STOP_EVENT);
	else if (violation == STOPPED)
		CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_STOP_MAP)->result);
}

static void submit(const struct row *row, enum violation violation)
{
	const int is_source = row->op == RDMA_WRITE || row->op == RDMA_WRITE_IMM || row->op == RDMA_EVENT_SET;
	const size_t offset = violation == ALIGNMENT ? 4 : 8;
	const size_t len = violation == BOUNDS ? 15 : 8;
	struct doca_buf *local = rdma_local(&pair, 0, 8, is_source), *remote = rdma_remote(&pair, offset, len, row->op == RDMA_READ);

	if (violation == BOUNDS)
		CHECK_OK(doca_buf_set_data(remote, pair.responder.memory + offset + 8, row->op == RDMA_READ ? 8 : 0));
	rdma_submit(&pair, row->op, pair.connection, local, is_event(row) ? NULL : remote, 0);
	if (row->expected[violation] != OK)
		rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 1); /* it is correct */
	rdma_wait(&pair, row->expected[violation] == OK ? 1 : 2);
	rig_drop(local);
	rig_drop(remote);
}

static void check_untouched(const struct row *row, enum violation violation)
{
	check_responder(0, 4096, 8);
	for (size_t i = 0; i < 64; i++)
		CHECK_EQ(pair.requester.memory[i], 0x55);
	if (violation != STOPPED || !is_event(row))
		CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_GET_EVENT)->count, 0);
}

/* The other connection works, with the receive task that neither the violation nor the task behind it took. */
static void check_other(void)
{
	rdma_submit(&pair, RDMA_SEND, other, NULL, NULL, 2);
	rdma_wait(&pair, 3);
	CHECK_OK(pair.requester.last_status);
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = 1)->opcode, DOCA_RDMA_OPCODE_RECV_SEND);
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
}

static void check(const struct row *row, enum violation violation)
{
	open_pair(row, violation);
	prepare(row, violation);
	submit(row, violation);
	CHECK_ERROR(pair.requester.last_status, (doca_error_t)row->expected[violation]);
	if (row->expected[violation] != OK) {
		CHECK_EQ(pair.requester.failed, 2);
		CHECK(pair.requester.order[0] == 0 && pair.requester.order[1] == 1);
		check_untouched(row, violation);
		check_other();
	}
	(void)RESPONDER_DO(&responder, .order = RESPONDER_CLOSE);
	responder_close_pair(&pair);
}

static void run(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (enum violation violation = NONE; violation < VIOLATIONS; violation++) {
			if (rows[i].expected[violation] != SKIPPED)
				check(&rows[i], violation);
		}
	}
	responder_quit(&responder);
}

static void run_near(void)
{
	responder_start_here(&responder);
	run();
}

static void run_far(void)
{
	responder_start(&responder);
	run();
}

static const struct part parts[] = {
	{ "--near", run_near },
	{ "--far", run_far },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	if (run_part(parts, argc, argv))
		return 0;
	make_own_folder();
	run_with("SOFTDPU_EXECUTION", "threads", "--near");
	run_with("SOFTDPU_EXECUTION", "inline", "--near");
	run_over_each_path("--far");
	remove_own_folder();
	return 0;
}
