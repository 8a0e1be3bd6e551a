/*
 * Replaces libc's poll() for a test, and holds one call of one thread: until release_poll(), or until a limit. The library polls with
 * a time for the socket of an exporter (HELD_REQUEST), and without one for the connections in its list (HELD_LIST).
 */
#ifndef HELD_POLL_H
#define HELD_POLL_H

#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"

enum held_poll { HELD_NOTHING, HELD_REQUEST, HELD_LIST };

static sem_t poll_is_held, poll_may_continue;
static atomic_bool poll_is_late;		/* the limit has ended the hold */
static _Thread_local enum held_poll held_poll;
static _Thread_local uint64_t held_poll_ns;
static _Thread_local int poll_interruptions;

/* The thread's next calls with a time end by a signal. */
RIG void interrupt_polls(int count)
{
	poll_interruptions = count;
}

/* The thread's next call of this kind is held. */
static void hold_poll(enum held_poll kind, uint64_t limit_ns)
{
	held_poll = kind;
	held_poll_ns = limit_ns;
}

static void hold_call(uint64_t limit_ns)
{
	struct timespec limit;
	int result;

	CHECK_EQ(sem_post(&poll_is_held), 0);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit_ns += (uint64_t)limit.tv_nsec;
	limit.tv_sec += (time_t)(limit_ns / 1000000000u);
	limit.tv_nsec = (long)(limit_ns % 1000000000u);
	do {
		result = sem_timedwait(&poll_may_continue, &limit);
	} while (result != 0 && errno == EINTR);
	if (result != 0)
		atomic_store(&poll_is_late, true);
}

int poll(struct pollfd *polled, nfds_t count, int timeout_ms)
{
	const struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

	if (held_poll != HELD_NOTHING && held_poll == (timeout_ms > 0 ? HELD_REQUEST : HELD_LIST)) {
		held_poll = HELD_NOTHING;
		hold_call(held_poll_ns);
	}
	if (timeout_ms > 0 && poll_interruptions > 0) {
		poll_interruptions--;
		errno = EINTR;
		return -1;
	}
	return (int)syscall(SYS_ppoll, polled, count, timeout_ms < 0 ? NULL : &timeout, NULL, 0);
}

/* Waits until the other thread is held. */
static void await_held_poll(void)
{
	while (sem_wait(&poll_is_held) != 0)
		CHECK_EQ(errno, EINTR);
}

static void release_poll(void)
{
	CHECK_EQ(sem_post(&poll_may_continue), 0);
}

#endif
