/*
 * The queue of the hardware threads. A cancel removes tasks completely, also from the number of waiting tasks. A task for a
 * stuck peer keeps its place and does not block other tasks. A completion with the earliest due time wakes a sleeping thread.
 */
#include "../src/device/thread_pool.c"
#include "../src/device/threads.c"

#include "check.h"
#include "softdpu.h"

enum { TASKS = 6, LATE_S = 10 };

#define SHORT_DELAY_NS UINT64_C(1000000)
#define LONG_DELAY_NS UINT64_C(60000000000)

static uint8_t is_stuck(const struct doca_task *task)
{
	return task->user_data.u64 != 0;
}

static const struct sd_task_operation operation = { .name = "test", .is_held_up = is_stuck };
static struct sd_task_pool tasks_pool = { .operation = &operation };
static struct doca_ctx contexts[2];
static struct doca_task tasks[TASKS];
static _Atomic uint32_t num_ended;

/* @name Replacements of the functions that the queue calls */
/* @{ */
uint64_t sd_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t sd_timing_due(const struct doca_task *task)
{
	(void)task;
	return 0;
}

void sd_fault_count_delay(void)
{
}

void sd_worker_close(struct sd_worker *worker)
{
	(void)worker;
}

uint8_t sd_task_execute(struct doca_task *task, struct sd_worker *worker)
{
	(void)worker;
	task->is_executed = 1;
	return 1;
}

static void count_ended(struct doca_task *task)
{
	(void)task;
	atomic_fetch_add(&num_ended, 1);
}

static const struct sd_device_client client = { .executed = count_ended };
const struct sd_device_client *sd_device_client = &client;
/* @} */

/* Tasks 0, 2, 4 belong to the first context, the others to the second. */
static void queue_all(void)
{
	for (uint32_t i = 0; i < TASKS; i++) {
		tasks[i] = (struct doca_task){ .ctx = &contexts[i % 2], .pool = &tasks_pool };
		queue_threads(&tasks[i]);
		CHECK_EQ(device.num_queued, i + 1);
	}
}

static void take_expected(uint32_t index)
{
	CHECK(take() == &tasks[index]);
}

static void check_empty(void)
{
	CHECK(take() == NULL);
	CHECK_EQ(device.num_queued, 0);
}

static void cancel_leaves_the_others(void)
{
	const struct doca_task *cancelled;

	queue_all();
	cancelled = cancel_threads(&contexts[1]);
	for (uint32_t i = 1; i < TASKS; i += 2, cancelled = cancelled->next)
		CHECK(cancelled == &tasks[i]);
	CHECK(cancelled == NULL);
	CHECK_EQ(device.num_queued, TASKS / 2);
	queue_threads(&tasks[1]); /* behind the remaining tasks */
	CHECK_EQ(device.num_queued, TASKS / 2 + 1);
	for (uint32_t i = 0; i < TASKS; i += 2)
		take_expected(i);
	take_expected(1);
	check_empty();
}

static void cancel_empties_the_queue(void)
{
	queue_all();
	CHECK(cancel_threads(&contexts[0]) == &tasks[0]);
	CHECK(cancel_threads(&contexts[1]) == &tasks[1]);
	check_empty();
	CHECK(cancel_threads(&contexts[0]) == NULL);
	queue_threads(&tasks[5]);
	take_expected(5);
	check_empty();
}

/* The tasks 0, 3 and 5 depend on a stuck peer. */
static void held_up_tasks_keep_their_place(void)
{
	queue_all();
	tasks[0].user_data.u64 = tasks[3].user_data.u64 = tasks[5].user_data.u64 = 1;
	atomic_store(&pool.num_abandoned, 1);
	take_expected(1);
	take_expected(2);
	take_expected(4);
	CHECK(take() == NULL);
	CHECK_EQ(device.num_queued, 3);
	queue_threads(&tasks[1]);
	CHECK(cancel_threads(&contexts[0]) == &tasks[0]);
	take_expected(1);
	CHECK(take() == NULL);
	queue_threads(&tasks[2]);
	atomic_store(&pool.num_abandoned, 0); /* the peer has recovered */
	take_expected(3);
	take_expected(5);
	take_expected(2);
	check_empty();
}

/* A failure has stopped the context: its tasks do not wait for the peer; they fail. */
static void held_up_tasks_of_a_broken_context_fail(void)
{
	queue_all();
	tasks[0].user_data.u64 = 1;
	atomic_store(&pool.num_abandoned, 1);
	atomic_store(&contexts[0].is_broken, 1);
	take_expected(0);
	CHECK_EQ(tasks[0].status, DOCA_ERROR_IO_FAILED);
	CHECK(tasks[0].is_executed);
	atomic_store(&contexts[0].is_broken, 0);
	atomic_store(&pool.num_abandoned, 0);
	cancel_threads(&contexts[0]);
	cancel_threads(&contexts[1]);
	check_empty();
}

static void await_sleeper(void)
{
	uint64_t deadline = sd_clock_now() + LATE_S * UINT64_C(1000000000);
	uint8_t is_asleep = 0;

	while (!is_asleep) {
		CHECK(sd_clock_now() < deadline);
		sched_yield();
		pthread_mutex_lock(&device.lock);
		is_asleep = device.num_sleeping == 1;
		pthread_mutex_unlock(&device.lock);
	}
}

static void await_ended(uint32_t count)
{
	uint64_t deadline = sd_clock_now() + LATE_S * UINT64_C(1000000000);

	while (atomic_load(&num_ended) < count) {
		CHECK(sd_clock_now() < deadline);
		sched_yield();
	}
}

static void delay(struct doca_task *task, uint64_t delay_ns)
{
	*task = (struct doca_task){ .ctx = &contexts[0], .pool = &tasks_pool, .is_executed = 1, .fault.delay_ns = delay_ns };
	delay_threads(task);
}

static void delayed_completions_wake_a_sleeper(void)
{
	CHECK_OK(softdpu_set_threads(1));
	CHECK_OK(open_threads());
	await_sleeper(); /* without a wake-up time */
	delay(&tasks[0], SHORT_DELAY_NS);
	await_ended(1);
	await_sleeper();
	delay(&tasks[1], LONG_DELAY_NS);
	await_sleeper(); /* with a much later wake-up time */
	delay(&tasks[2], SHORT_DELAY_NS);
	await_ended(2);
	pthread_mutex_lock(&device.lock);
	CHECK(device.delayed == &tasks[1]);
	device.delayed = NULL;
	pthread_mutex_unlock(&device.lock);
	close_threads();
}

int main(void)
{
	cancel_leaves_the_others();
	cancel_empties_the_queue();
	held_up_tasks_keep_their_place();
	held_up_tasks_of_a_broken_context_fail();
	delayed_completions_wake_a_sleeper();
	return 0;
}
