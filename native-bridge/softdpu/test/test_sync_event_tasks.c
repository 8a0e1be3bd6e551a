/* Tasks of sync events: their effects, their order, their pools, waiting with and without polling, stops, and faults. */
#include <pthread.h>
#include <stdatomic.h>

#include "sync_event.h"

enum { NUM_TASKS = 64 };

static struct doca_dev *dev;
static struct event_rig rig;

static size_t in_flight(void)
{
	size_t count;

	CHECK_OK(doca_ctx_get_num_inflight_tasks(rig.ctx, &count));
	return count;
}

static void values(void)
{
	uint64_t before = 99;

	CHECK_EQ(event_value(&rig), 0);
	CHECK_OK(event_run(&rig, event_set(&rig, 5, 0)));
	CHECK_EQ(event_value(&rig), 5);
	CHECK_OK(event_run(&rig, event_add(&rig, 4, &before, 0)));
	CHECK_EQ(before, 5);
	CHECK_OK(event_run(&rig, event_add(&rig, 1, NULL, 0)));
	CHECK_EQ(event_value(&rig), 10);
	CHECK_OK(event_run(&rig, event_wait_eq(&rig, 10, UINT64_MAX, 0)));
	CHECK_OK(event_run(&rig, event_wait_neq(&rig, 9, 0xff, 0)));
	CHECK_OK(event_run(&rig, event_wait_eq(&rig, 0, 0, 0)));
}

/* The content of a task can be read, and changed until it is submitted. */
static void contents(void)
{
	struct doca_task *task = event_get(&rig, &rig.order[0], 0);
	struct doca_sync_event_task_get *get = (struct doca_sync_event_task_get *)task;
	struct doca_sync_event_task_notify_set *set;
	struct doca_sync_event_task_notify_add *add;
	struct doca_sync_event_task_wait_eq *eq;
	struct doca_sync_event_task_wait_neq *neq;
	uint64_t value = 0, before = 0;

	CHECK(doca_sync_event_task_get_get_ret_val_ptr(get) == &rig.order[0]);
	doca_sync_event_task_get_set_ret_val_ptr(get, &value);
	CHECK(doca_sync_event_task_get_get_ret_val_ptr(get) == &value);
	CHECK_OK(event_run(&rig, task));
	CHECK_EQ(value, 10);

	task = event_set(&rig, 1, 0);
	set = (struct doca_sync_event_task_notify_set *)task;
	CHECK_EQ(doca_sync_event_task_notify_set_get_set_val(set), 1);
	doca_sync_event_task_notify_set_set_set_val(set, 20);
	CHECK_OK(doca_task_submit(task));
	doca_sync_event_task_notify_set_set_set_val(set, 30); /* too late */
	RIG_PROGRESS_UNTIL(rig.pe, in_flight() == 0);
	CHECK_EQ(event_value(&rig), 20);

	task = event_add(&rig, 1, NULL, 0);
	add = (struct doca_sync_event_task_notify_add *)task;
	CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 1);
	CHECK(doca_sync_event_task_notify_add_get_fetched_val_ptr(add) == NULL);
	doca_sync_event_task_notify_add_set_inc_val(add, 2);
	doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &before);
	CHECK_OK(event_run(&rig, task));
	CHECK_EQ(before, 20);
	CHECK_EQ(event_value(&rig), 22);

	task = event_wait_eq(&rig, 1, 0, 0);
	eq = (struct doca_sync_event_task_wait_eq *)task;
	CHECK(doca_sync_event_task_wait_eq_get_wait_val(eq) == 1 && doca_sync_event_task_wait_eq_get_mask(eq) == 0);
	doca_sync_event_task_wait_eq_set_wait_val(eq, 22);
	doca_sync_event_task_wait_eq_set_mask(eq, 0xff);
	CHECK_OK(event_run(&rig, task));
	task = event_wait_neq(&rig, 0, 0, 0);
	neq = (struct doca_sync_event_task_wait_neq *)task;
	CHECK(doca_sync_event_task_wait_neq_get_wait_val(neq) == 0 && doca_sync_event_task_wait_neq_get_mask(neq) == 0);
	doca_sync_event_task_wait_neq_set_wait_val(neq, 21);
	doca_sync_event_task_wait_neq_set_mask(neq, UINT64_MAX);
	CHECK_OK(event_run(&rig, task));
}

