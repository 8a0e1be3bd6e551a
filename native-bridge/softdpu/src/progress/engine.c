/* Delivery of events to an engine, and wake-up of its program. */
#include <stdatomic.h>
#include <unistd.h>

#include "sd_engine.h"
#include "sd_list.h"

void sd_engine_wake(struct doca_pe *pe)
{
	static const uint64_t one = 1;
	uint8_t state = SD_ENGINE_ARMED;

	/*
	 * Sequentially consistent, like arming: either the arming thread sees the event, or this thread sees the armed engine.
	 */
	if (atomic_load(&pe->notification) != SD_ENGINE_ARMED)
		return;
	if (!atomic_compare_exchange_strong(&pe->notification, &state, SD_ENGINE_SIGNALLING))
		return;
	while (write(pe->fd, &one, sizeof(one)) < 0)
		; /* EINTR only: each arm adds at most one, so the counter cannot overflow */
	atomic_store(&pe->notification, SD_ENGINE_QUIET);
}

static void push(struct doca_pe *pe, struct sd_event *event)
{
	struct sd_event *head = atomic_load_explicit(&pe->inbox, memory_order_relaxed);

	do {
		event->next = head;
	} while (!atomic_compare_exchange_weak(&pe->inbox, &head, event));
}

void sd_engine_post(struct doca_pe *pe, struct sd_event *event)
{
	/* After the push, the program may run the event and destroy its context; num_posters keeps the engine alive. */
	atomic_fetch_add(&pe->num_posters, 1);
	push(pe, event);
	sd_engine_wake(pe);
	atomic_fetch_sub(&pe->num_posters, 1);
}

void sd_engine_post_no_wake(struct doca_pe *pe, struct sd_event *event)
{
	atomic_fetch_add(&pe->num_posters, 1);
	push(pe, event);
	atomic_fetch_sub(&pe->num_posters, 1);
}

/* Appends a context to the list of contexts with events. */
static void make_ready(struct doca_ctx *ctx)
{
	struct doca_pe *pe = ctx->pe;

	ctx->is_ready = 1;
	SD_APPEND(pe->ready_head, pe->ready_tail, ctx, ready_next);
}

static void append(struct sd_event *event)
{
	struct doca_ctx *ctx = event->ctx;

	SD_APPEND(ctx->events_head, ctx->events_tail, event, next);
	if (!ctx->is_ready)
		make_ready(ctx);
}

void sd_engine_queue(struct sd_event *event)
{
	append(event);
	sd_engine_wake(event->ctx->pe);
}

void sd_engine_queue_first(struct sd_event *event)
{
	struct doca_ctx *ctx = event->ctx;

	event->next = ctx->events_head;
	if (ctx->events_head == NULL)
		ctx->events_tail = event;
	ctx->events_head = event;
	if (!ctx->is_ready)
		make_ready(ctx);
	sd_engine_wake(ctx->pe);
}

/* Distributes the inbox to the contexts, oldest event first. */
static void empty_inbox(struct doca_pe *pe)
{
	struct sd_event *newest = atomic_exchange_explicit(&pe->inbox, NULL, memory_order_acquire);
	struct sd_event *oldest = NULL;

	while (newest != NULL) {
		struct sd_event *event = newest;

		newest = event->next;
		event->next = oldest;
		oldest = event;
	}
	while (oldest != NULL) {
		struct sd_event *event = oldest;

		oldest = event->next;
		append(event);
	}
}

/* Removes and returns the first event of the first ready context, which moves to the end of the list. */
static struct sd_event *take_event(struct doca_pe *pe)
{
	struct doca_ctx *ctx = pe->ready_head;
	struct sd_event *event = ctx->events_head;

	pe->ready_head = ctx->ready_next;
	ctx->events_head = event->next;
	ctx->is_ready = 0;
	if (ctx->events_head != NULL)
		make_ready(ctx);
	if (event->is_counted)
		atomic_fetch_sub(&ctx->num_posted, 1);
	pe->gave_event = 1;
	return event;
}

static void poll_inbox(struct doca_pe *pe)
{
	if (atomic_load_explicit(&pe->inbox, memory_order_relaxed) != NULL)
		empty_inbox(pe);
}

/* Removes a context from the list of contexts with events. */
static void make_unready(struct doca_ctx *ctx)
{
	struct doca_pe *pe = ctx->pe;
	struct doca_ctx **place = &pe->ready_head, *before = NULL;

	while (*place != ctx) {
		before = *place;
		place = &before->ready_next;
	}
	*place = ctx->ready_next;
	if (pe->ready_tail == ctx)
		pe->ready_tail = before;
	ctx->is_ready = 0;
}

void sd_engine_withdraw(struct sd_event *event)
{
	struct doca_ctx *ctx = event->ctx;
	struct sd_event **place = &ctx->events_head, *before = NULL;

	poll_inbox(ctx->pe);
	while (*place != NULL && *place != event) {
		before = *place;
		place = &before->next;
	}
	if (*place == NULL)
		return;
	*place = event->next;
	if (ctx->events_tail == event)
		ctx->events_tail = before;
	if (event->is_counted)
		atomic_fetch_sub(&ctx->num_posted, 1);
	if (ctx->events_head == NULL)
		make_unready(ctx);
}

static uint8_t poll_outside(struct doca_pe *pe)
{
	sd_engine_poll_idle(pe);
	poll_inbox(pe);
	return pe->ready_head != NULL;
}

/* Inline execution: polls at the time at which a poll has work, if that is before the next task. */
static uint8_t poll_next(struct doca_pe *pe)
{
	uint64_t due_ns = sd_engine_next_poll(pe);

	if (due_ns == UINT64_MAX || due_ns >= sd_device_next_due(pe) || !sd_clock_jumps())
		return 0;
	sd_clock_jump(due_ns);
	return poll_outside(pe);
}

/* Inline execution: a random number decides which comes first, the end of a task or an event from outside. */
static uint8_t step_or_poll(struct doca_pe *pe)
{
	if (pe->inline_device.tasks == NULL)
		return poll_outside(pe) || poll_next(pe);
	if (pe->num_pollable > 0 && sd_device_has_work(pe) && (sd_device_draw(pe) & 1) != 0 && poll_outside(pe))
		return 1;
	return poll_next(pe) || sd_device_step(pe) || poll_outside(pe);
}

struct sd_event *sd_engine_next(struct doca_pe *pe)
{
	poll_inbox(pe);
	if (pe->ready_head != NULL && sd_engine_is_poll_due(pe)) {
		sd_engine_poll_between(pe);
		poll_inbox(pe);
	}
	while (pe->ready_head == NULL) {
		if (!step_or_poll(pe))
			return NULL;
	}
	return take_event(pe);
}

/* Inline execution: returns whether a poll has work at the present virtual time, or at a time to which the clock jumps. */
static uint8_t has_poll(const struct doca_pe *pe)
{
	uint64_t due_ns = sd_engine_next_poll(pe);

	return due_ns != UINT64_MAX && (sd_clock_jumps() || due_ns <= sd_clock_virtual_now());
}

uint8_t sd_engine_has_work(const struct doca_pe *pe)
{
	return atomic_load(&pe->inbox) != NULL || pe->ready_head != NULL ||
	       (pe->inline_device.tasks != NULL && sd_device_has_work(pe)) || has_poll(pe);
}
