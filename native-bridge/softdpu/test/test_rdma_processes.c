/*
 * Two processes. All tasks work while the responder blocks. Both may connect first, or only the requester. Messages flow in
 * both directions and wait for receive tasks. The end of the responder ends the connection.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "doca_log.h"
#include "rdma_tasks.h"

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

static int num_disconnects;

static void note_end(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)data;
	(void)ctx_data;
	num_disconnects++;
	CHECK_OK(doca_rdma_connection_disconnect(connection)); /* no effect */
}

static void not_expected(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)connection;
	(void)data;
	(void)ctx_data;
	CHECK(0);
}

/* The other process connects, sends a message, and ends before this one connects: the connect succeeds. */
static void late(void)
{
	struct responder_message exported, order = { .order = RESPONDER_CONNECT };
	const struct responder_message message = { .order = RESPONDER_SEND, .len = 8 };
	const void *details;
	struct doca_buf *room;

	memset(&pair, 0, sizeof(pair));
	responder_start(&responder);
	rdma_side_open(&pair.requester, "03:00.0", 0);
	CHECK_OK(doca_rdma_set_connection_state_callbacks(pair.requester.rdma, NULL, not_expected, not_expected, note_end));
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &details, &order.details_len, &pair.connection));
	memcpy(order.details, details, order.details_len);
	exported = *RESPONDER_DO(&responder, .order = RESPONDER_EXPORT, .map_permissions = RDMA_ALL, .context_permissions = RDMA_ALL);
	responder_import(&pair, &exported);
	responder_ask(&responder, &order);
	CHECK_OK(responder_answer(&responder)->result);
	room = rdma_room(&pair.requester, 0, 8);
	rdma_post(&pair.requester, room, 0);
	responder_ask(&responder, &message);
	RIG_PROGRESS_UNTIL(pair.requester.pe, pair.requester.received == 1);
	CHECK_OK(responder_answer(&responder)->result);
	responder_quit(&responder);
	RIG_PROGRESS_UNTIL(pair.requester.pe, num_disconnects == 1);
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, exported.details, exported.details_len, pair.connection));
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED);
	rig_drop(room);
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

static _Thread_local int fails_watch;

/* Replaces libc's function. */
int epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
	if (fails_watch && operation == EPOLL_CTL_ADD) {
		fails_watch = 0;
		errno = ENOSPC;
		return -1;
	}
	return (int)syscall(SYS_epoll_ctl, epoll_fd, operation, fd, event);
}

/* The service thread cannot watch the socket: the connect fails, and can be repeated. */
static void no_watch(void)
{
	struct responder_message exported;
	const void *details;
	size_t len;

	if (is_path("tcp"))
		return; /* its service thread watches the socket later */
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(doca_rdma_export(pair.requester.rdma, &details, &len, &pair.connection));
	exported = *RESPONDER_DO(&responder, .order = RESPONDER_EXPORT);
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the error is expected */
	fails_watch = 1;
	CHECK_ERROR(doca_rdma_connect(pair.requester.rdma, exported.details, exported.details_len, pair.connection),
		    DOCA_ERROR_CONNECTION_ABORTED);
	CHECK_EQ(fails_watch, 0);
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING));
	CHECK_OK(doca_rdma_connect(pair.requester.rdma, exported.details, exported.details_len, pair.connection));
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	responder_quit(&responder);
	responder_close_pair(&pair);
}

static atomic_int num_accusations;

static void count_accusation(char *text)
{
	if (strstr(text, "invalid packet") != NULL)
		atomic_fetch_add(&num_accusations, 1);
}

/* No receive task and no retries: the message fails, which is no mistake of the peer. */
static void no_retries(void)
{
	static char line[1024];
	struct doca_log_backend *backend;

	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), count_accusation, &backend));
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 0);
	CHECK_ERROR(run_one(RDMA_SEND, 0, 8), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(atomic_load(&num_accusations), 0);
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

static void disconnected(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	CHECK_OK(RESPONDER_DO(&responder, .order = RESPONDER_DISCONNECT)->result);
	CHECK_ERROR(run_one(RDMA_WRITE, 0, 8), DOCA_ERROR_IO_FAILED); /* also before this process knows of the end */
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

/*
 * The other process is killed with a message on its way: the receive task fails if data arrived, else it serves another
 * connection.
 */
static void sender_is_killed(int may_receive)
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
	await_end();
	rdma_submit(&pair, RDMA_READ, pair.connection, NULL, NULL, 0);
	rdma_wait(&pair, num_ended() + 1);
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

/* Many messages in one direction, and a long one in the other. */
static void messages(void)
{
	num_received = 0;
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	many_messages();
	other_direction();
	exchange_messages();
	responder_quit(&responder);
	responder_close_pair(&pair);
}

enum moment { IDLE, AFTER_WRITE, NO_RECEIVE, WHILE_SENDING, MOMENTS };

/* kill -9 of the responder: all tasks of the requester end. */
static void kill_responder(enum moment moment)
{
	struct doca_buf *local;
	int ended;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	local = rdma_local(&pair, 0, RDMA_MEMORY, 1);
	if (moment == AFTER_WRITE)
		CHECK_OK(run_one(RDMA_WRITE, 0, RDMA_MEMORY));
	if (moment == WHILE_SENDING)
		(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1, .len = RDMA_MEMORY);
	if (moment >= NO_RECEIVE) {
		rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 0);
		rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 1);
	}
	responder_kill(&responder);
	if (moment < NO_RECEIVE)
		await_end();
	ended = num_ended();
	rdma_submit(&pair, RDMA_WRITE, pair.connection, NULL, NULL, 2);
	rdma_wait(&pair, ended + (moment >= NO_RECEIVE ? 3 : 1));
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
	rig_drop(local);
	responder_close_pair(&pair);
}

static void connections(void)
{
	connects();
	late();
	simultaneous();
	no_descriptors();
	no_watch();
	no_retries();
	not_ready();
	long_wait();
	disconnected();
	for (enum moment moment = IDLE; moment < MOMENTS; moment++)
		kill_responder(moment);
	sender_is_killed(0);
	sender_is_killed(1);
}

static const struct part parts[] = {
	{ "--all-tasks", all_tasks },
	{ "--answered", answered },
	{ "--connections", connections },
	{ "--messages", messages },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	if (run_part(parts, argc, argv))
		return 0;
	make_own_folder();
	run_over_each_path("--all-tasks");
	run_with("SOFTDPU_EXECUTION", "inline", "--answered");
	run_with("SOFTDPU_EXECUTION", "inline", "--messages");
	connections();
	make_own_key();
	run_with("SOFTDPU_RDMA_PATH", "tcp", "--answered");
	run_with("SOFTDPU_RDMA_PATH", "tcp", "--connections");
	remove_key("key");
	CHECK(unsetenv("SOFTDPU_RDMA_KEY") == 0);
	remove_own_folder_and_files();
	return 0;
}
