/*
 * Receive tasks that do not serve a message: too small, absent, or posted late. Receive tasks that are posted or in use when a
 * side stops, or that fail by a fault. A message without a receive task waits and then fails. Also with inline execution.
 */
#include "rdma_messages.h"

/* A receive task with less room than the message: both sides fail, and the connection ends. Other receive tasks stay. */
static void too_small(void)
{
	struct doca_buf *local = rdma_local(&pair, 0, 100, 1), *room = rdma_room(&pair.responder, 0, 99);

	memset(pair.responder.memory, 0xee, 200);
	CHECK_ERROR(exchange(RDMA_SEND, local, NULL, room), DOCA_ERROR_IO_FAILED);
	rdma_post(&pair.responder, NULL, 0);
	receive_until(num_received() == 0 ? 1 : num_received());
	CHECK_EQ(pair.responder.unreceived, 1);
	CHECK_EQ(pair.responder.received, 0);
	for (int i = 0; i < 200; i++)
		CHECK_EQ(pair.responder.memory[i], 0xee);
	rdma_connect(&pair, &pair.connection, &pair.peer);
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	receive_until(2);
	CHECK_EQ(pair.responder.received, 1);
	rdma_wait(&pair, 2);
	rig_drop(local);
	rig_drop(room);
}

/* Without a receive task: fails at once, after the retries, or waits without a limit. */
static void not_ready(void)
{
	struct doca_rdma_connection *other, *other_peer;
	struct doca_buf *local;
	int ended;

	start_again(0);
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	rdma_wait(&pair, 1);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);

	start_again(2);
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	rdma_submit(&pair, RDMA_WRITE, pair.connection, NULL, NULL, 1); /* waits behind the message, and fails with it */
	rdma_wait(&pair, 2);
	CHECK_EQ(pair.requester.failed, 2);

	start_again(7);
	rdma_connect(&pair, &other, &other_peer);
	local = rdma_local(&pair, 0, 64, 1);
	rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 0);
	rdma_submit(&pair, RDMA_WRITE, other, NULL, NULL, 1);
	rdma_wait(&pair, 1);
	CHECK_EQ(pair.requester.order[0], 1); /* another connection does not wait */
	CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
	rdma_wait(&pair, 2);
	CHECK_EQ(pair.requester.failed, 1);
	rig_drop(local);

	start_again(7);
	rdma_submit(&pair, RDMA_SEND_IMM, pair.connection, NULL, NULL, 0);
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 1);
	for (int i = 0; i < 1000; i++)
		doca_pe_progress(pair.requester.pe);
	CHECK_EQ(num_ended(), 0);
	rdma_post(&pair.responder, NULL, 5);
	rdma_post(&pair.responder, NULL, 6);
	rdma_wait(&pair, 2);
	receive_until(2);
	CHECK_EQ(pair.requester.completed, 2);
	CHECK_EQ(pair.responder.message.number, 6);
	CHECK_EQ(pair.responder.message.opcode, DOCA_RDMA_OPCODE_RECV_SEND);

	/* A stop of either side ends the wait. */
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	for (int i = 0; i < 100; i++)
		doca_pe_progress(pair.requester.pe);
	rdma_side_stop(&pair.responder);
	ended = num_ended();
	rdma_wait(&pair, ended == 3 ? 3 : ended + 1);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
}

/* The default number of retries lasts longer than a busy machine delays the other program. */
static void posted_late(void)
{
	const uint64_t until = rig_now_ms() + 250;

	start_again(6);
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	while (softdpu_get_execution() == SOFTDPU_EXECUTION_THREADS && rig_now_ms() < until) /* inline: the clock is virtual */
		doca_pe_progress(pair.requester.pe);
	rdma_post(&pair.responder, NULL, 0);
	receive_until(1);
	rdma_wait(&pair, 1);
	CHECK_EQ(pair.requester.completed, 1);
}

/* Posted receive tasks fail at the stop of their context, not at the end of a connection. */
static void posted_at_stop(void)
{
	start_again(6);
	for (uint64_t i = 0; i < 5; i++)
		rdma_post(&pair.responder, NULL, i);
	CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
	doca_pe_progress(pair.responder.pe);
	CHECK_EQ(num_received(), 0);
	rdma_side_stop(&pair.responder);
	CHECK_EQ(pair.responder.unreceived, 5);
}

/* A part of a message is moved when one side stops: both tasks end, once. */
static void stop_in_flight(int responder_stops)
{
	struct doca_buf *local, *room;

	start_again(6);
	local = rdma_local(&pair, 0, RDMA_MEMORY, 1);
	room = rdma_room(&pair.responder, 0, RDMA_MEMORY);
	rdma_post(&pair.responder, room, 0);
	rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 0);
	doca_pe_progress(pair.requester.pe);
	if (responder_stops) {
		rdma_side_stop(&pair.responder);
		CHECK_EQ(num_received(), 1);
	}
	rdma_side_stop(&pair.requester);
	CHECK_EQ(num_ended(), 1);
	if (!responder_stops)
		rdma_side_stop(&pair.responder);
	CHECK_EQ(num_received(), 1);
	rig_drop(local);
	rig_drop(room);
}

static void faults(void)
{
	struct doca_buf *local, *room;

	start_again(6);
	local = rdma_local(&pair, 0, 100, 1);
	room = rdma_room(&pair.responder, 0, 100);
	memset(pair.responder.memory, 0, 100);
	memset(pair.requester.memory, 0, 100);
	CHECK_OK(softdpu_faults_set("rdma-send:corrupt:nth=1;rdma-receive:delay=1ms:nth=1"));
	CHECK_OK(exchange(RDMA_SEND, local, NULL, room));
	CHECK_EQ(pair.responder.memory[50], 1);
	rig_drop(room);
	room = rdma_room(&pair.responder, 0, 100);
	pair.responder.memory[50] = 0;
	CHECK_OK(softdpu_faults_set("rdma-receive:corrupt:nth=1"));
	CHECK_OK(exchange(RDMA_SEND, local, NULL, room));
	CHECK_EQ(pair.responder.memory[50], 1);
	CHECK_OK(softdpu_faults_set("rdma-receive:fail:nth=1"));
	rdma_post(&pair.responder, NULL, 0);
	receive_until(3);
	CHECK_EQ(pair.responder.unreceived, 1);
	softdpu_faults_clear();
	rig_drop(local);
	rig_drop(room);
}

static void run(void)
{
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	too_small();
	not_ready();
	posted_late();
	posted_at_stop();
	stop_in_flight(0);
	stop_in_flight(1);
	faults();
	rdma_pair_close(&pair);
}

int main(void)
{
	run();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	run();
	return 0;
}
