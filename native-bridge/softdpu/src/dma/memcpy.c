/* Memcpy tasks: latches both lists, copies piece by piece, sets the copied length. */
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

static uint8_t can_succeed(const struct doca_dma_task_memcpy *task)
{
	const struct sd_task_capability *limits = &((const struct doca_dma *)task->base.ctx)->profile->dma_memcpy;

	return task->in.total > 0 && task->in.total <= limits->max_buf_size && task->in.total <= task->out.total &&
	       task->in.count <= limits->max_list_len && task->out.count <= limits->max_list_len;
}

static doca_error_t latch(struct doca_task *base)
{
	struct doca_dma_task_memcpy *task = (struct doca_dma_task_memcpy *)base;
	doca_error_t result;

	task->copied = 0;
	result = sd_latch_any_source(&task->in, task->src, base->ctx->dev);
	if (result == DOCA_SUCCESS) {
		result = sd_latch_any_destination(&task->out, task->dst, base->ctx->dev);
		if (result != DOCA_SUCCESS)
			sd_latch_release(&task->in);
	}
	/* A device reports invalid buffers when it accesses them: the task fails. */
	return result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
}

static doca_error_t validate(struct doca_task *base)
{
	struct doca_dma_task_memcpy *task = (struct doca_dma_task_memcpy *)base;
	doca_error_t result = latch(base);

	if (result != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	result = can_succeed(task) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
	sd_latch_release(&task->in);
	sd_latch_release(&task->out);
	return result;
}

static doca_error_t execute(struct doca_task *base, void *bounce)
{
	struct doca_dma_task_memcpy *task = (struct doca_dma_task_memcpy *)base;
	doca_error_t result;

	if (!can_succeed(task))
		return DOCA_ERROR_IO_FAILED;
	result = sd_latch_copy(&task->out, &task->in, bounce, BOUNCE_LEN);
	if (result == DOCA_SUCCESS)
		task->copied = task->in.total;
	return result;
}

static void complete(struct doca_task *base)
{
	struct doca_dma_task_memcpy *task = (struct doca_dma_task_memcpy *)base;

	if (base->status == DOCA_SUCCESS)
		sd_latch_commit(&task->out, task->copied);
	sd_latch_release(&task->in);
	sd_latch_release(&task->out);
}

static uint64_t load(const struct doca_task *base, const struct sd_channels **channels)
{
	*channels = &((const struct doca_dma *)base->ctx)->profile->dma_channels;
	return ((const struct doca_dma_task_memcpy *)base)->in.total;
}

static uint8_t is_held_up(const struct doca_task *base)
{
	const struct doca_dma_task_memcpy *task = (const struct doca_dma_task_memcpy *)base;

	return sd_latch_is_held_up(&task->in) || sd_latch_is_held_up(&task->out);
}

/* Flips one bit in the middle of the copied data. */
static void corrupt(struct doca_task *base)
{
	struct doca_dma_task_memcpy *task = (struct doca_dma_task_memcpy *)base;

	if (task->copied > 0)
		sd_latch_flip_bit(&task->out, task->copied / 2);
}

const struct sd_task_operation sd_dma_memcpy = {
	.name = "dma-memcpy",
	.task_size = sizeof(struct doca_dma_task_memcpy),
	.unit_type = &bounce_type,
	.validate = validate,
	.latch = latch,
	.execute = execute,
	.is_held_up = is_held_up,
	.complete = complete,
	.corrupt = corrupt,
	.load = load,
	.failure_stops_context = 1,
};