/* Content that cannot succeed: try_submit and the device refuse it. */
static void wrong_contents(void)
{
	static const uint64_t good[] = { 0, 0xff, 0xff00, 0xffff000000, 0xffffffff, 0xffffffff00000000, UINT64_MAX };
	static const uint64_t bad[] = { 1, 0xf0, 0xffffff, 0xff00ff, 0xff01, 0x1ff, 0xffffffffff };
	struct doca_sync_event_task_get *get;
	union doca_data none = { 0 };
	struct doca_task *task;
	uint64_t value;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		CHECK_OK(event_run(&rig, event_wait_eq(&rig, 22 & good[i], good[i], 0)));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		task = event_wait_neq(&rig, UINT64_MAX, bad[i], 0);
		CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
		CHECK_EQ(event_run(&rig, task), DOCA_ERROR_IO_FAILED);
	}
	CHECK_ERROR(doca_sync_event_task_get_alloc_init(rig.event, NULL, none, &get), DOCA_ERROR_INVALID_VALUE);
	task = event_get(&rig, &value, 0);
	doca_sync_event_task_get_set_ret_val_ptr((struct doca_sync_event_task_get *)task, NULL);
	CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	CHECK_EQ(event_run(&rig, task), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(event_state(&rig), DOCA_CTX_STATE_RUNNING); /* the context keeps running */
}

/*
 * Tasks that change the value take effect in the order of their submission, on any number of threads; waiting tasks do not
 * block them.
 */
static void order(void)
{
	uint64_t before[NUM_TASKS];
	struct doca_task *waiting = event_wait_eq(&rig, 1000000, UINT64_MAX, 7);
	int done = rig.completed;

	CHECK_OK(doca_task_submit(waiting));
	for (uint64_t round = 0; round < 20; round++) {
		int goal = rig.completed + NUM_TASKS;

		for (uint64_t i = 0; i < NUM_TASKS / 2; i++) {
			CHECK_OK(doca_task_submit(event_set(&rig, 100 * i, i)));
			CHECK_OK(doca_task_submit(event_add(&rig, 1, &before[i], i)));
		}
		RIG_PROGRESS_UNTIL(rig.pe, rig.completed == goal);
		for (uint64_t i = 0; i < NUM_TASKS / 2; i++)
			CHECK_EQ(before[i], 100 * i);
	}
	CHECK_OK(doca_task_submit(event_set(&rig, 1000000, 8)));
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == done + 20 * NUM_TASKS + 2);
	CHECK_EQ(event_value(&rig), 1000000);
}

static void pools(void)
{
	struct doca_sync_event_task_wait_eq *tasks[NUM_TASKS], *more;
	union doca_data none = { 0 };

	for (int i = 0; i < NUM_TASKS; i++)
		CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(rig.event, 1, 0, none, &tasks[i]));
	CHECK_ERROR(doca_sync_event_task_wait_eq_alloc_init(rig.event, 1, 0, none, &more), DOCA_ERROR_NO_MEMORY);
	for (int i = 0; i < NUM_TASKS; i++)
		doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(tasks[i]));
	CHECK_ERROR(doca_sync_event_task_wait_eq_alloc_init(NULL, 1, 0, none, &more), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sync_event_task_wait_eq_alloc_init(rig.event, 1, 0, none, NULL), DOCA_ERROR_INVALID_VALUE);
}

/* Many tasks wait at once. Each ends with its value, and progress returns 0 if no task ended. */
static void waiting(void)
{
	int done;

	CHECK_OK(event_run(&rig, event_set(&rig, 0, 0)));
	done = rig.completed;
	for (uint64_t i = 1; i <= 10; i++)
		CHECK_OK(doca_task_submit(event_wait_eq(&rig, i, UINT64_MAX, i)));
	for (int i = 0; i < 1000; i++)
		CHECK_EQ(doca_pe_progress(rig.pe), 0);
	for (uint64_t i = 10; i >= 1; i--) {
		CHECK_OK(event_run(&rig, event_set(&rig, i, 100)));
		RIG_PROGRESS_UNTIL(rig.pe, rig.completed == done + 2 * (11 - (int)i));
		for (int last = rig.completed + rig.failed - 2; last < rig.completed + rig.failed; last++) {
			uint64_t who = rig.order[last % EVENT_MAX_ENDED];

			CHECK(who == 100 || who == i);
		}
	}
	CHECK_EQ(rig.completed, done + 20);
}

/* The stop of a context ends waiting tasks and unstarted tasks with their error callbacks. */
static void stop_while_waiting(void)
{
	int failed = rig.failed;

	for (uint64_t i = 1; i <= 10; i++)
		CHECK_OK(doca_task_submit(event_wait_eq(&rig, 77777, UINT64_MAX, i)));
	CHECK_ERROR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig.pe, event_state(&rig) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig.failed, failed + 10);
	CHECK_EQ(rig.last_status, DOCA_ERROR_IO_FAILED);
	event_close(&rig);
}

