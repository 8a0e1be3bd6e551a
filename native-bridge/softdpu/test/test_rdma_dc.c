/*
 * Transport DC: an exported connection accepts any number of senders, and stands for all of them. The end of a sender, also by
 * kill -9, ends no other one; the end of the exported connection ends all. Wrong use has the documented errors.
 */
#include "rdma_tasks.h"

enum { SENDERS = 3, CYCLES = 40 };

/* --- one process: the requester's context has all senders --- */

static struct doca_rdma_connection *senders[SENDERS];
static const void *details;			/* of the exported connection */
static size_t details_len;
static int num_disconnected[2];			/* of the requester, and of the responder */

static void unexpected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)connection;
	(void)data;
	(void)ctx_data;
	CHECK(0);
}

static void disconnected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)connection;
	(void)data;
	num_disconnected[ctx_data.ptr == &pair.responder]++;
}

static void start(struct rdma_side *side, enum doca_rdma_transport_type transport)
{
	CHECK_OK(doca_rdma_set_transport_type(side->rdma, transport));
	CHECK_OK(doca_rdma_set_permissions(side->rdma, RDMA_ALL));
	CHECK_OK(doca_rdma_set_rnr_retry_count(side->rdma, 7));
	CHECK_OK(doca_rdma_set_connection_state_callbacks(side->rdma, NULL, unexpected, unexpected, disconnected));
	CHECK_OK(doca_ctx_start(side->ctx));
}

static void open_pair(enum doca_rdma_transport_type transport)
{
	memset(&pair, 0, sizeof(pair));
	num_disconnected[0] = num_disconnected[1] = 0;
	rdma_side_open(&pair.requester, "03:00.0", RDMA_ALL);
	rdma_side_open(&pair.responder, "81:00.0", RDMA_ALL);
	CHECK_OK(doca_rdma_set_max_num_connections(pair.responder.rdma, 1)); /* senders do not count */
	start(&pair.requester, transport);
	start(&pair.responder, DOCA_RDMA_TRANSPORT_TYPE_DC);
	CHECK_OK(doca_rdma_export(pair.responder.rdma, &details, &details_len, &pair.peer));
	pair.remote = rdma_import(&pair);
}

static void connect_sender(struct doca_rdma_connection **sender)
{
	const void *unused;
	size_t len;

	CHECK_OK(doca_rdma_export(pair.requester.rdma, &unused, &len, sender));
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, details, details_len, *sender));
}

/* All connections work, and receive tasks name the exported one. */
static void check_works(struct doca_rdma_connection *sender)
{
	struct doca_buf *result = rdma_local(&pair, 64, 8, 0), *number = rdma_remote(&pair, 64, 8, 0);
	int received = pair.responder.received, ended = num_ended();

	CHECK_OK(rdma_transfer(&pair, sender, 1, 0, 200000));
	CHECK_OK(rdma_transfer(&pair, sender, 0, 0, 200000));
	rdma_submit(&pair, RDMA_ADD, sender, result, number, 0);
	rdma_post(&pair.responder, NULL, 0);
	rdma_submit(&pair, RDMA_SEND, sender, NULL, NULL, 0);
	rdma_wait(&pair, ended + 4);
	CHECK_OK(pair.requester.last_status);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.received == received + 1);
	CHECK(pair.responder.message.connection == pair.peer);
	rig_drop(result);
	rig_drop(number);
}

static void check_ended(struct doca_rdma_connection *sender)
{
	CHECK_ERROR(rdma_transfer(&pair, sender, 1, 0, 8), DOCA_ERROR_IO_FAILED);
}

static void violate(struct doca_rdma_connection *sender)
{
	struct doca_buf *source = rdma_local(&pair, 0, 64, 1), *shorter = rdma_remote(&pair, 0, 63, 0);

	rdma_submit_write(&pair, sender, source, shorter, 0);
	rdma_wait(&pair, num_ended() + 1);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	rig_drop(source);
	rig_drop(shorter);
}

static void await_disconnections(int of_requester, int of_responder)
{
	RIG_PROGRESS_UNTIL(pair.requester.pe, num_disconnected[0] >= of_requester);
	RIG_PROGRESS_UNTIL(pair.responder.pe, num_disconnected[1] >= of_responder);
	CHECK_EQ(num_disconnected[0], of_requester);
	CHECK_EQ(num_disconnected[1], of_responder);
}

static void one_process(void)
{
	open_pair(DOCA_RDMA_TRANSPORT_TYPE_DC);
	for (int i = 0; i < SENDERS; i++)
		connect_sender(&senders[i]);
	for (int i = 0; i < SENDERS; i++)
		check_works(senders[i]);
	violate(senders[0]);
	CHECK_OK(doca_rdma_connection_disconnect(senders[1]));
	check_ended(senders[0]);
	check_ended(senders[1]);
	check_works(senders[2]);
	await_disconnections(2, 0);
	for (int i = 0; i < CYCLES; i++) {
		connect_sender(&senders[0]);
		CHECK_OK(doca_rdma_connection_disconnect(senders[0]));
	}
	connect_sender(&senders[0]);
	check_works(senders[0]);
	CHECK_OK(doca_rdma_connection_disconnect(pair.peer));
	check_ended(senders[0]);
	check_ended(senders[2]);
	await_disconnections(CYCLES + 4, 1);
	rdma_pair_close(&pair);
}

