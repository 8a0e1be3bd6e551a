/*
 * Execution on hardware threads: one queue for all of them, first in first out. A completion that a fault delays waits in a
 * second list, sorted by time, that the threads look at between two tasks; a thread without work sleeps until the
 * earliest of them is due.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "sd_census.h"
#include "sd_config.h"
#include "sd_context.h"
#include "sd_device.h"
#include "sd_log.h"
#include "sd_timing.h"

static struct {
	pthread_mutex_t lock;			/* of all below but threads and num_threads */
	pthread_cond_t work;
	struct doca_task *head, *tail;		/* to be executed */
	struct doca_task *delayed;		/* executed, earliest first */
	uint32_t num_sleeping;
	uint8_t is_closing;
	pthread_t threads[SD_CONFIG_MAX_THREADS];
	uint32_t num_threads;
} device = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The lock must be held. */
static void wake_one(void)
{
	if (device.num_sleeping > 0)
		pthread_cond_signal(&device.work);
}

static void queue_threads(struct doca_task *task)
{
	task->next = NULL;
	pthread_mutex_lock(&device.lock);
	if (device.head == NULL)
		device.head = task;
	else
		device.tail->next = task;
	device.tail = task;
	wake_one();
	pthread_mutex_unlock(&device.lock);
}

static struct doca_task *cancel_threads(struct doca_ctx *ctx)
{
	struct doca_task *cancelled = NULL, *kept = NULL;
	struct doca_task **cancelled_end = &cancelled, **kept_end = &kept;

	pthread_mutex_lock(&device.lock);
	device.tail = NULL;
	for (struct doca_task *task = device.head; task != NULL; task = task->next) {
		struct doca_task ***end = task->ctx == ctx ? &cancelled_end : &kept_end;

		if (task->ctx != ctx)
			device.tail = task;
		**end = task;
		*end = &task->next;
	}
	*cancelled_end = NULL;
	*kept_end = NULL;
	device.head = kept;
	pthread_mutex_unlock(&device.lock);
	return cancelled;
}

static void delay(struct doca_task *task, uint64_t due)
{
	struct doca_task **place = &device.delayed;

	task->due_ns = due;
	pthread_mutex_lock(&device.lock);
	while (*place != NULL && (*place)->due_ns <= task->due_ns)
		place = &(*place)->next;
	task->next = *place;
	*place = task;
	wake_one(); /* it may have to get up earlier than it meant to */
	pthread_mutex_unlock(&device.lock);
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

/* The lock must be held. A delayed completion that is due, else a task to execute, else NULL. */
static struct doca_task *take(void)
{
	struct doca_task *task = device.delayed;

	if (task != NULL && task->due_ns <= sd_clock_now()) {
		device.delayed = task->next;
		return task;
	}
	task = device.head;
	if (task != NULL)
		device.head = task->next;
	return task;
}

/* Waits. NULL when the device closes. */
static struct doca_task *next_task(void)
{
	struct doca_task *task;

	pthread_mutex_lock(&device.lock);
	for (task = take(); task == NULL && !device.is_closing; task = take())
		sleep_until_work();
	pthread_mutex_unlock(&device.lock);
	return task;
}

static void *run_thread(void *argument)
{
	struct sd_worker worker = { 0 };
	struct doca_task *task;
	uint64_t due;

	(void)argument;
	prctl(PR_SET_TIMERSLACK, 1); /* completions come when they are due, not when it suits the kernel */
	for (task = next_task(); task != NULL; task = next_task()) {
		if (task->is_executed) {
			sd_task_executed(task);
			continue;
		}
		sd_task_execute(task, &worker);
		due = sd_timing_due(task);
		if (due > 0)
			delay(task, due);
		else
			sd_task_executed(task);
	}
	sd_worker_close(&worker);
	return NULL;
}

static void close_threads(void)
{
	pthread_mutex_lock(&device.lock);
	device.is_closing = 1;
	pthread_cond_broadcast(&device.work);
	pthread_mutex_unlock(&device.lock);
	for (uint32_t i = 0; i < device.num_threads; i++)
		pthread_join(device.threads[i], NULL);
	sd_census_add(SD_CENSUS_HARDWARE_THREADS, -(int)device.num_threads);
	device.num_threads = 0;
	pthread_cond_destroy(&device.work);
}

static void init_condition(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&device.work, &attributes);
	pthread_condattr_destroy(&attributes);
}

static int start_thread(uint32_t index)
{
	char name[20];
	int error = pthread_create(&device.threads[index], NULL, run_thread, NULL);

	if (error != 0)
		return error;
	snprintf(name, sizeof(name), "softdpu-%u", index & 0xff); /* the system takes 15 characters */
	pthread_setname_np(device.threads[index], name);
	device.num_threads++;
	sd_census_add(SD_CENSUS_HARDWARE_THREADS, 1);
	return 0;
}

static doca_error_t open_threads(void)
{
	uint32_t wanted = sd_config()->threads;
	sigset_t all, before;
	int error = 0;

	init_condition();
	device.is_closing = 0;
	/* Signals are the program's business: no hardware thread may be chosen to handle one. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (device.num_threads < wanted && error == 0)
		error = start_thread(device.num_threads);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		return DOCA_SUCCESS;
	SD_LOG_ERROR("only %u of %u hardware threads could be started (error %d)", device.num_threads, wanted, error);
	close_threads();
	return DOCA_ERROR_INITIALIZATION;
}

const struct sd_execution sd_execution_threads = {
	.name = "threads",
	.open = open_threads,
	.close = close_threads,
	.queue = queue_threads,
	.cancel = cancel_threads,
};