static void faults(void)
{
	uint64_t value = 0, begin;
	struct doca_task *task;

	event_open(&rig, dev, NUM_TASKS);
	CHECK_OK(softdpu_faults_set("sync-event-notify-set:fail=TIME_OUT:nth=1 ; sync-event-wait-eq:fail=IO_FAILED:nth=1 ;"
				    "sync-event-get:corrupt:nth=1 ; sync-event-notify-add:again=2:nth=1 ;"
				    "sync-event-wait-neq:delay=20ms:nth=1"));
	CHECK_EQ(event_run(&rig, event_set(&rig, 3, 0)), DOCA_ERROR_TIME_OUT);
	CHECK_EQ(event_run(&rig, event_wait_eq(&rig, 0, 0, 0)), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(event_value(&rig), 1); /* one bit is wrong */
	CHECK_EQ(event_value(&rig), 0);
	task = event_add(&rig, 5, &value, 0);
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
	CHECK_OK(event_run(&rig, task));
	CHECK_EQ(event_value(&rig), 5);
	begin = softdpu_clock_now();
	CHECK_OK(event_run(&rig, event_wait_neq(&rig, 4, UINT64_MAX, 0)));
	CHECK(softdpu_clock_now() - begin >= 20000000);

	/* The device is lost: the context stops, waiting tasks fail. */
	CHECK_OK(softdpu_faults_set("sync-event-get:lost:nth=1"));
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 77777, UINT64_MAX, 0)));
	CHECK_OK(doca_task_submit(event_get(&rig, &value, 0)));
	RIG_PROGRESS_UNTIL(rig.pe, event_state(&rig) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(rig.failed, 4);
	softdpu_faults_clear();
	event_close(&rig);
}

/* On the null device, tasks succeed at once without work. */
static void null_device(void)
{
	CHECK_OK(softdpu_set_null(1));
	event_open(&rig, dev, NUM_TASKS);
	CHECK_OK(event_run(&rig, event_set(&rig, 3, 0)));
	CHECK_OK(event_run(&rig, event_wait_eq(&rig, 77777, UINT64_MAX, 0)));
	CHECK_EQ(event_value(&rig), 0);
	event_close(&rig);
	CHECK_OK(softdpu_set_null(0));
}

/* A task that is freed while it waits ends without a callback, and its result is not written. */
static void freed(void)
{
	uint64_t value = 123;
	struct doca_task *task;

	event_open(&rig, dev, NUM_TASKS);
	task = event_wait_eq(&rig, 1, UINT64_MAX, 0);
	CHECK_OK(doca_task_submit(task));
	doca_task_free(task);
	task = event_get(&rig, &value, 0);
	CHECK_OK(doca_task_submit(task));
	doca_task_free(task);
	CHECK_OK(event_run(&rig, event_set(&rig, 1, 0)));
	event_close(&rig);
	CHECK_EQ(rig.completed + rig.failed, 1);
	CHECK_EQ(value, 123);
}

static struct doca_sync_event *twin;

static void *publish(void *argument)
{
	(void)argument;
	CHECK_OK(doca_sync_event_update_set(twin, 1));
	CHECK_OK(doca_sync_event_wait_eq_yield(twin, 2, UINT64_MAX));
	CHECK_OK(doca_sync_event_update_set(twin, 3));
	return NULL;
}

/*
 * A sleeping program is woken by another event with the same memory, changed through the library. The program is also woken
 * by a value that the program writes directly, without the library.
 */
static void asleep(void)
{
	static _Atomic uint64_t number;
	struct doca_sync_event *event = event_new(dev);
	pthread_t thread;

	atomic_store(&number, 0);
	twin = event_new(dev);
	CHECK_OK(doca_sync_event_set_addr(event, (uint64_t *)&number));
	CHECK_OK(doca_sync_event_set_addr(twin, (uint64_t *)&number));
	CHECK_OK(doca_sync_event_start(twin));
	event_open_as(&rig, dev, event, NUM_TASKS);
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 1, UINT64_MAX, 0)));
	CHECK(pthread_create(&thread, NULL, publish, NULL) == 0);
	EVENT_SLEEP_UNTIL(&rig, rig.completed == 1);
	CHECK_OK(doca_task_submit(event_wait_neq(&rig, 2, 0xff, 0)));
	CHECK_OK(doca_task_submit(event_set(&rig, 2, 0)));
	EVENT_SLEEP_UNTIL(&rig, rig.completed == 3);
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 3, UINT64_MAX, 0)));
	EVENT_SLEEP_UNTIL(&rig, rig.completed == 4);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 4, UINT64_MAX, 0)));
	CHECK_OK(doca_pe_request_notification(rig.pe));
	atomic_store(&number, 4);
	EVENT_SLEEP_UNTIL(&rig, rig.completed == 5);
	/* A context without waiting tasks is not busy: the stop completes at once. */
	CHECK_OK(doca_ctx_stop(rig.ctx));
	event_close(&rig);
	CHECK_OK(doca_sync_event_stop(twin));
	CHECK_OK(doca_sync_event_destroy(twin));
}

static void run(enum softdpu_execution execution)
{
	CHECK_OK(softdpu_set_execution(execution));
	event_open(&rig, dev, NUM_TASKS);
	values();
	contents();
	wrong_contents();
	order();
	pools();
	waiting();
	stop_while_waiting();
	faults();
	null_device();
	freed();
	asleep();
}

int main(void)
{
	dev = rig_open_device("03:00.0");
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
