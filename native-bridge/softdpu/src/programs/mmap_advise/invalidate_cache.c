/* Public functions: tasks that invalidate caches for a buffer. */
#include "sd_mmap_advise.h"
#include "sd_shape.h"

/* An assumption of the software DPU: the limit of a card is not known. */
#define MAX_BUF_SIZE (UINT64_C(1) << 30)

static doca_error_t latch(struct doca_task *base)
{
	struct doca_mmap_advise_task_invalidate_cache *task = (struct doca_mmap_advise_task_invalidate_cache *)base;
	doca_error_t result = sd_latch_any_source(&task->latch, task->buf, base->ctx->dev);

	if (result == DOCA_SUCCESS && task->latch.total > MAX_BUF_SIZE) {
		sd_latch_release(&task->latch);
		result = DOCA_ERROR_IO_FAILED;
	}
	return result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
}

static doca_error_t validate(struct doca_task *base)
{
	if (latch(base) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	sd_latch_release(&((struct doca_mmap_advise_task_invalidate_cache *)base)->latch);
	return DOCA_SUCCESS;
}

static doca_error_t execute(struct doca_task *base, void *unit)
{
	(void)base;
	(void)unit;
	return DOCA_SUCCESS;
}

static void complete(struct doca_task *base)
{
	sd_latch_release(&((struct doca_mmap_advise_task_invalidate_cache *)base)->latch);
}

const struct sd_task_operation sd_mmap_advise_invalidate_cache = {
	.name = "mmap-advise-invalidate-cache",
	.task_size = sizeof(struct doca_mmap_advise_task_invalidate_cache),
	.validate = validate,
	.latch = latch,
	.execute = execute,
	.complete = complete,
};

SD_PRESENT(doca_mmap_advise_cap_task_cache_invalidate_is_supported, const struct doca_devinfo)
SD_GETTER(doca_mmap_advise_task_cache_invalidate_get_max_buf_size, const struct doca_devinfo, uint64_t, MAX_BUF_SIZE)

doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise, doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks)
{
	if (mmap_advise == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&mmap_advise->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_PERMITTED;
	return sd_task_pool_configure(&mmap_advise->ctx, &sd_mmap_advise_invalidate_cache,
				      (doca_task_completion_cb_t)completion_cb, (doca_task_completion_cb_t)error_cb, num_tasks);
}

doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(struct doca_mmap_advise *mmap_advise, struct doca_buf *buf,
							       union doca_data user_data,
							       struct doca_mmap_advise_task_invalidate_cache **task)
{
	struct doca_task *allocated;
	doca_error_t result;

	if (mmap_advise == NULL || buf == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&mmap_advise->ctx, &sd_mmap_advise_invalidate_cache, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct doca_mmap_advise_task_invalidate_cache *)allocated;
	(*task)->buf = buf;
	return DOCA_SUCCESS;
}

SD_PART(doca_mmap_advise_task_invalidate_cache_as_doca_task, struct doca_mmap_advise_task_invalidate_cache, struct doca_task,
	base)
SD_SETTER(doca_mmap_advise_task_invalidate_cache_set_buf, struct doca_mmap_advise_task_invalidate_cache, struct doca_buf *,
	buf)
SD_PROPERTY(doca_mmap_advise_task_invalidate_cache_get_buf, const struct doca_mmap_advise_task_invalidate_cache,
	struct doca_buf *, NULL, object->buf)
