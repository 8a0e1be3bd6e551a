/* Contexts of transforms: creation, limits, task pools. */
#include <stdlib.h>

#include "doca_dev.h"
#include "sd_fault.h"
#include "sd_transform.h"

doca_error_t sd_transform_create(const struct sd_context_ops *ops, size_t size, struct doca_dev *dev,
				 struct sd_transform **transform)
{
	struct sd_transform *created;
	doca_error_t result;

	if (dev == NULL || transform == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = sd_fault_calloc("alloc-context", size, &result);
	if (created == NULL)
		return result;
	sd_context_init(&created->ctx, ops, dev);
	created->profile = sd_devinfo_profile(doca_dev_as_devinfo(dev));
	*transform = created;
	return DOCA_SUCCESS;
}

doca_error_t sd_transform_destroy(struct sd_transform *transform)
{
	doca_error_t result;

	if (transform == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_context_fini(&transform->ctx);
	if (result == DOCA_SUCCESS)
		free(transform);
	return result;
}

static const struct sd_task_capability *limits_of(const struct sd_profile *profile, const struct sd_transform_kind *kind)
{
	return (const struct sd_task_capability *)((const char *)profile + kind->capability);
}

/* Sets the limits of a device for a kind. */
static doca_error_t find_limits(const struct doca_devinfo *devinfo, const struct sd_transform_kind *kind,
				const struct sd_task_capability **limits)
{
	if (devinfo == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*limits = limits_of(sd_devinfo_profile(devinfo), kind);
	if (!(*limits)->supported || ((*limits)->is_dpu_side_only && !sd_devinfo_is_dpu_side(devinfo)))
		return DOCA_ERROR_NOT_SUPPORTED;
	return kind->is_available == NULL || kind->is_available() ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t sd_transform_is_supported(const struct doca_devinfo *devinfo, const struct sd_transform_kind *kind)
{
	const struct sd_task_capability *limits;

	return find_limits(devinfo, kind, &limits);
}

doca_error_t sd_transform_max_buf_size(const struct doca_devinfo *devinfo, const struct sd_transform_kind *kind, uint64_t *size)
{
	const struct sd_task_capability *limits;
	doca_error_t result = size == NULL ? DOCA_ERROR_INVALID_VALUE : find_limits(devinfo, kind, &limits);

	if (result == DOCA_SUCCESS)
		*size = limits->max_buf_size;
	return result;
}

doca_error_t sd_transform_max_list_len(const struct doca_devinfo *devinfo, const struct sd_transform_kind *kind, uint32_t *len)
{
	const struct sd_task_capability *limits;
	doca_error_t result = len == NULL ? DOCA_ERROR_INVALID_VALUE : find_limits(devinfo, kind, &limits);

	if (result == DOCA_SUCCESS)
		*len = limits->max_list_len;
	return result;
}

doca_error_t sd_transform_set_conf(struct sd_transform *transform, const struct sd_transform_kind *kind,
				   doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks)
{
	doca_error_t result;

	if (transform == NULL || completed == NULL || failed == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_context_require_idle(&transform->ctx);
	if (result == DOCA_SUCCESS)
		result = sd_transform_is_supported(doca_dev_as_devinfo(transform->ctx.dev), kind);
	if (result != DOCA_SUCCESS)
		return result;
	if (sd_task_pools_sum_except(&transform->ctx, &kind->operation) + num_tasks > SD_TRANSFORM_MAX_TASKS)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_task_pool_configure(&transform->ctx, &kind->operation, completed, failed, num_tasks);
}

doca_error_t sd_transform_alloc(struct sd_transform *transform, const struct sd_transform_kind *kind,
				const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
				struct doca_task **task)
{
	struct doca_task *allocated;
	doca_error_t result;

	if (transform == NULL || src == NULL || dst == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&transform->ctx, &kind->operation, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	((struct sd_transform_task *)allocated)->src = src;
	((struct sd_transform_task *)allocated)->dst = dst;
	*task = allocated;
	return DOCA_SUCCESS;
}
