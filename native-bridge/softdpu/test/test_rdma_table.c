/*
 * Protection of the responder, as one table: each operation with each violation. A violation fails the task with IO_FAILED, changes
 * nothing of the responder, and ends the connection. Contexts, other connections and posted receive tasks continue.
 */
#include "rdma.h"

static struct rdma_pair pair;

enum violation {
	NONE,
	MAP_PERMISSION,				/* the map lacks the permission of the operation, and has all others */
	CONTEXT_PERMISSION,			/* so does the context */
	STOPPED_MAP,				/* or destroyed event */
	BOUNDS,					/* one byte more than the remote buffer */
	ALIGNMENT,
	FOREIGN_KEY,				/* the map or event was exported again, with another key */
	VIOLATIONS
};

struct row {
	enum rdma_op op;
	uint32_t permission;
	uint8_t is_event, is_atomic;
};

static const struct row rows[] = {
	{ .op = RDMA_READ, .permission = DOCA_ACCESS_FLAG_RDMA_READ },
	{ .op = RDMA_WRITE, .permission = DOCA_ACCESS_FLAG_RDMA_WRITE },
	{ .op = RDMA_WRITE_IMM, .permission = DOCA_ACCESS_FLAG_RDMA_WRITE },
	{ .op = RDMA_SWAP, .permission = DOCA_ACCESS_FLAG_RDMA_ATOMIC, .is_atomic = 1 },
	{ .op = RDMA_ADD, .permission = DOCA_ACCESS_FLAG_RDMA_ATOMIC, .is_atomic = 1 },
	{ .op = RDMA_EVENT_GET, .permission = DOCA_ACCESS_FLAG_RDMA_READ, .is_event = 1 },
	{ .op = RDMA_EVENT_SET, .permission = DOCA_ACCESS_FLAG_RDMA_WRITE, .is_event = 1 },
	{ .op = RDMA_EVENT_ADD, .permission = DOCA_ACCESS_FLAG_RDMA_ATOMIC, .is_event = 1 },
};

/* Events have no map permissions, no bounds and no alignment. Reads and writes have any alignment. */
static int is_possible(const struct row *row, enum violation violation)
{
	if (row->is_event)
		return violation == NONE || violation == CONTEXT_PERMISSION || violation == STOPPED_MAP || violation == FOREIGN_KEY;
	return violation != ALIGNMENT || row->is_atomic;
}

static void open_pair(const struct row *row, enum violation violation)
{
	rdma_pair_open(&pair, violation == MAP_PERMISSION ? RDMA_ALL & ~row->permission : RDMA_ALL,
		       violation == CONTEXT_PERMISSION ? RDMA_ALL & ~row->permission : RDMA_ALL);
	rdma_event_open(&pair);
	memset(pair.requester.memory, 0x55, RDMA_MEMORY);
	memset(pair.responder.memory, 0xee, RDMA_MEMORY);
}

static void export_again(const struct row *row)
{
	const void *desc;
	size_t len;

	if (row->is_event) {
		struct doca_sync_event_remote_net *old = pair.remote_event;

		CHECK_OK(doca_sync_event_stop(pair.event));
		CHECK_OK(doca_sync_event_destroy(pair.event));
		rdma_event_open(&pair);
		CHECK_OK(doca_sync_event_remote_net_destroy(pair.remote_event));
		pair.remote_event = old;
		return;
	}
	CHECK_OK(doca_mmap_stop(pair.responder.map));
	CHECK_OK(doca_mmap_start(pair.responder.map));
	CHECK_OK(doca_mmap_export_rdma(pair.responder.map, pair.responder.dev, &desc, &len));
}

static void prepare(const struct row *row, enum violation violation)
{
	if (violation == FOREIGN_KEY) {
		export_again(row);
	} else if (violation == STOPPED_MAP && row->is_event) {
		CHECK_OK(doca_sync_event_stop(pair.event));
		CHECK_OK(doca_sync_event_destroy(pair.event));
		pair.event = NULL;
	} else if (violation == STOPPED_MAP) {
		CHECK_OK(doca_mmap_stop(pair.responder.map));
	}
}

static void submit(const struct row *row, enum violation violation)
{
	const int is_source = row->op == RDMA_WRITE || row->op == RDMA_WRITE_IMM || row->op == RDMA_EVENT_SET;
	const size_t offset = violation == ALIGNMENT ? 4 : 8;
	struct doca_buf *local = rdma_local(&pair, 0, 8, is_source), *remote = rdma_remote(&pair, offset, 8, row->op == RDMA_READ);

	if (violation == BOUNDS)
		CHECK_OK(doca_buf_set_data(remote, pair.responder.memory + offset + 1, row->op == RDMA_READ ? 8 : 0));
	rdma_submit(&pair, row->op, pair.connection, local, row->is_event ? NULL : remote, 0);
	rdma_wait(&pair, 1);
	rig_drop(local);
	rig_drop(remote);
}

static void check_untouched(void)
{
	uint64_t value = 0;

	for (size_t i = 0; i < 64; i++) {
		CHECK_EQ(pair.responder.memory[i], 0xee);
		CHECK_EQ(pair.requester.memory[i], 0x55);
	}
	if (pair.event != NULL)
		CHECK_OK(doca_sync_event_get(pair.event, &value));
	CHECK_EQ(value, 0);
}

/* The connection has ended on both sides. Another one works, with the receive task that the violation did not take. */
static void check_consequences(struct doca_rdma_connection *other)
{
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 1);
	rdma_wait(&pair, 2);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(rdma_state(&pair.responder), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(pair.responder.received + pair.responder.unreceived, 0);
	rdma_submit(&pair, RDMA_SEND, other, NULL, NULL, 2);
	rdma_wait(&pair, 3);
	CHECK_OK(pair.requester.last_status);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.received == 1);
}

static void check(const struct row *row, enum violation violation)
{
	struct doca_rdma_connection *other, *other_peer;

	open_pair(row, violation);
	rdma_connect(&pair, &other, &other_peer);
	prepare(row, violation);
	rdma_post(&pair.responder, NULL, 0);
	submit(row, violation);
	if (violation == NONE) {
		CHECK_OK(pair.requester.last_status);
	} else {
		CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
		check_untouched();
		check_consequences(other);
	}
	rdma_pair_close(&pair);
}

static void run(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (enum violation violation = NONE; violation < VIOLATIONS; violation++) {
			if (is_possible(&rows[i], violation))
				check(&rows[i], violation);
		}
	}
}

int main(void)
{
	run();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	run();
	return 0;
}
