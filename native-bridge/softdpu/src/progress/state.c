/* Events and states of a context. */
#include <stdatomic.h>

#include "sd_context.h"
#include "sd_engine.h"
#include "sd_fault.h"
#include "sd_late.h"
#include "sd_log.h"
#include "sd_registry.h"
#include "sd_states.h"

/* Adds the late reports of a change, by the fault plan. Returns whether the report at once is missing. */
static uint8_t is_late_or_lost(struct doca_ctx *ctx, enum doca_ctx_states previous, enum doca_ctx_states next)
{
	struct sd_fault fault = { 0 };
	uint8_t is_late;

	sd_fault_draw_link(SD_FAULT_CTX_EVENT, &fault);
	if (fault.lost)
		return 1;
	is_late = fault.delay_ns > 0 || sd_late_holds(ctx);
	if (fault.delay_ns > 0)
		sd_fault_count_delay();
	for (int i = 0; i < is_late + fault.twice; i++)
		sd_late_add(ctx, previous, next, fault.delay_ns);
	return is_late;
}

void sd_context_set_state(struct doca_ctx *ctx, enum doca_ctx_states next)
{
	static const char *const names[] = { "IDLE", "STARTING", "RUNNING", "STOPPING" };
	enum doca_ctx_states previous = ctx->state;
	struct doca_pe *pe = ctx->pe; /* outlives the callback, which cannot destroy an engine */

	SD_LOG_DEBUG("%s context %p: %s -> %s", ctx->ops->name, (void *)ctx, names[previous], names[next]);
	ctx->state = next;
	if (ctx->state_changed == NULL || is_late_or_lost(ctx, previous, next))
		return;
	pe->callback_depth++;
	ctx->state_changed(ctx->user_data, ctx, previous, next);
	pe->callback_depth--;
}

uint8_t sd_context_is_outstanding(const struct doca_ctx *ctx)
{
	return ctx->num_inflight > 0 || ctx->num_allocated > 0 || ctx->events_head != NULL ||
	       atomic_load(&ctx->num_posted) > 0 || (ctx->ops->is_busy != NULL && ctx->ops->is_busy(ctx));
}

uint8_t sd_context_become_idle(struct doca_ctx *ctx)
{
	struct doca_pe *pe = ctx->pe;

	if (!sd_registry_remove_quiet(ctx))
		return 0;
	sd_engine_leave_poll(ctx);
	if (ctx->ops->stopped != NULL)
		ctx->ops->stopped(ctx);
	if (--pe->num_started == 0)
		sd_worker_close(&pe->inline_device.worker);
	sd_device_release();
	sd_context_set_state(ctx, DOCA_CTX_STATE_IDLE);
	return 1;
}

/* Runs as the last progress of a STOPPING context. */
static uint8_t run_idle_event(struct sd_event *event)
{
	struct doca_ctx *ctx = event->ctx;

	ctx->is_idle_queued = 0;
	if (sd_context_is_outstanding(ctx))
		return 0; /* a late event exists; the check repeats after it */
	return sd_context_become_idle(ctx);
}

void sd_context_check_idle(struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_STOPPING || ctx->is_idle_queued || sd_context_is_outstanding(ctx))
		return;
	ctx->is_idle_queued = 1;
	ctx->idle_event.ctx = ctx;
	ctx->idle_event.run = run_idle_event;
	sd_engine_queue(&ctx->idle_event);
}

static void prepare_event(struct doca_ctx *ctx, struct sd_event *event, uint8_t (*run)(struct sd_event *event))
{
	event->ctx = ctx;
	event->run = run;
	event->is_counted = 1;
	atomic_fetch_add(&ctx->num_posted, 1);
}

void sd_context_post_event(struct doca_ctx *ctx, struct sd_event *event, uint8_t (*run)(struct sd_event *event))
{
	prepare_event(ctx, event, run);
	sd_engine_post(ctx->pe, event);
}

void sd_context_post_lost_event(struct doca_ctx *ctx, struct sd_event *event, uint8_t (*run)(struct sd_event *event))
{
	prepare_event(ctx, event, run);
	sd_engine_post_no_wake(ctx->pe, event);
}

void sd_context_post_failure(struct doca_ctx *ctx)
{
	if (!atomic_exchange(&ctx->is_fail_posted, 1))
		sd_context_post_event(ctx, &ctx->fail_event, ctx->fail_event.run);
}

void sd_context_fail_next(struct doca_ctx *ctx)
{
	if (atomic_exchange(&ctx->is_fail_posted, 1))
		return;
	prepare_event(ctx, &ctx->fail_event, ctx->fail_event.run);
	sd_engine_queue_first(&ctx->fail_event);
}

static void lose(struct doca_ctx *ctx)
{
	atomic_store(&ctx->is_lost, 1);
	sd_context_post_failure(ctx);
}

void sd_context_lose_device(struct doca_ctx *ctx)
{
	SD_LOG_INFO("%s context %p: its device is lost", ctx->ops->name, (void *)ctx);
	sd_registry_visit_same_device(ctx, lose);
}

void sd_context_wake(struct doca_ctx *ctx)
{
	sd_engine_wake(ctx->pe);
}
