#include "work_inside.h"

#include <doca_pe.h>

#include "report.h"

static void fail(struct work *work, doca_error_t result, const char *operation, uint64_t done)
{
	/* The first failure has the cause; later ones are its consequence. */
	if (!work->failed && !work->ending)
		report(result, operation, "%s task after %llu done", work->kind->name, (unsigned long long)done);
	work->failed = true;
}

static struct work_buffers *buffers_of(const struct work *work, const struct work_slot *slot, uint64_t number)
{
	return &work->plan.buffers[work->plan.by_slot ? slot->index : number % work->plan.num_buffers];
}

/* Submits a slot that has its buffers. If the device refuses the task, the slot waits. */
static void submit(struct work *work, struct work_slot *slot)
{
	union doca_data user_data = { .ptr = slot };
	struct doca_buf *dst = slot->buffers->dst;
	doca_error_t result = dst == NULL ? DOCA_SUCCESS : doca_buf_reset_data_len(dst);

	if (result != DOCA_SUCCESS) {
		fail(work, result, "doca_buf_reset_data_len", work->done);
		return;
	}
	if (slot->task == NULL)
		result = work->kind->alloc(work->object, work->operand, slot->buffers, user_data, slot);
	else
		work->kind->set(slot->typed, slot->buffers);
	if (result != DOCA_SUCCESS) {
		fail(work, result, "allocate", work->done);
		return;
	}
	result = doca_task_submit(slot->task);
	slot->in_flight = result == DOCA_SUCCESS;
	slot->waiting = result == DOCA_ERROR_AGAIN;
	work->num_in_flight += slot->in_flight;
	work->num_waiting += slot->waiting;
	if (!slot->in_flight && !slot->waiting)
		fail(work, result, "doca_task_submit", work->done);
}

static void submit_next(struct work *work, struct work_slot *slot)
{
	if (work->failed || work->ending || work->next == work->plan.count)
		return;
	slot->buffers = buffers_of(work, slot, work->next++);
	if (work->plan.times_ns != NULL)
		slot->begin_ns = engine_clock_ns();
	submit(work, slot);
}

void work_free_task(struct work_slot *slot)
{
	if (slot->task != NULL)
		doca_task_free(slot->task);
	slot->task = NULL;
}

/* Handles the end of a slot's task. A context becomes IDLE only when all its tasks are freed. */
static void on_end(struct work *work, struct work_slot *slot)
{
	slot->in_flight = false;
	work->num_in_flight--;
	if (work->ending)
		work_free_task(slot);
}

void work_on_done(union doca_data task_data, union doca_data ctx_data)
{
	struct work *work = ctx_data.ptr;

	struct work_slot *slot = task_data.ptr;

	slot->buffers->done = true;
	if (work->plan.times_ns != NULL)
		work->plan.times_ns[work->done] = engine_clock_ns() - slot->begin_ns;
	on_end(work, slot);
	if (++work->done == work->plan.count)
		work->end_ns = engine_clock_ns();
	submit_next(work, slot);
}

void work_on_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct work *work = ctx_data.ptr;

	fail(work, doca_task_get_status(task), "doca_task", work->done);
	on_end(work, task_data.ptr);
}

void work_begin(struct work *work, const struct work_plan *plan)
{
	uint32_t i;

	work->plan = *plan;
	work->next = 0;
	work->done = 0;
	work->begin_ns = engine_clock_ns();
	work->end_ns = work->begin_ns;
	for (i = 0; i < work->window; i++)
		submit_next(work, &work->slots[i]);
}

void work_extend(struct work *work, uint64_t tasks)
{
	uint32_t i;

	work->plan.count += tasks;
	for (i = 0; i < work->window && work->next < work->plan.count; i++)
		if (!work->slots[i].in_flight && !work->slots[i].waiting)
			submit_next(work, &work->slots[i]);
}

void work_turn(struct work *work)
{
	uint32_t i;

	for (i = 0; i < work->window && work->num_waiting > 0; i++) {
		struct work_slot *slot = &work->slots[i];

		if (!slot->waiting)
			continue;
		slot->waiting = false;
		work->num_waiting--;
		if (!work->failed)
			submit(work, slot);
	}
}

void *work_object(const struct work *work)
{
	return work->object;
}

void work_set_operand(struct work *work, void *operand)
{
	work->operand = operand;
}

void work_set_kind(struct work *work, const struct work_kind *kind)
{
	uint32_t i;

	for (i = 0; work->kind != kind && i < work->window; i++)
		work_free_task(&work->slots[i]);
	work->kind = kind;
}

bool work_is_over(const struct work *work)
{
	return work->num_in_flight == 0 && work->num_waiting == 0 && (work->failed || work->done == work->plan.count);
}

bool work_has_failed(const struct work *work)
{
	return work->failed;
}

uint64_t work_done(const struct work *work)
{
	return work->done;
}

uint64_t work_elapsed_ns(const struct work *work)
{
	return work->end_ns - work->begin_ns;
}

bool work_is_eager(const struct work *work)
{
	return work->num_waiting > 0;
}
