/* Lifetime of a context: the functions for task libraries. */
#include "sd_context.h"

#include <stdatomic.h>
#include <string.h>

#include "sd_calls.h"
#include "sd_census.h"
#include "sd_dev.h"
#include "sd_engine.h"
#include "sd_late.h"
#include "sd_states.h"

void sd_context_wind_down(struct doca_ctx *ctx)
{
	if (ctx->ops->stop != NULL)
		ctx->ops->stop(ctx);
	sd_tasks_flush(ctx);
}

void sd_context_fail(struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_STARTING && ctx->state != DOCA_CTX_STATE_RUNNING)
		return;
	sd_context_wind_down(ctx);
	sd_context_set_state(ctx, DOCA_CTX_STATE_STOPPING);
	sd_context_check_idle(ctx);
}

static uint8_t run_fail_event(struct sd_event *event)
{
	struct doca_ctx *ctx = event->ctx;
	uint8_t is_noticeable = ctx->state == DOCA_CTX_STATE_STARTING || ctx->state == DOCA_CTX_STATE_RUNNING;

	atomic_store(&ctx->is_fail_posted, 0);
	sd_context_fail(ctx);
	return is_noticeable;
}

void sd_context_init(struct doca_ctx *ctx, const struct sd_context_ops *ops, struct doca_dev *dev)
{
	memset(ctx, 0, sizeof(*ctx));
	ctx->ops = ops;
	ctx->dev = dev;
	ctx->state = DOCA_CTX_STATE_IDLE;
	ctx->fail_event.run = run_fail_event;
	if (dev != NULL)
		sd_dev_hold(dev);
	sd_census_add(SD_CENSUS_CONTEXTS, 1);
	sd_calls_created(ops->name, ctx);
}

doca_error_t sd_context_fini(struct doca_ctx *ctx)
{
	if (ctx->state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_IN_USE;
	sd_task_pools_free(ctx);
	if (ctx->pe != NULL) {
		sd_late_drop(ctx);
		ctx->pe->num_contexts--;
	}
	if (ctx->dev != NULL)
		sd_dev_release(ctx->dev);
	sd_census_add(SD_CENSUS_CONTEXTS, -1);
	sd_calls_destroyed(ctx);
	return DOCA_SUCCESS;
}

doca_error_t sd_context_require_idle(const struct doca_ctx *ctx)
{
	return ctx->state == DOCA_CTX_STATE_IDLE ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE;
}

void sd_context_started(struct doca_ctx *ctx, doca_error_t result)
{
	if (ctx->state != DOCA_CTX_STATE_STARTING)
		return; /* the program stopped it */
	if (result == DOCA_SUCCESS)
		sd_context_set_state(ctx, DOCA_CTX_STATE_RUNNING);
	else
		sd_context_fail(ctx);
}
