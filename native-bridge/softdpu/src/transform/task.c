/* Life cycle of the tasks of transforms. */
#include "sd_transform.h"

static const struct sd_transform_kind *kind_of(const struct sd_transform_task *task)
{
	return (const struct sd_transform_kind *)task->base.pool->operation;
}

const struct sd_task_capability *sd_transform_limits(const struct sd_transform_task *task)
{
	const struct sd_profile *profile = ((const struct sd_transform *)task->base.ctx)->profile;

	return (const struct sd_task_capability *)((const char *)profile + kind_of(task)->capability);
}

static uint8_t can_succeed(const struct sd_transform_task *task)
{
	const struct sd_transform_kind *kind = kind_of(task);
	const struct sd_task_capability *limits = sd_transform_limits(task);

	return task->in.total > 0 && (kind->limits_blocks || task->in.total <= limits->max_buf_size) &&
	       task->in.count <= limits->max_list_len && task->out.count <= limits->max_list_len &&
	       (kind->can_succeed == NULL || kind->can_succeed(task));
}

static doca_error_t latch_lists(struct sd_transform_task *task)
{
	const struct sd_transform_kind *kind = kind_of(task);
	const struct doca_dev *dev = task->base.ctx->dev;
	doca_error_t result = kind->prepare == NULL ? DOCA_SUCCESS : kind->prepare(task);

	task->produced = 0;
	if (result != DOCA_SUCCESS)
		return result;
	result = (kind->reaches_imports ? sd_latch_any_source : sd_latch_source)(&task->in, task->src, dev);
	if (result == DOCA_SUCCESS) {
		result = (kind->reaches_imports ? sd_latch_any_destination : sd_latch_destination)(&task->out, task->dst, dev);
		if (result != DOCA_SUCCESS)
			sd_latch_release(&task->in);
	}
	return result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
}

doca_error_t sd_transform_latch(struct doca_task *base)
{
	struct sd_transform_task *task = (struct sd_transform_task *)base;
	doca_error_t result = latch_lists(task);

	if (result == DOCA_SUCCESS && kind_of(task)->hold != NULL)
		kind_of(task)->hold(task);
	return result;
}

static void release(struct sd_transform_task *task)
{
	sd_latch_release(&task->in);
	sd_latch_release(&task->out);
}

doca_error_t sd_transform_validate(struct doca_task *base)
{
	struct sd_transform_task *task = (struct sd_transform_task *)base;
	doca_error_t result = latch_lists(task);

	if (result != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	result = can_succeed(task) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
	release(task);
	return result;
}

doca_error_t sd_transform_execute(struct doca_task *base, void *unit)
{
	struct sd_transform_task *task = (struct sd_transform_task *)base;

	return can_succeed(task) ? kind_of(task)->code(task, unit) : DOCA_ERROR_IO_FAILED;
}

void sd_transform_complete(struct doca_task *base)
{
	struct sd_transform_task *task = (struct sd_transform_task *)base;

	if (base->status == DOCA_SUCCESS)
		sd_latch_commit(&task->out, task->produced);
	release(task);
	if (kind_of(task)->end != NULL)
		kind_of(task)->end(task);
}

void sd_transform_corrupt(struct doca_task *base)
{
	struct sd_transform_task *task = (struct sd_transform_task *)base;

	if (task->produced > 0)
		sd_latch_flip_bit(&task->out, task->produced / 2);
}
