/*
 * Two processes: all tasks work, while the responder blocks; both may connect first, or only the requester; messages flow in both
 * directions and wait for receive tasks; violations and the death of the responder end the connection.
 */
#include <sys/resource.h>

#include "doca_log.h"
#include "rdma_process.h"
#include "rendezvous.h"

static struct rdma_pair pair;
static struct responder responder;

static int num_ended(void)
{
	return pair.requester.completed + pair.requester.failed;
}

static doca_error_t run_one(enum rdma_op op, size_t offset, size_t len)
{
	const int is_source = op != RDMA_READ && op < RDMA_SWAP;
	const int is_event = op >= RDMA_EVENT_GET;
	struct doca_buf *local = rdma_local(&pair, offset, len, is_source || op == RDMA_EVENT_SET);
	struct doca_buf *remote = is_event || op == RDMA_SEND || op == RDMA_SEND_IMM ? NULL : rdma_remote(&pair, offset, len, !is_source);
	int ended = num_ended();

	rdma_submit(&pair, op, pair.connection, local, remote, 0);
	rdma_wait(&pair, ended + 1);
	rig_drop(local);
	if (remote != NULL)
		rig_drop(remote);
	return pair.requester.last_status;
}

static void fill(uint64_t seed)
{
	for (size_t i = 0; i < RDMA_MEMORY; i++)
		pair.requester.memory[i] = responder_byte(i, seed);
}

static void check_responder(size_t offset, size_t len, uint64_t seed)
{
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_CHECK, .offset = offset, .len = len, .seed = seed)->count, 0);
}

static void reads_and_writes(void)
{
	fill(1);
	CHECK_OK(run_one(RDMA_WRITE, 5, RDMA_MEMORY - 5));
	check_responder(5, RDMA_MEMORY - 5, 1);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 2);
	CHECK_OK(run_one(RDMA_READ, 3, 300000));
	for (size_t i = 3; i < 300003; i++)
		CHECK_EQ(pair.requester.memory[i], responder_byte(i, 2));
	CHECK_EQ(pair.requester.memory[2], responder_byte(2, 1));
}

static void numbers(void)
{
	*(uint64_t *)(void *)(pair.requester.memory + 64) = RDMA_COMPARED;
	CHECK_OK(run_one(RDMA_WRITE, 64, 8));
	CHECK_OK(run_one(RDMA_SWAP, 64, 8));
	CHECK_EQ(*(uint64_t *)(void *)(pair.requester.memory + 64), RDMA_COMPARED);
	CHECK_OK(run_one(RDMA_ADD, 64, 8));
	CHECK_EQ(*(uint64_t *)(void *)(pair.requester.memory + 64), RDMA_OPERAND);
	CHECK_OK(run_one(RDMA_READ, 64, 8));
	CHECK_EQ(*(uint64_t *)(void *)(pair.requester.memory + 64), 2 * RDMA_OPERAND);
}

/* The responder blocks until the event changes. */
static void events(void)
{
	const struct responder_message wait = { .order = RESPONDER_WAIT_EVENT, .count = 4 };
	uint64_t *value = (uint64_t *)(void *)pair.requester.memory;

	responder_ask(&responder, &wait);
	CHECK_OK(run_one(RDMA_EVENT_GET, 0, 8));
	CHECK_EQ(*value, 0);
	*value = 5;
	CHECK_OK(run_one(RDMA_EVENT_SET, 0, 8));
	(void)responder_answer(&responder);
	CHECK_OK(run_one(RDMA_EVENT_ADD, 0, 8));
	CHECK_EQ(*value, 5);
	CHECK_OK(run_one(RDMA_EVENT_GET, 0, 8));
	CHECK_EQ(*value, 5 + RDMA_OPERAND);
}

static int num_received;

