/* Public functions of memcpy tasks. */
#include "sd_dma.h"

static doca_error_t find_limits(const struct doca_devinfo *devinfo, const struct sd_task_capability **limits)
{
	if (devinfo == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*limits = &sd_devinfo_profile(devinfo)->dma_memcpy;
	return (*limits)->supported ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo)
{
	const struct sd_task_capability *limits;

	return find_limits(devinfo, &limits);
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
	const struct sd_task_capability *limits;
	doca_error_t result = buf_size == NULL ? DOCA_ERROR_INVALID_VALUE : find_limits(devinfo, &limits);

	if (result == DOCA_SUCCESS)
		*buf_size = limits->max_buf_size;
	return result;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
	const struct sd_task_capability *limits;
	doca_error_t result = max_buf_list_len == NULL ? DOCA_ERROR_INVALID_VALUE : find_limits(devinfo, &limits);

	if (result == DOCA_SUCCESS)
		*max_buf_list_len = limits->max_list_len;
	return result;
}

doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
					   doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks)
{
	if (dma == NULL || task_completion_cb == NULL || task_error_cb == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&dma->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	if (!dma->profile->dma_memcpy.supported)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (num_memcpy_tasks > dma->profile->dma_max_tasks)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_task_pool_configure(&dma->ctx, &sd_dma_memcpy, (doca_task_completion_cb_t)task_completion_cb,
				      (doca_task_completion_cb_t)task_error_cb, num_memcpy_tasks);
}

doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
					     union doca_data user_data, struct doca_dma_task_memcpy **task)
{
	struct doca_task *allocated;
	doca_error_t result;

	if (dma == NULL || src == NULL || dst == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&dma->ctx, &sd_dma_memcpy, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct doca_dma_task_memcpy *)allocated;
	(*task)->src = src;
	(*task)->dst = dst;
	return DOCA_SUCCESS;
}

struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : &task->base;
}

void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src)
{
	if (task != NULL)
		task->src = src;
}

const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : task->src;
}

void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst)
{
	if (task != NULL)
		task->dst = dst;
}

struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task)
{
	return task == NULL ? NULL : task->dst;
}
