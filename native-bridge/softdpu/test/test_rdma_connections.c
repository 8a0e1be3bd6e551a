/* Export and connect: states, limits, damaged descriptions, one peer per connection, and the end of connections. */
#include <unistd.h>

#include "rdma.h"
#include "../src/rdma/rdma_details.h"

static struct rdma_pair pair;

static void states(void)
{
	struct doca_rdma_connection *connection;
	struct rdma_side side;
	const void *details;
	size_t len;

	rdma_side_open(&side, "03:00.0", 0);
	CHECK_ERROR(doca_rdma_export(side.rdma, &details, &len, &connection), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_set_max_num_connections(side.rdma, 2));
	CHECK_OK(doca_ctx_start(side.ctx));
	CHECK_EQ(rdma_state(&side), DOCA_CTX_STATE_RUNNING);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t id;

		CHECK_OK(doca_rdma_export(side.rdma, &details, &len, &connection));
		CHECK(len <= 256);
		CHECK_OK(doca_rdma_connection_get_id(connection, &id));
		CHECK_EQ(id, i);
	}
	CHECK_ERROR(doca_rdma_export(side.rdma, &details, &len, &connection), DOCA_ERROR_FULL);
	/* An ended connection makes room. */
	CHECK_OK(doca_rdma_connection_disconnect(connection));
	CHECK_OK(doca_rdma_connection_disconnect(connection));
	CHECK_ERROR(doca_rdma_connect(side.rdma, details, len, connection), DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_OK(doca_rdma_export(side.rdma, &details, &len, &connection));
	CHECK_ERROR(doca_rdma_destroy(side.rdma), DOCA_ERROR_BAD_STATE);
	rdma_side_close(&side);
	rig_check_nothing_is_left();
}

static void user_data(struct doca_rdma_connection *connection)
{
	union doca_data data = { .u64 = 77 };

	CHECK_OK(doca_rdma_connection_set_user_data(connection, data));
	data.u64 = 0;
	CHECK_OK(doca_rdma_connection_get_user_data(connection, &data));
	CHECK_EQ(data.u64, 77);
}

static void sign(struct rdma_details *details)
{
	const uint8_t *bytes = (const uint8_t *)details;

	details->check = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < offsetof(struct rdma_details, check); i++)
		details->check = (details->check ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void damaged(struct doca_rdma_connection *connection, const void *details, size_t len)
{
	struct doca_rdma *rdma = pair.requester.rdma;
	struct rdma_details forged;
	uint8_t copy[256];

	CHECK_EQ(len, sizeof(forged));
	for (size_t i = 0; i < len; i++) {
		memcpy(copy, details, len);
		copy[i] ^= 0x10;
		CHECK_ERROR(doca_rdma_connect(rdma, copy, len, connection), DOCA_ERROR_CONNECTION_ABORTED);
	}
	memcpy(copy, details, len);
	for (size_t wrong = 0; wrong < sizeof(copy); wrong++) {
		if (wrong != len)
			CHECK_ERROR(doca_rdma_connect(rdma, copy, wrong, connection), DOCA_ERROR_CONNECTION_ABORTED);
	}
	memcpy(&forged, details, len);
	forged.key++;
	sign(&forged);
	CHECK_ERROR(doca_rdma_connect(rdma, &forged, len, connection), DOCA_ERROR_CONNECTION_ABORTED);
	memcpy(&forged, details, len);
	forged.pid = (uint32_t)getppid();
	sign(&forged);
	CHECK_ERROR(doca_rdma_connect(rdma, &forged, len, connection), DOCA_ERROR_CONNECTION_ABORTED);
}

static void one_peer(void)
{
	struct doca_rdma_connection *one, *other, *peer;
	const void *one_details, *other_details, *peer_details;
	size_t len;

	CHECK_OK(doca_rdma_export(pair.requester.rdma, &one_details, &len, &one));
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &other_details, &len, &other));
	CHECK_OK(doca_rdma_export(pair.responder.rdma, &peer_details, &len, &peer));
	user_data(one);
	damaged(one, peer_details, len);
	CHECK_ERROR(doca_rdma_connect(pair.responder.rdma, peer_details, len, one), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, one_details, len, one), DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, peer_details, len, one));
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, peer_details, len, one), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, peer_details, len, other), DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_ERROR(doca_rdma_connect(pair.responder.rdma, other_details, len, peer), DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_OK(doca_rdma_connect(pair.responder.rdma, one_details, len, peer));
	CHECK_ERROR(doca_rdma_connect(pair.responder.rdma, one_details, len, peer), DOCA_ERROR_BAD_STATE);
	CHECK_OK(rdma_transfer(&pair, one, 1, 0, 64));
	CHECK_ERROR(rdma_transfer(&pair, other, 1, 0, 64), DOCA_ERROR_IO_FAILED); /* never connected */
	CHECK_OK(rdma_transfer(&pair, one, 0, 0, 64));
	CHECK_OK(doca_rdma_connection_disconnect(peer));
	CHECK_ERROR(rdma_transfer(&pair, one, 1, 0, 64), DOCA_ERROR_IO_FAILED);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 1, 0, 64));
}