static void message(enum rdma_op op, size_t len)
{
	const struct responder_message *answer;

	fill(len + op);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1, .offset = 0, .len = op == RDMA_WRITE_IMM ? 0 : len);
	CHECK_OK(run_one(op, 0, len));
	answer = RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = (uint64_t)++num_received);
	CHECK_EQ(answer->opcode, op == RDMA_SEND ? DOCA_RDMA_OPCODE_RECV_SEND :
				 op == RDMA_SEND_IMM ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM : DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
	CHECK_EQ(answer->len, len);
	CHECK(op == RDMA_SEND || answer->immediate == RDMA_IMMEDIATE);
	check_responder(0, len, len + op);
}

/* Submitted before the receive tasks exist, and in order. */
static void many_messages(void)
{
	struct doca_buf *bufs[32];
	int ended = num_ended();

	fill(99);
	for (int i = 0; i < 32; i++) {
		bufs[i] = rdma_local(&pair, (size_t)i * RESPONDER_ROOM, RESPONDER_ROOM, 1);
		rdma_submit(&pair, RDMA_SEND, pair.connection, bufs[i], NULL, (uint64_t)i);
	}
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 32, .len = RESPONDER_ROOM);
	rdma_wait(&pair, ended + 32);
	CHECK_EQ(pair.requester.failed, 0);
	num_received += 32;
	(void)RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = (uint64_t)num_received);
	check_responder(0, 32 * RESPONDER_ROOM, 99);
	for (int i = 0; i < 32; i++)
		rig_drop(bufs[i]);
}

/* From the responder to the requester, longer than a socket's buffer. */
static void other_direction(void)
{
	struct doca_buf *room = rdma_room(&pair.requester, 0, RDMA_MEMORY);
	const struct responder_message order = { .order = RESPONDER_SEND, .offset = 0, .len = RDMA_MEMORY };

	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 5);
	memset(pair.requester.memory, 0, RDMA_MEMORY);
	responder_ask(&responder, &order);
	rdma_post(&pair.requester, room, 3);
	RIG_PROGRESS_UNTIL(pair.requester.pe, pair.requester.received == 1);
	CHECK_OK(responder_answer(&responder)->result);
	CHECK_EQ(pair.requester.message.len, RDMA_MEMORY);
	CHECK(pair.requester.message.connection == pair.connection);
	for (size_t i = 0; i < RDMA_MEMORY; i++)
		CHECK_EQ(pair.requester.memory[i], responder_byte(i, 5));
	rig_drop(room);
}

static void all_tasks(void)
{
	static const size_t lengths[] = { 1, 4096, 65537, RDMA_MEMORY };

	num_received = 0;
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	reads_and_writes();
	numbers();
	events();
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		message(RDMA_SEND, lengths[i]);
		message(RDMA_SEND_IMM, lengths[i]);
		message(RDMA_WRITE_IMM, lengths[i]);
	}
	many_messages();
	other_direction();
	responder_quit(&responder);
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_close_pair(&pair);
}