/* The exported connection connects to one of its senders. A disconnection ends all connections of the pair. */
static void both_directions(void)
{
	struct rdma_pair back = { 0 };
	const void *sender;
	size_t len;

	open_pair(DOCA_RDMA_TRANSPORT_TYPE_DC);
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &sender, &len, &senders[0]));
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, details, details_len, senders[0]));
	CHECK_OK(doca_rdma_connect(pair.responder.rdma, sender, len, pair.peer));
	connect_sender(&senders[1]);
	check_works(senders[0]);
	back.requester = pair.responder;
	rdma_post(&pair.requester, NULL, 0);
	rdma_submit(&back, RDMA_SEND, pair.peer, NULL, NULL, 0);
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.completed == 1);
	RIG_PROGRESS_UNTIL(pair.requester.pe, pair.requester.received == 1);
	CHECK(pair.requester.message.connection == senders[0]);
	CHECK_OK(doca_rdma_connection_disconnect(senders[0]));
	check_ended(senders[1]);
	await_disconnections(2, 1);
	rdma_pair_close(&pair);
}

static void wrong_use(void)
{
	struct doca_rdma_connection *connection;
	struct doca_rdma_addr *addr;
	struct rdma_pair back;

	open_pair(DOCA_RDMA_TRANSPORT_TYPE_DC);
	CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.81", 1, &addr));
	CHECK_ERROR(doca_rdma_connect_to_addr(pair.requester.rdma, addr, (union doca_data){ 0 }), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_rdma_start_listen_to_port(pair.responder.rdma, 1), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_rdma_addr_destroy(addr));
	CHECK_ERROR(doca_rdma_connect(pair.responder.rdma, details, details_len, pair.peer), DOCA_ERROR_CONNECTION_ABORTED);
	connect_sender(&senders[0]);
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, details, details_len, senders[0]), DOCA_ERROR_BAD_STATE);
	back.requester = pair.responder;
	rdma_submit(&back, RDMA_SEND, pair.peer, NULL, NULL, 0); /* it has no peer */
	RIG_PROGRESS_UNTIL(pair.responder.pe, pair.responder.failed == 1);
	check_ended(senders[0]);
	rdma_pair_close(&pair);
	open_pair(DOCA_RDMA_TRANSPORT_TYPE_RC);
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &(const void *){ NULL }, &(size_t){ 0 }, &connection));
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, details, details_len, connection), DOCA_ERROR_CONNECTION_ABORTED);
	rdma_pair_close(&pair);
}

static void within_a_process(void)
{
	one_process();
	both_directions();
	wrong_use();
}

/* --- three processes: the responder, this one as a sender, and another sender --- */

static struct responder other;
static struct responder_message connect_order = { .order = RESPONDER_CONNECT };

static void start_other(void)
{
	responder_start(&other);
	(void)RESPONDER_DO(&other, .order = RESPONDER_EXPORT, .transport = DOCA_RDMA_TRANSPORT_TYPE_DC, .map_permissions = RDMA_ALL);
	responder_ask(&other, &connect_order);
	CHECK_OK(responder_answer(&other)->result);
}

static void open_processes(void)
{
	const struct responder_message *answer;
	const void *unused;
	size_t len;

	memset(&pair, 0, sizeof(pair));
	num_received = 0;
	responder_start(&responder);
	rdma_side_open(&pair.requester, "03:00.0", 0);
	start(&pair.requester, DOCA_RDMA_TRANSPORT_TYPE_DC);
	answer = RESPONDER_DO(&responder, .order = RESPONDER_EXPORT, .transport = DOCA_RDMA_TRANSPORT_TYPE_DC,
			      .map_permissions = RDMA_ALL, .context_permissions = RDMA_ALL);
	responder_import(&pair, answer);
	connect_order.details_len = answer->details_len;
	memcpy(connect_order.details, answer->details, answer->details_len);
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &unused, &len, &pair.connection));
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, answer->details, answer->details_len, pair.connection));
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, answer->details, answer->details_len, pair.connection), DOCA_ERROR_BAD_STATE);
	start_other();
}

static void work_here(void)
{
	reads_and_writes();
	numbers();
	CHECK_EQ(message(RDMA_SEND, 70000), 0);
	CHECK_EQ(message(RDMA_WRITE_IMM, 70000), 0);
}

static void work_there(void)
{
	const struct responder_message order = { .order = RESPONDER_SEND, .len = 70000 };
	const struct responder_message *answer;

	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1, .len = 70000);
	responder_ask(&other, &order);
	CHECK_OK(responder_answer(&other)->result);
	answer = RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = (uint64_t)++num_received);
	CHECK_EQ(answer->len, 70000);
	CHECK(answer->is_by_last);
}

/* The other sender is killed while its message waits. The next receive task serves this sender. */
static void kill_other(void)
{
	const struct responder_message order = { .order = RESPONDER_SEND, .len = 8 };

	responder_ask(&other, &order);
	responder_kill(&other);
	work_here();
}

static void processes(void)
{
	const struct responder_message order = { .order = RESPONDER_SEND, .len = 8 };

	open_processes();
	events();
	work_here();
	work_there();
	kill_other();
	start_other();
	work_there();
	work_here();
	CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_DISCONNECT)->result);
	await_end();
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_ask(&other, &order);
	CHECK_ERROR(responder_answer(&other)->result, DOCA_ERROR_IO_FAILED);
	responder_quit(&other);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

static const struct part parts[] = {
	{ "--processes", processes },
	{ "--within", within_a_process },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	if (run_part(parts, argc, argv))
		return 0;
	make_own_folder();
	within_a_process();
	run_with("SOFTDPU_EXECUTION", "inline", "--within");
	run_over_each_path("--processes");
	remove_own_folder();
	return 0;
}
