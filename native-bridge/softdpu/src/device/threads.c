/*
 * Execution on hardware threads: all threads share one FIFO queue. Completions that a fault delays are in a second list, sorted
 * by time. The threads check this list between two tasks; an idle thread sleeps until the earliest entry is due.
 *
 * An idle thread spins before it sleeps, because a wake-up takes as long as a small task. A submitter wakes a sleeping thread
 * only if more tasks wait than threads spin. The submitter does so without the lock, because the woken thread would block on it
 * at once.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "sd_base.h"
#include "sd_config.h"
#include "sd_device.h"
#include "sd_fault.h"
#include "sd_list.h"
#include "sd_thread.h"
#include "sd_timing.h"
#include "thread_pool.h"

/* Time that a thread spins: about the time to wake the thread that waits for the completion, plus its next submission. */
#define SPIN_NS 50000u

static struct {
	pthread_mutex_t lock;			/* of all fields below except may_spin */
	pthread_cond_t work;
	struct doca_task *head, *tail;		/* to execute */
	struct doca_task *delayed;		/* executed, earliest first */
	_Atomic uint32_t num_queued;		/* tasks in the list of head; also read without the lock */
	uint32_t num_spinning;
	uint32_t num_sleeping;
	_Atomic uint8_t is_closing;
	uint8_t may_spin;			/* a second processor is available for the submitter */
} device = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void queue_threads(struct doca_task *task)
{
	uint8_t wakes;

	pthread_mutex_lock(&device.lock);
	SD_APPEND(device.head, device.tail, task, next);
	device.num_queued++;
	wakes = device.num_sleeping > 0 && device.num_queued > device.num_spinning;
	pthread_mutex_unlock(&device.lock);
	if (wakes)
		pthread_cond_signal(&device.work);
}

/* Returns whether a task has not started, or is executed and incomplete only in the timing model. */
static uint8_t can_be_cancelled(const struct doca_task *task)
{
	return !task->is_executed || (task->fault.delay_ns == 0 && task->due_ns > sd_clock_now());
}

static uint8_t has_others_threads(const struct doca_task *task)
{
	(void)task;
	return device.num_queued > 0;
}

/* The lock must be held. Moves tasks of a context from one list to the end of another, and returns the new end. */
static struct doca_task **cancel_from(struct doca_task **place, const struct doca_ctx *ctx, struct doca_task **end)
{
	while (*place != NULL) {
		struct doca_task *task = *place;

		if (task->ctx != ctx || !can_be_cancelled(task)) {
			place = &task->next;
			continue;
		}
		*place = task->next;
		*end = task;
		end = &task->next;
	}
	*end = NULL;
	return end;
}

static struct doca_task *cancel_threads(struct doca_ctx *ctx)
{
	struct doca_task *cancelled = NULL;

	pthread_mutex_lock(&device.lock);
	cancel_from(&device.head, ctx, cancel_from(&device.delayed, ctx, &cancelled));
	device.tail = NULL;
	device.num_queued = 0;
	for (struct doca_task *task = device.head; task != NULL; task = task->next) {
		device.tail = task;
		device.num_queued++;
	}
	pthread_mutex_unlock(&device.lock);
	return cancelled;
}

static void complete_at(struct doca_task *task, uint64_t due)
{
	struct doca_task **place = &device.delayed;
	uint8_t is_fault = task->fault.delay_ns > 0; /* read now: another thread may complete it at once */

	task->due_ns = due;
	pthread_mutex_lock(&device.lock);
	while (*place != NULL && (*place)->due_ns <= task->due_ns)
		place = &(*place)->next;
	task->next = *place;
	*place = task;
	pthread_mutex_unlock(&device.lock);
	pthread_cond_signal(&device.work); /* a sleeping thread may have to wake earlier */
	if (is_fault)
		sd_fault_count_delay();
}

static void delay_threads(struct doca_task *task)
{
	complete_at(task, sd_clock_now() + task->fault.delay_ns);
}

/* The lock must be held. */
static void sleep_until_work(void)
{
	struct timespec then;

	device.num_sleeping++;
	if (device.delayed == NULL) {
		pthread_cond_wait(&device.work, &device.lock);
	} else {
		then.tv_sec = (time_t)(device.delayed->due_ns / 1000000000u);
		then.tv_nsec = (long)(device.delayed->due_ns % 1000000000u);
		pthread_cond_timedwait(&device.work, &device.lock, &then);
	}
	device.num_sleeping--;
}