/* The order of the connects, and a connection whose responder only exported it. */
static void connects(void)
{
	static const enum responder_order_of_connects orders[] = { REQUESTER_ONLY, RESPONDER_FIRST, REQUESTER_FIRST };

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 3);
	for (int i = 0; i < 3; i++) {
		responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, orders[i]);
		CHECK_OK(run_one(RDMA_WRITE, 0, 8));
		rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
		rdma_wait(&pair, num_ended() + 1);
		CHECK_OK(pair.requester.last_status);
		(void)RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = (uint64_t)i + 1);
		CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
	}
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* Without a free descriptor the connect fails, and can be repeated. */
static void no_descriptors(void)
{
	struct responder_message exported;
	struct rlimit limit, none;
	const void *details;
	size_t len;
	int lowest;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &details, &len, &pair.connection));
	exported = *RESPONDER_DO(&responder, .order = RESPONDER_EXPORT);
	lowest = dup(0);
	CHECK(lowest >= 0 && close(lowest) == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0);
	none = limit;
	none.rlim_cur = (rlim_t)lowest;
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the error is expected */
	CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, exported.details, exported.details_len, pair.connection),
		    DOCA_ERROR_CONNECTION_ABORTED);
	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING));
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, exported.details, exported.details_len, pair.connection));
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* No receive task: the message fails after its retries. */
static void not_ready(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 2);
	CHECK_ERROR(run_one(RDMA_SEND, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 2, .len = 7);
	CHECK_ERROR(run_one(RDMA_SEND, 0, 8), DOCA_ERROR_IO_FAILED); /* too small */
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_STOP)->count, 2);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* Without a limit for retries, a message waits longer than for an answer of the other process. */
static void long_wait(void)
{
	const uint64_t begin = rig_now_ms();

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	RIG_PROGRESS_UNTIL(pair.requester.pe, rig_now_ms() > begin + 5200);
	CHECK_EQ(num_ended(), 0);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1);
	rdma_wait(&pair, 1);
	CHECK_OK(pair.requester.last_status);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* Each operation without its permission, of the map or of the context. */
static void permissions(void)
{
	static const struct {
		enum rdma_op op;
		uint32_t permission;
	} rows[] = {
		{ RDMA_READ, DOCA_ACCESS_FLAG_RDMA_READ },	    { RDMA_WRITE, DOCA_ACCESS_FLAG_RDMA_WRITE },
		{ RDMA_WRITE_IMM, DOCA_ACCESS_FLAG_RDMA_WRITE },    { RDMA_SWAP, DOCA_ACCESS_FLAG_RDMA_ATOMIC },
		{ RDMA_ADD, DOCA_ACCESS_FLAG_RDMA_ATOMIC },	    { RDMA_EVENT_GET, DOCA_ACCESS_FLAG_RDMA_READ },
		{ RDMA_EVENT_SET, DOCA_ACCESS_FLAG_RDMA_WRITE },    { RDMA_EVENT_ADD, DOCA_ACCESS_FLAG_RDMA_ATOMIC },
	};

	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t lacking = RDMA_ALL & ~rows[i / 2].permission;
		int is_of_map = i % 2 == 0;

		if (is_of_map && rows[i / 2].op >= RDMA_EVENT_GET)
			continue; /* events have no map */
		responder_open_pair(&pair, &responder, is_of_map ? lacking : RDMA_ALL, is_of_map ? RDMA_ALL : lacking, 7);
		(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = 8);
		CHECK_ERROR(run_one(rows[i / 2].op, 0, 8), DOCA_ERROR_IO_FAILED);
		check_responder(0, RDMA_MEMORY, 8);
		CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
		responder_quit(&responder);
		responder_close_pair(&pair);
	}
}

static void stopped_map(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_STOP_MAP)->result);
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

static void disconnected(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_DISCONNECT)->result);
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* The other process receives a message and disconnects before this process progresses: the message succeeds. */
static void answered(void)
{
	const struct responder_message receive = { .order = RESPONDER_RECEIVE, .count = 1 };
	const struct responder_message disconnect = { .order = RESPONDER_DISCONNECT };

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(RDMA_WRITE, 0, 8)); /* the connection is established now, so one call of progress sends */
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1);
	responder_ask(&responder, &receive);
	responder_ask(&responder, &disconnect);
	rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
	(void)doca_pe_progress(pair.requester.pe);
	CHECK_OK(responder_answer(&responder)->result);
	CHECK_OK(responder_answer(&responder)->result);
	rdma_wait(&pair, 2);
	CHECK_OK(pair.requester.last_status);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* The other process dies with a message on its way: the receive task fails if data arrived, else it serves another connection. */
