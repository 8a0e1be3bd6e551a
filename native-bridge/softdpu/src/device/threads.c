/*
 * Execution on hardware threads: one queue for all of them, first in first out. A completion that a fault delays waits in a
 * second list, sorted by time, that the threads look at between two tasks; a thread without work sleeps until the
 * earliest of them is due.
 *
 * A thread that has just done something looks out for more before it sleeps: hardware needs no waking, and to wake a thread takes as
 * long as a small task. Whoever queues a task wakes a sleeper only when more tasks wait than threads look out, and never with the
 * lock held, on which the sleeper would wait at once.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "sd_config.h"
#include "sd_context.h"
#include "sd_device.h"
#include "sd_fault.h"
#include "sd_timing.h"
#include "thread_pool.h"

/* How long a thread looks out: about what it takes to wake the one that waits for the completion, and to come back. */
#define LOOK_OUT_NS 50000u

static struct {
	pthread_mutex_t lock;			/* of all below but may_look_out */
	pthread_cond_t work;
	struct doca_task *head, *tail;		/* to be executed */
	struct doca_task *delayed;		/* executed, earliest first */
	_Atomic uint32_t num_queued;		/* tasks behind head; read without the lock as well */
	uint32_t num_looking_out;
	uint32_t num_sleeping;
	_Atomic uint8_t is_closing;
	uint8_t may_look_out;			/* there is another processor for whoever submits */
} device = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void queue_threads(struct doca_task *task)
{
	uint8_t wakes;

	task->next = NULL;
	pthread_mutex_lock(&device.lock);
	if (device.head == NULL)
		device.head = task;
	else
		device.tail->next = task;
	device.tail = task;
	device.num_queued++;
	wakes = device.num_sleeping > 0 && device.num_queued > device.num_looking_out;
	pthread_mutex_unlock(&device.lock);
	if (wakes)
		pthread_cond_signal(&device.work);
}

/* A task that has not begun, or that is executed and only the timing model keeps from being complete. */
static uint8_t can_be_cancelled(const struct doca_task *task)
{
	return !task->is_executed || (task->fault.delay_ns == 0 && task->due_ns > sd_clock_now());
}

/* The lock must be held. Move tasks of a context from one list to the end of another; where that ends then. */
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
	pthread_cond_signal(&device.work); /* somebody may have to get up earlier than it meant to */
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

/* The lock must be held. A failure has stopped the task's context: what the device has not completed by then fails as well. */
static void flush_if_broken(struct doca_task *task)
{
	if (!atomic_load_explicit(&task->ctx->is_broken, memory_order_relaxed) || (task->is_executed && task->fault.delay_ns > 0))
		return;
	task->status = DOCA_ERROR_IO_FAILED;
	task->is_executed = 1;
}

/* Whether a task has to wait in the queue: another process that it depends on is stuck, and holds a thread already. */
static uint8_t is_held_up(const struct doca_task *task)
{
	const struct sd_task_operation *operation = task->pool->operation;

	return thread_pool_has_stuck_peers() && operation->is_held_up != NULL &&
	       !atomic_load_explicit(&task->ctx->is_broken, memory_order_relaxed) && operation->is_held_up(task);
}

/* The lock must be held. The oldest task that can be executed, or NULL. */
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

/* The lock must be held. A delayed completion that is due, else a task to execute, else NULL. */
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

/* The lock must be held, and is let go of meanwhile. */
static void look_out(void)
{
	uint64_t begin = sd_clock_now();

	device.num_looking_out++;
	pthread_mutex_unlock(&device.lock);
	while (device.num_queued == 0 && !device.is_closing && sd_clock_now() - begin < LOOK_OUT_NS)
		sched_yield(); /* whoever is to give it work may need this very processor */
	pthread_mutex_lock(&device.lock);
	device.num_looking_out--;
}

/* Waits. NULL when the device closes. */
static struct doca_task *next_task(void)
{
	struct doca_task *task;

	pthread_mutex_lock(&device.lock);
	task = take();
	if (task == NULL && device.delayed == NULL && device.may_look_out) {
		look_out();
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
		sd_task_executed(task);
		return;
	}
	/* All threads know of the failure before one of them takes, and reports, a task behind this one. */
	pthread_mutex_lock(&device.lock);
	atomic_store_explicit(&task->ctx->is_broken, 1, memory_order_relaxed);
	sd_task_executed(task);
	pthread_mutex_unlock(&device.lock);
}

static void run_work(void)
{
	struct sd_worker worker = { 0 };
	struct doca_task *task;
	uint64_t due;

	prctl(PR_SET_TIMERSLACK, 1); /* completions come when they are due, not when it suits the kernel */
	while (!thread_pool_is_surplus() && (task = next_task()) != NULL) {
		if (task->is_executed) {
			hand_back(task);
			continue;
		}
		sd_task_execute(task, &worker);
		due = sd_timing_due(task);
		if (due > 0)
			complete_at(task, due);
		else
			hand_back(task);
	}
	sd_worker_close(&worker);
}

/* Tasks that were held up can be executed. */
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

	thread_pool_init_condition(&device.work);
	device.is_closing = 0;
	device.may_look_out = get_nprocs() > 1;
	result = thread_pool_open(sd_config()->threads, &work);
	if (result != DOCA_SUCCESS)
		close_threads();
	return result;
}

const struct sd_execution sd_execution_threads = {
	.name = "threads",
	.open = open_threads,
	.close = close_threads,
	.queue = queue_threads,
	.delay = delay_threads,
	.cancel = cancel_threads,
};
