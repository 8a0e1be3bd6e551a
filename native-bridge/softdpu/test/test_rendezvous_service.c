/* One service thread serves all users: descriptors, jobs in time order, final withdrawal; it ends with its last user. */
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rig.h"
#include "sd_service.h"

enum { MS = 1000000, MANY = 200, SLOW_TURNS = 20000 };

static _Atomic int num_ready, num_jobs;
static _Atomic int order[4];
static _Atomic uint8_t is_inside;
static pthread_t called_on;

static void wait_for(_Atomic int *count, int wanted)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;

	while (*count < wanted) {
		CHECK(rig_now_ms() < deadline);
		sched_yield();
	}
}

static void on_ready(struct sd_watch *watch, uint32_t events)
{
	uint64_t count;

	CHECK(events & EPOLLIN);
	CHECK_EQ(read(watch->fd, &count, sizeof(count)), sizeof(count));
	called_on = pthread_self();
	num_ready++;
}

static void on_job(struct sd_job *job)
{
	order[num_jobs] = (int)(intptr_t)job;
	num_jobs++;
}

static void on_slow(struct sd_watch *watch, uint32_t events)
{
	(void)watch;
	(void)events;
	is_inside = 1;
	/* A loop without sched_yield(): beside other programs, each call can take some milliseconds. */
	for (volatile int i = 0; i < SLOW_TURNS; i++)
		continue;
	is_inside = 0;
}

/* Withdraws itself; its memory may be freed at once. */
static void on_last(struct sd_watch *watch, uint32_t events)
{
	(void)events;
	sd_service_unwatch(watch);
	free(watch);
	num_ready++;
}

static void signal_it(int fd)
{
	uint64_t one = 1;

	CHECK_EQ(write(fd, &one, sizeof(one)), sizeof(one));
}

static void check_watch(int fd)
{
	struct sd_watch watch = { 0 };

	num_ready = 0;
	CHECK_OK(sd_service_watch(&watch, fd, EPOLLIN, on_ready));
	signal_it(fd);
	wait_for(&num_ready, 1);
	CHECK(!pthread_equal(called_on, pthread_self()));
	sd_service_rearm(&watch, 0);
	sd_service_rearm(&watch, EPOLLIN);
	signal_it(fd);
	wait_for(&num_ready, 2);
	sd_service_unwatch(&watch);
	sd_service_unwatch(&watch);
	signal_it(fd);
	CHECK_EQ(num_ready, 2);
}

static void check_final(int fd)
{
	struct sd_watch watch = { 0 };
	struct sd_watch *last = calloc(1, sizeof(*last));

	for (int i = 0; i < MANY; i++) { /* fd is readable all the time */
		CHECK_OK(sd_service_watch(&watch, fd, EPOLLIN, on_slow));
		if (i % 2)
			sched_yield();
		sd_service_unwatch(&watch);
		CHECK(!is_inside);
	}
	num_ready = 0;
	CHECK(last != NULL);
	CHECK_OK(sd_service_watch(last, fd, EPOLLIN, on_last));
	wait_for(&num_ready, 1);
}

static void check_jobs(void)
{
	struct sd_job late = { 0 }, early = { 0 }, never = { 0 };

	sd_service_schedule(&late, 20 * MS, on_job);
	sd_service_schedule(&never, 10 * MS, on_job);
	sd_service_schedule(&early, 0, on_job);
	sd_service_cancel(&never);
	wait_for(&num_jobs, 2);
	CHECK_EQ(order[0], (int)(intptr_t)&early);
	CHECK_EQ(order[1], (int)(intptr_t)&late);
	CHECK_EQ(num_jobs, 2);
	sd_service_cancel(&late);
}

/* The thread stays with the parent; a child may start another one. */
static void check_fork(void)
{
#ifdef __SANITIZE_THREAD__
	/* ThreadSanitizer ends a process that starts a thread after such a fork. */
	return;
#endif
	int status;
	pid_t child = fork();

	CHECK(child >= 0);
	if (child == 0) {
		struct softdpu_census census;

		sd_service_release();
		softdpu_census(&census);
		CHECK_EQ(census.hardware_threads, 0);
		CHECK_OK(sd_service_acquire());
		sd_service_release();
		_exit(0);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
}

int main(void)
{
	struct sd_watch watch = { 0 };
	struct softdpu_census census;
	int fd = eventfd(0, EFD_NONBLOCK);

	CHECK(fd >= 0);
	CHECK_ERROR(sd_service_watch(&watch, fd, EPOLLIN, on_ready), DOCA_ERROR_BAD_STATE);
	for (int i = 0; i < 3; i++) {
		CHECK_OK(sd_service_acquire());
		CHECK_OK(sd_service_acquire());
		softdpu_census(&census);
		CHECK_EQ(census.hardware_threads, 1);
		check_watch(fd);
		sd_service_release();
		check_final(fd);
		sd_service_release();
		softdpu_census(&census);
		CHECK_EQ(census.hardware_threads, 0);
		CHECK(read(fd, &(uint64_t){ 0 }, 8) == 8);
	}
	CHECK_OK(sd_service_acquire());
	check_jobs();
	check_fork();
	sd_service_release();
	close(fd);
	rig_check_nothing_is_left();
	return 0;
}
