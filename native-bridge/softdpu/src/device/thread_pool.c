#include "thread_pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "sd_config.h"
#include "sd_device.h"
#include "sd_log.h"
#include "sd_peer.h"
#include "sd_thread.h"

enum { MAX_THREADS = SD_CONFIG_MAX_THREADS + SD_PEER_MAX_ABANDONED };

/* A first process may only be slow. Those after it get less time, so that the delays of many stuck ones do not add up. */
#define FIRST_WAIT_NS UINT64_C(2000000000)
#define NEXT_WAIT_NS UINT64_C(100000000)
#define LAST_WAIT_NS UINT64_C(500000000)	/* without a thread that can take over */

/* Lowest bit of a thread's waiting_since: the thread was abandoned. */
#define ABANDONED UINT64_C(1)

struct hardware_thread {
	pthread_t id;
	uint8_t is_started;			/* until the thread is joined; lock: the pool's */
	_Atomic uint8_t is_over;		/* the thread has no more work */
	_Atomic uint64_t waiting_since;		/* monotonic time; 0: not waiting for a peer */
	struct sd_peer *peer;			/* the peer that the thread waits for */
	uint8_t has_replacement;		/* while abandoned; lock: the pool's */
	uint8_t is_surplus;			/* only this thread uses it */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;			/* wakes the watch thread */
	const struct thread_pool_work *work;
	struct hardware_thread threads[MAX_THREADS];
	_Atomic uint32_t num_abandoned;
	pthread_t watch;
	uint8_t has_watch, is_closing;
	_Atomic uint8_t is_watch_asleep;	/* asleep or not started */
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

static __thread struct hardware_thread *self;

static uint8_t is_full(void)
{
	return atomic_load(&pool.num_abandoned) >= SD_PEER_MAX_ABANDONED;
}

/* Returns the time that a thread may wait for a process. */
static uint64_t wait_limit(void)
{
	uint32_t num_abandoned = atomic_load(&pool.num_abandoned);

	if (num_abandoned == 0)
		return FIRST_WAIT_NS;
	return num_abandoned < SD_PEER_MAX_ABANDONED ? NEXT_WAIT_NS : LAST_WAIT_NS;
}

static void *run_thread(void *argument)
{
	self = argument;
	pool.work->run();
	atomic_store(&self->is_over, 1);
	return NULL;
}

/* The lock must be held. Returns a slot for one more thread, or NULL. */
static struct hardware_thread *find_place(void)
{
	for (struct hardware_thread *thread = pool.threads; thread < pool.threads + MAX_THREADS; thread++) {
		if (thread->is_started && !atomic_load(&thread->is_over))
			continue;
		if (thread->is_started)
			sd_thread_join(thread->id);
		*thread = (struct hardware_thread){ 0 };
		return thread;
	}
	return NULL;
}

/* The lock must be held. Returns an error number, or 0. */
static int start_thread(void)
{
	struct hardware_thread *thread = find_place();
	char name[20];
	int error;

	if (thread == NULL)
		return EAGAIN;
	snprintf(name, sizeof(name), "softdpu-%u", (unsigned int)(thread - pool.threads) & 0xff);
	error = sd_thread_start(&thread->id, name, run_thread, thread);
	thread->is_started = error == 0;
	return error;
}

/* The lock must be held. The thread may return from its wait at any time: the first change of waiting_since decides. */
static void abandon(struct hardware_thread *thread, uint64_t since)
{
	uint64_t limit_ns = wait_limit();
	int error;

	if (!atomic_compare_exchange_strong(&thread->waiting_since, &since, since | ABANDONED))
		return;
	atomic_fetch_add(&thread->peer->num_abandoned, 1);
	atomic_fetch_add(&pool.num_abandoned, 1);
	error = start_thread();
	thread->has_replacement = error == 0;
	if (error != 0)
		SD_LOG_ERROR("a hardware thread waits for a stuck process, and no other one can be started: error %d", error);
	else
		SD_LOG_WARNING("a hardware thread has waited for another process for %u ms: another thread takes over (%u of at most %d)",
			       (unsigned int)(limit_ns / 1000000), atomic_load(&pool.num_abandoned), SD_PEER_MAX_ABANDONED);
}

/* The lock must be held. Returns the thread that has waited longest, and the time since when; NULL: none waits. */
static struct hardware_thread *find_longest_wait(uint64_t *since)
{
	struct hardware_thread *longest = NULL;

