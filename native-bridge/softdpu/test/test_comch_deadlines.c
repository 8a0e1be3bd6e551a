/*
 * Deadlines of greetings: the test moves the clock instead of a wait. The log names the cause.
 */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>

#include "comch_raw.h"
#include "doca_log.h"
#include "sd_service.h"

enum { LATE_S = 11, MAX_WAITING = 1024 };

static const char name[] = "deadline";
static _Atomic int64_t offset_s;
static _Atomic uint32_t num_jobs;
static char last_line[1024];

/* Replaces libc's function. */
int clock_gettime(clockid_t id, struct timespec *now)
{
	int result = (int)syscall(SYS_clock_gettime, id, now);

	if (result == 0 && id == CLOCK_MONOTONIC)
		now->tv_sec += (time_t)atomic_load(&offset_s);
	return result;
}

static void count_job(struct sd_job *job)
{
	(void)job;
	atomic_fetch_add(&num_jobs, 1);
}

/* Moves the clock behind all deadlines, and lets the service thread handle them. */
static void be_late(void)
{
	struct sd_job job = { 0 };
	uint64_t until;

	atomic_fetch_add(&offset_s, LATE_S);
	until = rig_now_ms() + RIG_LIMIT_S * 1000;
	for (uint32_t i = 0; i < 2; i++) { /* the second job runs after the deadlines */
		uint32_t before = atomic_load(&num_jobs);

		sd_service_schedule(&job, 0, count_job);
		while (atomic_load(&num_jobs) == before) {
			CHECK(rig_now_ms() < until);
			sched_yield();
		}
	}
	sd_service_cancel(&job);
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

int main(void)
{
	static char line[1024];
	struct doca_log_backend *backend;

	make_own_folder();
	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), keep_line, &backend));
	server_does_not_answer();
	remove_own_folder();
	return 0;
}
