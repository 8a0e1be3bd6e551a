/* Lifetime of a context: the functions for programs. */
#include "doca_ctx.h"

#include <stdatomic.h>

#include "sd_calls.h"
#include "sd_engine.h"
#include "sd_fault.h"
#include "sd_log.h"
#include "sd_registry.h"
#include "sd_shape.h"
#include "sd_states.h"

static const struct sd_device_client client = {
	.executed = sd_task_executed,
	.ended = sd_task_ended,
	.device_lost = sd_context_lose_device,
	.wake = sd_engine_wake,
};

/* Starts the library's part after the device was acquired. */
static doca_error_t start_library(struct doca_ctx *ctx)
{
	if (sd_task_pools_fill(ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_INITIALIZATION;
	return ctx->ops->start == NULL ? DOCA_SUCCESS : ctx->ops->start(ctx);
}

doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
	doca_error_t result;

	if (sd_calls_refuse(__func__, ctx))
		return DOCA_ERROR_BAD_STATE;
	if (ctx == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->pe == NULL)
		return DOCA_ERROR_NOT_CONNECTED;
	if (ctx->state != DOCA_CTX_STATE_IDLE)
		return DOCA_ERROR_BAD_STATE;
	if (atomic_load(&ctx->is_lost))
		return DOCA_ERROR_INITIALIZATION;
	result = sd_fault_alloc("alloc-start");
	if (result != DOCA_SUCCESS)
		return result;
	atomic_store(&ctx->is_broken, 0);
	ctx->is_losing = 0;
	result = sd_device_acquire(&client);
	if (result != DOCA_SUCCESS)
		return result;
	result = start_library(ctx);
	if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS) {
		sd_device_release();
		return result;
	}
	sd_registry_add(ctx);
	ctx->pe->num_started++;
	sd_engine_join_poll(ctx);
	sd_context_set_state(ctx, result == DOCA_SUCCESS ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_STARTING);
	return result;
}

doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
	doca_error_t result;

	if (sd_calls_refuse(__func__, ctx))
		return DOCA_ERROR_BAD_STATE;
	if (ctx == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->pe == NULL)
		return DOCA_ERROR_NOT_CONNECTED;
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		return DOCA_SUCCESS;
	if (ctx->state == DOCA_CTX_STATE_STOPPING)
		return DOCA_ERROR_IN_PROGRESS;
	result = ctx->ops->may_stop == NULL ? DOCA_SUCCESS : ctx->ops->may_stop(ctx);
	if (result != DOCA_SUCCESS)
		return result;
	sd_context_wind_down(ctx);
	/* A callback that stops its context expects it to exist until progress reports IDLE, exactly once. */
	if (ctx->pe->callback_depth == 0 && !sd_context_is_outstanding(ctx) && sd_context_become_idle(ctx))
		return DOCA_SUCCESS;
	sd_context_set_state(ctx, DOCA_CTX_STATE_STOPPING);
	sd_context_check_idle(ctx);
	return DOCA_ERROR_IN_PROGRESS;
}

SD_GETTER(doca_ctx_get_state, const struct doca_ctx, enum doca_ctx_states, object->state)
SD_GETTER(doca_ctx_get_num_inflight_tasks, const struct doca_ctx, size_t, object->num_inflight)
SD_STORE_IF(doca_ctx_set_user_data, struct doca_ctx, union doca_data, 1, object->state == DOCA_CTX_STATE_IDLE,
	DOCA_ERROR_BAD_STATE, user_data)
SD_GETTER(doca_ctx_get_user_data, const struct doca_ctx, union doca_data, object->user_data)
SD_STORE_IF(doca_ctx_set_state_changed_cb, struct doca_ctx, doca_ctx_state_changed_callback_t, value != NULL,
	object->state == DOCA_CTX_STATE_IDLE, DOCA_ERROR_BAD_STATE, state_changed)
SD_GETTER(doca_ctx_cap_get_num_completion_vectors, const struct doca_devinfo, uint32_t, 0)

doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector)
{
	(void)comp_vector;
	if (ctx == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return ctx->state == DOCA_CTX_STATE_IDLE ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev)
{
	if (ctx == NULL || gpu_dev == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return ctx->state == DOCA_CTX_STATE_IDLE ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev)
{
	if (ctx == NULL || dpa_dev == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return ctx->state == DOCA_CTX_STATE_IDLE ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_BAD_STATE;
}
