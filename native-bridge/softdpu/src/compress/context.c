#include <stdlib.h>

#include "doca_dev.h"
#include "sd_compress.h"

static const struct sd_context_ops compress_ops = {
	.name = "compress",
};

static const struct sd_task_capability *capability(const struct sd_profile *profile, const struct sd_compress_kind *kind)
{
	return (const struct sd_task_capability *)((const char *)profile + kind->capability);
}

doca_error_t doca_compress_create(struct doca_dev *dev, struct doca_compress **compress)
{
	struct doca_compress *created;

	if (dev == NULL || compress == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sd_context_init(&created->ctx, &compress_ops, dev);
	created->profile = sd_devinfo_profile(doca_dev_as_devinfo(dev));
	*compress = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_compress_destroy(struct doca_compress *compress)
{
	doca_error_t result;

	if (compress == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_context_fini(&compress->ctx);
	if (result == DOCA_SUCCESS)
		free(compress);
	return result;
}

struct doca_ctx *doca_compress_as_ctx(struct doca_compress *compress)
{
	return compress == NULL ? NULL : &compress->ctx;
}

doca_error_t doca_compress_cap_get_max_num_tasks(struct doca_compress *compress, uint32_t *max_num_tasks)
{
	if (compress == NULL || max_num_tasks == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_tasks = compress->profile->compress_max_tasks;
	return DOCA_SUCCESS;
}

doca_error_t sd_compress_is_supported(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind)
{
	if (devinfo == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return capability(sd_devinfo_profile(devinfo), kind)->supported ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t sd_compress_max_buf_size(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind, uint64_t *size)
{
	doca_error_t result = size == NULL ? DOCA_ERROR_INVALID_VALUE : sd_compress_is_supported(devinfo, kind);

	if (result == DOCA_SUCCESS)
		*size = capability(sd_devinfo_profile(devinfo), kind)->max_buf_size;
	return result;
}

doca_error_t sd_compress_max_list_len(const struct doca_devinfo *devinfo, const struct sd_compress_kind *kind, uint32_t *len)
{
	doca_error_t result = len == NULL ? DOCA_ERROR_INVALID_VALUE : sd_compress_is_supported(devinfo, kind);

	if (result == DOCA_SUCCESS)
		*len = capability(sd_devinfo_profile(devinfo), kind)->max_list_len;
	return result;
}

doca_error_t sd_compress_set_conf(struct doca_compress *compress, const struct sd_compress_kind *kind,
				  doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks)
{
	if (compress == NULL || completed == NULL || failed == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&compress->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	if (!capability(compress->profile, kind)->supported)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (sd_task_pools_sum_except(&compress->ctx, &kind->operation) + num_tasks > compress->profile->compress_max_tasks)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_task_pool_configure(&compress->ctx, &kind->operation, completed, failed, num_tasks);
}

doca_error_t sd_compress_alloc(struct doca_compress *compress, const struct sd_compress_kind *kind,
			       const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
			       struct doca_task **task)
{
	struct sd_compress_task *allocated;
	doca_error_t result;

	if (compress == NULL || src == NULL || dst == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&compress->ctx, &kind->operation, user_data, task);
	if (result != DOCA_SUCCESS)
		return result;
	allocated = (struct sd_compress_task *)*task;
	allocated->src = src;
	allocated->dst = dst;
	return DOCA_SUCCESS;
}
