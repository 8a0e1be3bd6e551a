/*
 * A wake-up at any instruction while the owner falls asleep ends the sleep. The bridge reads the clock between its steps: in
 * each of these moments another thread calls dpubridge_wake(), once.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bridge_test.h"

#define SLEEP_NS 20000000ull

static struct rig rig;
static int moments_left = -1;		/* clock readings until the wake-up; below 0: done, or none planned */
static int num_slept_through;

static void *wake(void *argument)
{
	(void)argument;
	dpubridge_wake(rig.bridge);
	return NULL;
}

static void wake_elsewhere(void)
{
	pthread_t thread;

	CHECK_EQ(pthread_create(&thread, NULL, wake, NULL), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
}

/* Replaces libc's function. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (moments_left >= 0 && moments_left-- == 0)
		wake_elsewhere();
	return (int)syscall(SYS_clock_gettime, clock, time);
}

/* Replaces libc's function, and notes a sleep that the wake-up did not end. */
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	struct timespec left = *timeout; /* the system call writes to it */
	int num_ready = (int)syscall(SYS_ppoll, fds, count, &left, mask, sizeof(unsigned long));

	num_slept_through += num_ready == 0 && moments_left < 0;
	return num_ready;
}

/* Returns 0 when the wait ended before the wake-up came. */
static int wake_at(int moment)
{
	int32_t reasons;

	moments_left = moment;
	reasons = dpubridge_wait(rig.bridge, SLEEP_NS, SLEEP_NS, 0, 8);
	if (moments_left >= 0)
		return 0;
	CHECK_EQ(num_slept_through, 0);
	if (reasons == 0) /* the wake-up came after the time limit: it ends the next wait */
		reasons = dpubridge_wait(rig.bridge, 0, 0, 0, 8);
	CHECK_EQ(reasons, 2);
	return 1;
}

int main(void)
{
	int moment;

	rig_create(&rig, 8, 16, 4);
	for (moment = 0; wake_at(moment); moment++)
		;
	CHECK(moment >= 3);
	moments_left = -1;
	rig_destroy(&rig);
	return 0;
}
