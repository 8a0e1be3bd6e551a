/*
 * Deadlines of greetings: the test moves the clock instead of a wait. The log names the cause.
 */
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>

#include "comch_raw.h"
#include "doca_log.h"
#include "sd_service.h"

enum { LATE_S = 11, MAX_WAITING = 1024, MAX_TRIES = 1000 };

static const char name[] = "deadline";
static _Atomic int64_t offset_s;
static _Atomic uint32_t num_turns; /* of the service thread */
static char last_line[1024];

/* Replaces libc's function. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	int result = (int)syscall(SYS_clock_gettime, id, now);

	if (result == 0 && id == CLOCK_MONOTONIC)
		now->tv_sec += (time_t)atomic_load(&offset_s);
	return result;
}

static void count_turn(struct sd_watch *watch, uint32_t events)
{
	(void)watch;
	(void)events;
	atomic_fetch_add(&num_turns, 1);
}

/* Moves the clock behind all deadlines, and lets the service thread handle them: in the first turn that begins afterwards. */
static void be_late(void)
{
	struct sd_watch watch = { 0 };
	int fd = eventfd(1, EFD_CLOEXEC);
	uint64_t until;

	CHECK(fd >= 0);
	atomic_fetch_add(&offset_s, LATE_S);
	atomic_store(&num_turns, 0);
	CHECK_OK(sd_service_watch(&watch, fd, EPOLLIN, count_turn));
	until = rig_now_ms() + RIG_LIMIT_S * 1000;
	while (atomic_load(&num_turns) < 2) {
		CHECK(rig_now_ms() < until);
		sched_yield();
	}
	sd_service_unwatch(&watch);
	close(fd);
}

static void keep_line(char *text)
{
	snprintf(last_line, sizeof(last_line), "%s", text);
}

static void fails_in_time(struct side *client, const char *expected)
{
	CHECK_ERROR(doca_ctx_start(client->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_EQ(side_state(client), DOCA_CTX_STATE_STARTING);
	be_late();
	SIDE_PROGRESS_UNTIL(client, NULL, side_state(client) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(client->client), DOCA_ERROR_TIME_OUT);
	CHECK(strstr(last_line, expected) != NULL);
	CHECK(strstr(last_line, "process 0") == NULL);
}

/* The server accepts nobody. Its backlog has room for the first client, and none for the second one. */
static void server_does_not_answer(void)
{
	static int waiting[MAX_WAITING];
	char socket_name[SD_RENDEZVOUS_NAME], expected[64];
	struct sd_listener listener;
	struct side client;
	doca_error_t result;
	int count = 0;
	pid_t peer;

	sd_rendezvous_name(socket_name, "comch", "0000:81:00.0", name);
	CHECK_OK(sd_rendezvous_listen(&listener, socket_name));
	side_create_client(&client, name);
	snprintf(expected, sizeof(expected), "process %d did not answer", (int)getpid());
	fails_in_time(&client, expected);
	while ((result = sd_rendezvous_connect(socket_name, &waiting[count], &peer)) == DOCA_SUCCESS)
		CHECK(++count < MAX_WAITING);
	CHECK_ERROR(result, DOCA_ERROR_AGAIN);
	fails_in_time(&client, "backlog");
	side_close(&client, NULL);
	while (count > 0)
		close(waiting[--count]);
	sd_rendezvous_close(&listener);
	rig_check_nothing_is_left();
}

/* A server closes the connection of a silent client. */
static void client_does_not_greet(void)
{
	struct side server;
	char byte;
	int fd;

	side_create_server(&server, name);
	CHECK_OK(doca_ctx_start(server.ctx));
	fd = raw_connect(name);
	for (int tries = 0; recv(fd, &byte, 1, MSG_DONTWAIT) != 0; tries++) { /* at first, nobody may have accepted it */
		CHECK(tries < MAX_TRIES);
		be_late();
	}
	close(fd);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
}

/* Inline execution with both sides in this process: a stop of the process between two calls changes nothing. */
static void process_was_stopped(void)
{
	struct side server, client;

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	side_create_server(&server, name);
	side_create_client(&client, name);
	CHECK_OK(doca_ctx_start(server.ctx));
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	(void)side_progress(&client);
	be_late();
	(void)side_progress(&client);
	CHECK_EQ(side_state(&client), DOCA_CTX_STATE_STARTING);
	(void)side_progress(&server); /* accepts the client */
	be_late();
	SIDE_PROGRESS_UNTIL(&server, &client, side_state(&client) == DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(server.num_connected, 1);
	sides_close(&server, &client);
}

int main(void)
{
	static char line[1024];
	struct doca_log_backend *backend;

	make_own_folder();
	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), keep_line, &backend));
	server_does_not_answer();
	client_does_not_greet();
	process_was_stopped();
	remove_own_folder();
	return 0;
}
