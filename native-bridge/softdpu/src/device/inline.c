/*
 * Execution inside doca_pe_progress(). Each engine keeps its tasks sorted by their due virtual time. The engine runs one if the
 * program calls progress and no other work waits. The duration of a task is drawn from the seed. The order of completions is
 * therefore reproducible, but programs cannot rely on it.
 *
 * Thread: the thread of the engine. Engines share only the clock and the number of runs.
 */
#include <stdatomic.h>

#include "sd_base.h"
#include "sd_config.h"
#include "sd_device.h"
#include "sd_fault.h"
#include "sd_random.h"
#include "sd_timing.h"

enum { LONGEST_EXECUTION_NS = 16384 };

static _Atomic uint64_t current_run = 1;	/* a new value restarts the random numbers */
static _Atomic uint64_t next_sequence;		/* one random sequence per engine, in the order of their first task */

void sd_device_begin_run(void)
{
	atomic_fetch_add(&current_run, 1);
	atomic_store(&next_sequence, 0);
	sd_timing_reset();
	sd_clock_reset();
}

static doca_error_t open_inline(void)
{
	return DOCA_SUCCESS;
}

static void close_inline(void)
{
	/* The worker of an engine is closed when the engine's last context is IDLE. */
}

/* Returns the device's part of an engine: its first member. */
static struct sd_inline *part_of(const struct doca_pe *pe)
{
	return (struct sd_inline *)(uintptr_t)pe;
}

static uint64_t draw(struct sd_inline *device)
{
	uint64_t run = atomic_load(&current_run);

	if (device->run != run) {
		device->run = run;
		device->random = sd_random_seed(sd_config()->seed, atomic_fetch_add(&next_sequence, 1));
	}
	return sd_random_next(&device->random);
}

uint64_t sd_device_draw(struct doca_pe *pe)
{
	return draw(part_of(pe));
}

uint64_t sd_device_draw_due(struct doca_pe *pe)
{
	return sd_clock_virtual_now() + 1 + draw(part_of(pe)) % LONGEST_EXECUTION_NS;
}

/* Inserts a task after all tasks with the same or an earlier due time. */
static void insert(struct sd_inline *device, struct doca_task *task)
{
	struct doca_task **place = &device->tasks;

	while (*place != NULL && (*place)->due_ns <= task->due_ns)
		place = &(*place)->next;
	task->next = *place;
	*place = task;
}

static void complete_late(struct doca_task *task)
{
	task->due_ns = sd_clock_virtual_now() + task->fault.delay_ns;
	insert(part_of(task->ctx->pe), task);
	sd_fault_count_delay();
}

static void delay_inline(struct doca_task *task)
{
	complete_late(task);
	if (sd_device_has_work(task->ctx->pe))
		sd_device_client->wake(task->ctx->pe);
}

static void queue_inline(struct doca_task *task)
{
	struct doca_pe *pe = task->ctx->pe;
	struct sd_inline *device = part_of(pe);

	if (sd_config()->null_device && task->fault.delay_ns == 0) {
		if (sd_task_execute(task, &device->worker))
			sd_device_client->ended(task);
		return;
	}
	task->due_ns = task->timed_ns > 0 ? task->timed_ns : sd_device_draw_due(pe);
	insert(device, task);
	if (sd_device_has_work(pe))
		sd_device_client->wake(pe);
}

static struct doca_task *cancel_inline(struct doca_ctx *ctx)
{
	struct doca_task **place = &part_of(ctx->pe)->tasks;
	struct doca_task *cancelled = NULL;
	struct doca_task **end = &cancelled;

	while (*place != NULL) {
		struct doca_task *task = *place;

		if (task->ctx != ctx || task->is_executed) {
			place = &task->next;
			continue;
		}
		*place = task->next;
		task->next = NULL;
		*end = task;
		end = &task->next;
	}
	return cancelled;
}

static uint8_t has_others_inline(const struct doca_task *task)
{
	return part_of(task->ctx->pe)->tasks != NULL;
}

uint8_t sd_device_has_work(const struct doca_pe *pe)
{
	const struct doca_task *task = part_of(pe)->tasks;

	return task != NULL && (sd_clock_jumps() || task->due_ns <= sd_clock_virtual_now());
}

uint64_t sd_device_next_due(const struct doca_pe *pe)
{
	const struct doca_task *task = part_of(pe)->tasks;

	return task != NULL ? task->due_ns : UINT64_MAX;
}

uint8_t sd_device_step(struct doca_pe *pe)
{
	struct sd_inline *device = part_of(pe);
	struct doca_task *task = device->tasks;

	if (!sd_device_has_work(pe))
		return 0;
	sd_clock_jump(task->due_ns);
	device->tasks = task->next;
	if (!task->is_executed) {
		if (!sd_task_execute(task, &device->worker))
			return 1;
		if (task->fault.delay_ns > 0) {
			complete_late(task);
			return 1;
		}
	}
	sd_device_client->ended(task);
	return 1;
}

const struct sd_execution sd_execution_inline = {
	.open = open_inline,
	.close = close_inline,
	.queue = queue_inline,
	.delay = delay_inline,
	.cancel = cancel_inline,
	.has_others = has_others_inline,
};