/* The lock must be held. After a failure stopped the task's context, the incomplete tasks of the context fail as well. */
static void flush_if_broken(struct doca_task *task)
{
	if (!atomic_load_explicit(&task->ctx->is_broken, memory_order_relaxed) || (task->is_executed && task->fault.delay_ns > 0))
		return;
	task->status = DOCA_ERROR_IO_FAILED;
	task->is_executed = 1;
}

/* Returns whether a task must stay in the queue: the process that it depends on is stuck and holds a thread already. */
static uint8_t is_held_up(const struct doca_task *task)
{
	const struct sd_task_operation *operation = task->pool->operation;

	return thread_pool_has_stuck_peers() && operation->is_held_up != NULL &&
	       !atomic_load_explicit(&task->ctx->is_broken, memory_order_relaxed) && operation->is_held_up(task);
}

/* The lock must be held. Returns the oldest task that can be executed, or NULL. */
static struct doca_task *take_queued(void)
{
	struct doca_task **place = &device.head, *before = NULL, *task;

	while (*place != NULL && is_held_up(*place)) {
		before = *place;
		place = &before->next;
	}
	task = *place;
	if (task == NULL)
		return NULL;
	*place = task->next;
	if (device.tail == task)
		device.tail = before;
	device.num_queued--;
	return task;
}

/* The lock must be held. Returns a delayed completion that is due, else a task to execute, else NULL. */
static struct doca_task *take(void)
{
	struct doca_task *task = device.delayed;

	if (task != NULL && task->due_ns <= sd_clock_now())
		device.delayed = task->next;
	else
		task = take_queued();
	if (task != NULL)
		flush_if_broken(task);
	return task;
}

/* The lock must be held; the function releases it while it spins. */
static void spin(void)
{
	uint64_t begin = sd_clock_now();

	device.num_spinning++;
	pthread_mutex_unlock(&device.lock);
	while (device.num_queued == 0 && !device.is_closing && sd_clock_now() - begin < SPIN_NS)
		sched_yield(); /* the submitter may need this processor */
	pthread_mutex_lock(&device.lock);
	device.num_spinning--;
}

/* Waits for a task. Returns NULL when the device closes. */
static struct doca_task *next_task(void)
{
	struct doca_task *task;

	pthread_mutex_lock(&device.lock);
	task = take();
	if (task == NULL && device.delayed == NULL && device.may_spin) {
		spin();
		task = take();
	}
	for (; task == NULL && !device.is_closing; task = take())
		sleep_until_work();
	pthread_mutex_unlock(&device.lock);
	return task;
}

static void hand_back(struct doca_task *task)
{
	if (!sd_task_breaks_context(task)) {
		sd_device_client->executed(task);
		return;
	}
	/* All threads see the failure before one of them takes, and reports, a later task. */
	pthread_mutex_lock(&device.lock);
	atomic_store_explicit(&task->ctx->is_broken, 1, memory_order_relaxed);
	sd_device_client->executed(task);
	pthread_mutex_unlock(&device.lock);
}

static void run_work(void)
{
	struct sd_worker worker = { 0 };
	struct doca_task *task;
	uint64_t due;

	prctl(PR_SET_TIMERSLACK, 1); /* the kernel must not delay due completions */
	while (!thread_pool_is_surplus() && (task = next_task()) != NULL) {
		if (task->is_executed) {
			hand_back(task);
			continue;
		}
		if (!sd_task_execute(task, &worker))
			continue;
		due = sd_timing_due(task);
		if (due > 0)
			complete_at(task, due);
		else
			hand_back(task);
	}
	sd_worker_close(&worker);
}

/* Tasks that waited for the peer can be executed. */
static void peer_has_recovered(void)
{
	pthread_mutex_lock(&device.lock);
	pthread_cond_broadcast(&device.work);
	pthread_mutex_unlock(&device.lock);
}

static void close_threads(void)
{
	pthread_mutex_lock(&device.lock);
	device.is_closing = 1;
	pthread_cond_broadcast(&device.work);
	pthread_mutex_unlock(&device.lock);
	thread_pool_close();
	pthread_cond_destroy(&device.work);
}

static doca_error_t open_threads(void)
{
	static const struct thread_pool_work work = { .run = run_work, .peer_has_recovered = peer_has_recovered };
	doca_error_t result;

	sd_thread_init_condition(&device.work);
	device.is_closing = 0;
	device.may_spin = get_nprocs() > 1;
	result = thread_pool_open(sd_config()->threads, &work);
	if (result != DOCA_SUCCESS)
		close_threads();
	return result;
}

const struct sd_execution sd_execution_threads = {
	.open = open_threads,
	.close = close_threads,
	.queue = queue_threads,
	.delay = delay_threads,
	.cancel = cancel_threads,
	.has_others = has_others_threads,
};