/* A connection of each side. Only the requester has connected. */
static struct doca_rdma_connection *early, *late;
static const void *early_details;
static size_t details_len;

static void connect_early(void)
{
	const void *late_details;

	CHECK_OK(doca_rdma_export(pair.requester.rdma, &early_details, &details_len, &early));
	CHECK_OK(doca_rdma_export(pair.responder.rdma, &late_details, &details_len, &late));
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, late_details, details_len, early));
	CHECK_OK(rdma_transfer(&pair, early, 1, 0, 64));
}

static doca_error_t connect_late(void)
{
	return doca_rdma_connect(pair.responder.rdma, early_details, details_len, late);
}

/* The peer ends the connection before this side connects, which succeeds once. No task of the connection does. */
static void connects_late(void)
{
	const void *own_details;
	struct doca_rdma_connection *other;

	connect_early();
	CHECK_OK(doca_rdma_connection_disconnect(early));
	CHECK_OK(doca_rdma_export(pair.responder.rdma, &own_details, &details_len, &other));
	CHECK_ERROR(doca_rdma_connect(pair.responder.rdma, own_details, details_len, late), DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_OK(doca_rdma_connection_disconnect(other));
	CHECK_OK(doca_rdma_connection_disconnect(late)); /* as in the callback of the end: no effect */
	CHECK_OK(connect_late());
	CHECK_ERROR(connect_late(), DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_ERROR(rdma_transfer(&pair, early, 1, 0, 64), DOCA_ERROR_IO_FAILED);
}

/* Submits a task of the responder's connection, which fails. */
static void fail_task(void)
{
	struct rdma_pair back = { .requester = pair.responder };
	int failed = pair.responder.failed;

	rdma_submit(&back, RDMA_SEND, late, NULL, NULL, 0);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.failed > failed);
}

/* This side ends the connection before it connects, which fails: by a disconnect, a task, or a lost link. */
static void ends_before_connect(void)
{
	connect_early();
	CHECK_OK(doca_rdma_connection_disconnect(late));
	CHECK_ERROR(connect_late(), DOCA_ERROR_CONNECTION_ABORTED);
	connect_early();
	fail_task();
	CHECK_ERROR(connect_late(), DOCA_ERROR_CONNECTION_ABORTED);
	connect_early();
	CHECK_OK(softdpu_faults_set("rdma-link:down"));
	fail_task();
	softdpu_faults_clear();
	CHECK_ERROR(connect_late(), DOCA_ERROR_CONNECTION_ABORTED);
	rdma_connect(&pair, &pair.connection, &pair.peer); /* the link has ended the other connections too */
}

/* A stop of the responder ends its connections. A new start has none of the old ones. */
static void restart(void)
{
	struct doca_rdma_task_write *task;
	struct doca_rdma_connection *again;
	const void *details;
	size_t len;

	rdma_side_stop(&pair.responder);
	CHECK_ERROR(rdma_transfer(&pair, pair.connection, 0, 0, 64), DOCA_ERROR_IO_FAILED);
	CHECK_OK(doca_ctx_start(pair.responder.ctx));
	CHECK_ERROR(rdma_transfer(&pair, pair.connection, 0, 0, 64), DOCA_ERROR_IO_FAILED);
	rdma_connect(&pair, &pair.connection, &pair.peer);
	CHECK_OK(rdma_transfer(&pair, pair.connection, 0, 0, 64));
	CHECK_OK(doca_rdma_export(pair.responder.rdma, &details, &len, &again));
	CHECK_ERROR(doca_rdma_task_write_allocate_init(pair.requester.rdma, again, NULL, NULL, (union doca_data){ 0 }, &task),
		    DOCA_ERROR_INVALID_VALUE); /* a connection of another context */
}

/* Both sides stop with tasks in flight: each task is reported once, in order. */
static void stop_in_flight(int responder_first)
{
	struct doca_buf *src, *dst;
	int before = pair.requester.completed + pair.requester.failed;

	src = rdma_local(&pair, 0, 4096, 1);
	dst = rdma_remote(&pair, 0, 4096, 0);
	CHECK_OK(softdpu_faults_set("rdma-write:delay=1ms:every=7"));
	for (uint64_t i = 0; i < 100; i++)
		rdma_submit_write(&pair, pair.connection, src, dst, i);
	if (responder_first)
		rdma_side_stop(&pair.responder);
	rdma_side_stop(&pair.requester);
	softdpu_faults_clear();
	CHECK_EQ(pair.requester.completed + pair.requester.failed, before + 100);
	for (int i = 0; i < 100; i++)
		CHECK_EQ(pair.requester.order[(before + i) % (4 * RDMA_TASKS)], i);
	rig_drop(src);
	rig_drop(dst);
}

int main(void)
{
	states();
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	one_peer();
	connects_late();
	ends_before_connect();
	restart();
	stop_in_flight(0);
	rdma_pair_close(&pair);
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	stop_in_flight(1);
	rdma_pair_close(&pair);
	return 0;
}
