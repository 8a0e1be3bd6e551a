/* Memcpy tasks: copies piece by piece. */
#include <stdlib.h>

#include "sd_dma.h"

/* Bytes of the executing thread's buffer for copies between two imported maps. */
enum { BOUNCE_LEN = 256 << 10 };

static void *create_bounce(void)
{
	return malloc(BOUNCE_LEN);
}

static const struct sd_unit_type bounce_type = {
	.create = create_bounce,
	.destroy = free,
};

static uint8_t fits(const struct sd_transform_task *task)
{
	return task->in.total <= task->out.total;
}

static doca_error_t copy(struct sd_transform_task *task, void *bounce)
{
	doca_error_t result = sd_latch_copy(&task->out, &task->in, bounce, BOUNCE_LEN);

	if (result == DOCA_SUCCESS)
		task->produced = task->in.total;
	return result;
}

static uint64_t load(const struct doca_task *base, const struct sd_channels **channels)
{
	*channels = &((const struct sd_transform *)base->ctx)->profile->dma_channels;
	return ((const struct sd_transform_task *)base)->in.total;
}

static uint8_t is_held_up(const struct doca_task *base)
{
	const struct sd_transform_task *task = (const struct sd_transform_task *)base;

	return sd_latch_is_held_up(&task->in) || sd_latch_is_held_up(&task->out);
}

const struct sd_transform_kind sd_dma_memcpy = {
	.operation = {
		SD_TRANSFORM_OPERATION("dma-memcpy", struct doca_dma_task_memcpy, &bounce_type),
		.is_held_up = is_held_up,
		.load = load,
		.failure_stops_context = 1,
	},
	.capability = offsetof(struct sd_profile, dma_memcpy),
	.reaches_imports = 1,
	.can_succeed = fits,
	.code = copy,
};
