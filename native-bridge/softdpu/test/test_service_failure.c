/* Failing system calls of the service thread: a lasting failure costs little time and one log line, and jobs still run. */
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doca_log.h"
#include "rig.h"
#include "sd_service.h"

enum { OUTAGE_NS = 200000000, MAX_WAITS = 100 };

static _Atomic int wait_error, add_error;
static _Atomic int num_waits, num_lines;
static _Atomic uint8_t has_failed, has_run, is_ready;
static char line[4096], last_line[4096];

/* These two replace the functions of the C library for the whole process. */
int epoll_wait(int fd, struct epoll_event *events, int max_events, int timeout_ms)
{
	int error = wait_error;

	if (error == 0)
		return (int)syscall(SYS_epoll_pwait, fd, events, max_events, timeout_ms, NULL, 8);
	num_waits++;
	has_failed = 1;
	errno = error;
	return -1;
}

int epoll_ctl(int fd, int operation, int watched, struct epoll_event *event)
{
	if (add_error == 0 || operation != EPOLL_CTL_ADD)
		return (int)syscall(SYS_epoll_ctl, fd, operation, watched, event);
	errno = add_error;
	return -1;
}

static void on_line(char *text)
{
	strcpy(last_line, text);
	num_lines++;
}

static void on_ready(struct sd_watch *watch, uint32_t events)
{
	(void)events;
	sd_service_unwatch(watch);
	is_ready = 1;
}

static void on_job(struct sd_job *job)
{
	(void)job;
	has_run = 1;
}

static void wait_for(_Atomic uint8_t *flag)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;

	while (!*flag) {
		CHECK(rig_now_ms() < deadline);
		sched_yield();
	}
}

static void waits_fail(int fd)
{
	struct sd_watch watch = { 0 };
	struct sd_job job = { 0 };

	num_lines = 0;
	wait_error = EBADF;
	sd_service_schedule(&job, 0, on_job); /* ends the wait in progress; the next one fails */
	wait_for(&has_run);
	wait_for(&has_failed);
	has_run = 0;
	sd_service_schedule(&job, OUTAGE_NS, on_job);
	CHECK_OK(sd_service_watch(&watch, fd, EPOLLIN, on_ready));
	wait_for(&has_run);
	CHECK(num_waits > 0 && num_waits <= MAX_WAITS);
	CHECK_EQ(num_lines, 1);
	CHECK(strstr(last_line, "epoll_wait") != NULL && strstr(last_line, strerror(EBADF)) != NULL);
	CHECK(!is_ready);
	wait_error = 0;
	wait_for(&is_ready); /* the outage has ended */
	has_run = 0;
	wait_error = EINTR; /* a signal is no failure */
	sd_service_schedule(&job, 0, on_job);
	wait_for(&has_run);
	wait_error = 0;
	CHECK_EQ(num_lines, 1);
}

static void watches_fail(int fd)
{
	static const struct {
		int error;
		doca_error_t result;
	} cases[] = {
		{ ENOMEM, DOCA_ERROR_NO_MEMORY }, { ENOSPC, DOCA_ERROR_OPERATING_SYSTEM }, { EPERM, DOCA_ERROR_OPERATING_SYSTEM },
		{ EBADF, DOCA_ERROR_OPERATING_SYSTEM },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sd_watch watch = { 0 };

		add_error = cases[i].error;
		num_lines = 0;
		CHECK_ERROR(sd_service_watch(&watch, fd, EPOLLIN, on_ready), cases[i].result);
		CHECK_EQ(watch.slot, 0);
		CHECK_EQ(num_lines, 1);
		CHECK(strstr(last_line, "epoll_ctl") != NULL && strstr(last_line, strerror(cases[i].error)) != NULL);
	}
	add_error = 0;
}

int main(void)
{
	struct doca_log_backend *backend;
	int fd = eventfd(1, 0);

	CHECK(fd >= 0);
	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), on_line, &backend));
	CHECK_OK(sd_service_acquire());
	watches_fail(fd);
	waits_fail(fd);
	sd_service_release();
	close(fd);
	rig_check_nothing_is_left();
	return 0;
}