static void sender_dies(int may_receive)
{
	const struct responder_message order = { .order = RESPONDER_SEND, .len = RDMA_MEMORY };
	struct doca_buf *room;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	room = rdma_room(&pair.requester, 0, RDMA_MEMORY);
	if (may_receive)
		rdma_post(&pair.requester, room, 1);
	responder_ask(&responder, &order);
	rdma_submit(&pair, RDMA_WRITE, pair.connection, NULL, NULL, 0);
	rdma_wait(&pair, 1);
	CHECK_OK(pair.requester.last_status);
	responder_kill(&responder);
	rdma_submit(&pair, RDMA_READ, pair.connection, NULL, NULL, 0);
	rdma_wait(&pair, 2);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	rdma_side_stop(&pair.requester);
	CHECK_EQ(pair.requester.received + pair.requester.unreceived, may_receive);
	rig_drop(room);
	responder_close_pair(&pair);
}

/* Both processes connect at the same time. */
static void simultaneous(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	for (int i = 0; i < 50; i++) {
		struct responder_message exported, order = { .order = RESPONDER_CONNECT };
		const void *details;

		CHECK_OK(doca_rdma_connection_disconnect(pair.connection));
		CHECK_OK(doca_rdma_export(pair.requester.rdma, &details, &order.details_len, &pair.connection));
		memcpy(order.details, details, order.details_len);
		exported = *RESPONDER_DO(&responder, .order = RESPONDER_EXPORT);
		responder_ask(&responder, &order);
		CHECK_OK(doca_rdma_connect(pair.requester.rdma, exported.details, exported.details_len, pair.connection));
		CHECK_OK(run_one(RDMA_WRITE, 0, 8));
		CHECK_OK(responder_answer(&responder)->result);
		(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1);
		rdma_submit(&pair, RDMA_SEND, pair.connection, NULL, NULL, 0);
		rdma_wait(&pair, num_ended() + 1);
		CHECK_OK(pair.requester.last_status);
	}
	responder_quit(&responder);
	responder_close_pair(&pair);
}

enum death { IDLE, AFTER_WRITE, NO_RECEIVE, WHILE_SENDING, DEATHS };

/* kill -9 of the responder: all tasks of the requester end. */
static void die(enum death death)
{
	struct doca_buf *local;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	local = rdma_local(&pair, 0, RDMA_MEMORY, 1);
	if (death == AFTER_WRITE)
		CHECK_OK(run_one(RDMA_WRITE, 0, RDMA_MEMORY));
	if (death == WHILE_SENDING)
		(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1, .len = RDMA_MEMORY);
	if (death >= NO_RECEIVE) {
		rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 0);
		rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 1);
	}
	responder_kill(&responder);
	rdma_submit(&pair, RDMA_WRITE, pair.connection, NULL, NULL, 2);
	rdma_wait(&pair, death >= NO_RECEIVE ? 3 : death == AFTER_WRITE ? 2 : 1);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
	rig_drop(local);
	responder_close_pair(&pair);
}

/* Runs a part of this program in a process with a setting. */
static void run_with(const char *variable, const char *value, const char *part)
{
	pid_t pid;
	int status;

	CHECK(setenv(variable, value, 1) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		execl("/proc/self/exe", part, part, (char *)NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fprintf(stderr, "%s=%s\n", variable, value);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(unsetenv(variable) == 0);
}

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	if (argc > 1 && strcmp(argv[1], "--all-tasks") == 0) {
		all_tasks();
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "--answered") == 0) {
		answered();
		return 0;
	}
	make_own_folder();
	run_with("SOFTDPU_RDMA_PATH", "direct", "--all-tasks");
	run_with("SOFTDPU_RDMA_PATH", "unix", "--all-tasks");
	run_with("SOFTDPU_EXECUTION", "inline", "--answered");
	connects();
	simultaneous();
	no_descriptors();
	not_ready();
	long_wait();
	permissions();
	stopped_map();
	disconnected();
	for (enum death death = IDLE; death < DEATHS; death++)
		die(death);
	sender_dies(0);
	sender_dies(1);
	return 0;
}
