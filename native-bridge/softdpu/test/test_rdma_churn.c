/*
 * Processes connect and are killed. Then connections of two processes come and go. Over RC and DC, by Unix sockets and by TCP. At the
 * end, the processes have the same resources as after the first tenth. Long: test_rdma_churn 20000 2000
 */
#include "rdma_tasks.h"

enum { CONNECTS = 200, KILLS = 30, WARM_UP_PARTS = 10, ROUNDS_PER_ORDER = 100 };

static enum doca_rdma_transport_type transport;

static int count_of(const char *variable)
{
	return atoi(getenv(variable));
}

static void open_requester(void)
{
	memset(&pair, 0, sizeof(pair));
	rdma_side_open(&pair.requester, "03:00.0", 0);
	CHECK_OK(doca_rdma_set_transport_type(pair.requester.rdma, transport));
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
}

static void check_flat(struct flat before)
{
	RIG_PROGRESS_UNTIL(pair.requester.pe, count_descriptors() <= before.descriptors);
	flat_check(before);
}

/* --- connections --- */

/* Both processes have a new connection. */
static void connect_rc(int round)
{
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, round % 2 == 0 ? REQUESTER_FIRST : RESPONDER_FIRST);
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	if (round % 4 < 2)
		CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_DISCONNECT)->result);
	CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
	if (round % 4 >= 2)
		CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_DISCONNECT)->result);
}

/* The responder has one connection for all senders. */
static void connect_dc(const struct responder_message *exported, int round)
{
	const void *unused;
	size_t len;

	if (round % ROUNDS_PER_ORDER == 0) /* a responder without an order ends after RESPONDER_LIMIT_MS */
		(void)RESPONDER_DO(&responder, .order = RESPONDER_GET_EVENT);
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &unused, &len, &pair.connection));
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, exported->details, exported->details_len, pair.connection));
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
}

static void come_and_go(void)
{
	struct responder_message exported = { 0 };
	int connects = count_of("CONNECTS");
	struct flat before = { 0 };

	responder_start(&responder);
	open_requester();
	if (transport == DOCA_RDMA_TRANSPORT_TYPE_DC) {
		exported = *RESPONDER_DO(&responder, .order = RESPONDER_EXPORT, .transport = transport,
					 .map_permissions = RDMA_ALL, .context_permissions = RDMA_ALL);
		responder_import(&pair, &exported);
	}
	for (int round = 0; round < connects; round++) {
		if (round == connects / WARM_UP_PARTS) {
			(void)RESPONDER_DO(&responder, .order = RESPONDER_BEGIN_FLAT);
			before = flat_now();
		}
		if (transport == DOCA_RDMA_TRANSPORT_TYPE_DC)
			connect_dc(&exported, round);
		else
			connect_rc(round);
	}
	check_flat(before);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_CHECK_FLAT);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* --- kill -9 --- */

/* The other process is killed with a message that waits, or after one that was received. */
static void connect_and_end(struct responder_message *connect, int is_received)
{
	const struct responder_message message = { .order = RESPONDER_SEND };
	int received = pair.requester.received;

	responder_start(&responder);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_EXPORT, .transport = transport, .map_permissions = RDMA_ALL);
	responder_ask(&responder, connect);
	CHECK_OK(responder_answer(&responder)->result);
	if (is_received)
		rdma_post(&pair.requester, NULL, 0);
	responder_ask(&responder, &message);
	if (is_received)
		RIG_PROGRESS_UNTIL(pair.requester.pe, pair.requester.received > received);
	responder_kill(&responder);
}

static void kills(void)
{
	struct responder_message connect = { .order = RESPONDER_CONNECT };
	int num_kills = count_of("KILLS");
	struct flat before = { 0 };
	const void *details;

	open_requester();
	for (int round = 0; round < num_kills; round++) {
		if (round == num_kills / WARM_UP_PARTS)
			before = flat_now();
		if (round == 0 || transport == DOCA_RDMA_TRANSPORT_TYPE_RC) {
			CHECK_OK(doca_rdma_export(pair.requester.rdma, &details, &connect.details_len, &pair.connection));
			memcpy(connect.details, details, connect.details_len);
		}
		connect_and_end(&connect, round % 2);
		if (transport == DOCA_RDMA_TRANSPORT_TYPE_RC)
			CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
	}
	check_flat(before);
	rdma_side_close(&pair.requester);
	rig_check_nothing_is_left();
}

static void run_rc(void)
{
	kills();
	come_and_go(); /* it also removes the files of the killed processes */
}

static void run_dc(void)
{
	transport = DOCA_RDMA_TRANSPORT_TYPE_DC;
	run_rc();
}

static const struct part parts[] = { { "--rc", run_rc }, { "--dc", run_dc }, { NULL, NULL } };

static void set_count(const char *variable, const char *argument, int otherwise)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", argument == NULL ? otherwise : atoi(argument));
	CHECK(atoi(text) >= otherwise && setenv(variable, text, 1) == 0);
}

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	if (run_part(parts, argc, argv))
		return 0;
	set_count("CONNECTS", argc > 1 ? argv[1] : NULL, CONNECTS);
	set_count("KILLS", argc > 2 ? argv[2] : NULL, KILLS);
	make_own_folder();
	for (const struct part *part = parts; part->name != NULL; part++)
		run_with("SOFTDPU_RDMA_PATH", "auto", part->name);
	make_own_key();
	for (const struct part *part = parts; part->name != NULL; part++)
		run_with("SOFTDPU_RDMA_PATH", "tcp", part->name);
	remove_key("key");
	remove_own_folder();
	return 0;
}