	*since = UINT64_MAX;
	for (struct hardware_thread *thread = pool.threads; thread < pool.threads + MAX_THREADS; thread++) {
		uint64_t begin = atomic_load(&thread->waiting_since);

		if (begin == 0 || (begin & ABANDONED) != 0 || begin >= *since)
			continue;
		longest = thread;
		*since = begin;
	}
	return longest;
}

/*
 * The lock must be held. Abandons threads that have waited too long. Returns the time of the next check; 0: when a thread
 * starts to wait.
 */
static uint64_t check_threads(void)
{
	struct hardware_thread *thread;
	uint64_t since;

	while (!is_full() && (thread = find_longest_wait(&since)) != NULL) {
		if (sd_clock_now() < since + wait_limit())
			return since + wait_limit();
		abandon(thread, since); /* changes the limit of the others */
	}
	return 0;
}

/* The lock must be held. */
static void sleep_until(uint64_t then_ns)
{
	const struct timespec then = { .tv_sec = (time_t)(then_ns / 1000000000u), .tv_nsec = (long)(then_ns % 1000000000u) };

	pthread_cond_timedwait(&pool.changed, &pool.lock, &then);
}

static void *run_watch(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&pool.lock);
	while (!pool.is_closing) {
		uint64_t next = check_threads();

		if (next == 0) {
			/* Either a thread that starts to wait sees this flag, or the second check sees the thread. */
			atomic_store(&pool.is_watch_asleep, 1);
			next = check_threads();
		}
		if (next != 0)
			sleep_until(next);
		else if (!pool.is_closing && atomic_load(&pool.is_watch_asleep))
			pthread_cond_wait(&pool.changed, &pool.lock);
	}
	pthread_mutex_unlock(&pool.lock);
	return NULL;
}

/* The first wait starts the watch thread: most programs need none. */
static void wake_watch(void)
{
	pthread_mutex_lock(&pool.lock);
	if (!pool.has_watch && !pool.is_closing) {
		pool.has_watch = sd_thread_start(&pool.watch, "softdpu-watch", run_watch, NULL) == 0;
		if (!pool.has_watch)
			atomic_store(&pool.is_watch_asleep, 1); /* the next wait retries */
	}
	pthread_cond_signal(&pool.changed);
	pthread_mutex_unlock(&pool.lock);
}

enum sd_peer_wait sd_peer_enter(struct sd_peer *peer)
{
	uint8_t must_end = is_full();

	if (self == NULL)
		return SD_PEER_ANY;
	if (!must_end)
		atomic_store(&peer->was_overdue, 0);
	else if (atomic_load(&peer->num_abandoned) > 0 || atomic_load(&peer->was_overdue))
		return SD_PEER_NONE;
	self->peer = peer;
	atomic_store(&self->waiting_since, sd_clock_now() & ~ABANDONED);
	if (atomic_load(&pool.is_watch_asleep) && atomic_exchange(&pool.is_watch_asleep, 0))
		wake_watch();
	return must_end ? SD_PEER_GIVE_UP : SD_PEER_ANY;
}

void sd_peer_leave(void)
{
	struct sd_peer *peer;

	if (self == NULL || (atomic_exchange(&self->waiting_since, 0) & ABANDONED) == 0)
		return;
	peer = self->peer;
	pthread_mutex_lock(&pool.lock);
	atomic_fetch_sub(&peer->num_abandoned, 1);
	atomic_fetch_sub(&pool.num_abandoned, 1);
	self->is_surplus = self->has_replacement;
	pthread_cond_signal(&pool.changed); /* another waiting thread may now be abandoned */
	pthread_mutex_unlock(&pool.lock);
	pool.work->peer_has_recovered();
}

uint8_t sd_peer_is_overdue(void)
{
	uint64_t since = self == NULL ? 0 : atomic_load(&self->waiting_since);

	if (since == 0 || (since & ABANDONED) != 0 || !is_full() || sd_clock_now() < since + LAST_WAIT_NS)
		return 0;
	atomic_store(&self->peer->was_overdue, 1);
	return 1;
}

uint8_t sd_peer_holds_up(const struct sd_peer *peer)
{
	return atomic_load(&peer->num_abandoned) > 0 && !is_full();
}

uint8_t sd_peer_is_replaceable(void)
{
	return self != NULL;
}

uint8_t thread_pool_is_surplus(void)
{
	return self->is_surplus;
}

uint8_t thread_pool_has_stuck_peers(void)
{
	return atomic_load_explicit(&pool.num_abandoned, memory_order_relaxed) > 0;
}

doca_error_t thread_pool_open(uint32_t count, const struct thread_pool_work *work)
{
	uint32_t num_started = 0;
	int error = 0;

	sd_thread_init_condition(&pool.changed);
	pool.work = work;
	pool.is_closing = 0;
	atomic_store(&pool.is_watch_asleep, 1);
	pthread_mutex_lock(&pool.lock);
	while (num_started < count && (error = start_thread()) == 0)
		num_started++;
	pthread_mutex_unlock(&pool.lock);
	if (error == 0)
		return DOCA_SUCCESS;
	SD_LOG_ERROR("only %u of %u hardware threads could be started (error %d)", num_started, count, error);
	return DOCA_ERROR_INITIALIZATION;
}

void thread_pool_close(void)
{
	pthread_mutex_lock(&pool.lock);
	pool.is_closing = 1;
	pthread_cond_signal(&pool.changed);
	pthread_mutex_unlock(&pool.lock);
	if (pool.has_watch)
		sd_thread_join(pool.watch);
	pool.has_watch = 0;
	for (struct hardware_thread *thread = pool.threads; thread < pool.threads + MAX_THREADS; thread++) {
		if (thread->is_started)
			sd_thread_join(thread->id);
		*thread = (struct hardware_thread){ 0 };
	}
	pthread_cond_destroy(&pool.changed);
}
