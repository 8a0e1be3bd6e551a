#include "work_inside.h"

#include <doca_compress.h>
#include <doca_ctx.h>
#include <doca_dma.h>

/* --- deflate --- */

static doca_error_t create_compress(struct doca_dev *dev, void **object, struct doca_ctx **ctx)
{
	struct doca_compress *compress;
	doca_error_t result = doca_compress_create(dev, &compress);

	if (result != DOCA_SUCCESS)
		return result;
	*object = compress;
	*ctx = doca_compress_as_ctx(compress);
	return DOCA_SUCCESS;
}

static void deflated(struct doca_compress_task_compress_deflate *task, union doca_data task_data, union doca_data ctx_data)
{
	struct work_slot *slot = task_data.ptr;

	slot->buffers->crc = doca_compress_task_compress_deflate_get_crc_cs(task);
	work_on_done(task_data, ctx_data);
}

static void not_deflated(struct doca_compress_task_compress_deflate *task, union doca_data task_data, union doca_data ctx_data)
{
	work_on_failed(doca_compress_task_compress_deflate_as_task(task), task_data, ctx_data);
}

static doca_error_t configure_compress(void *object, uint32_t num_tasks)
{
	return doca_compress_task_compress_deflate_set_conf(object, deflated, not_deflated, num_tasks);
}

static doca_error_t destroy_compress(void *object)
{
	return doca_compress_destroy(object);
}

static doca_error_t alloc_deflate(void *object, const struct work_buffers *buffers, union doca_data user_data, struct work_slot *slot)
{
	struct doca_compress_task_compress_deflate *task;
	doca_error_t result = doca_compress_task_compress_deflate_alloc_init(object, buffers->src, buffers->dst, user_data, &task);

	if (result != DOCA_SUCCESS)
		return result;
	slot->typed = task;
	slot->task = doca_compress_task_compress_deflate_as_task(task);
	return DOCA_SUCCESS;
}

static void set_deflate(void *typed, const struct work_buffers *buffers)
{
	doca_compress_task_compress_deflate_set_src(typed, buffers->src);
	doca_compress_task_compress_deflate_set_dst(typed, buffers->dst);
}

const struct work_ops work_compress_ops = {
	.name = "compress",
	.create = create_compress,
	.configure = configure_compress,
	.destroy = destroy_compress,
	.alloc = alloc_deflate,
	.set = set_deflate,
};

/* --- memcpy --- */

static doca_error_t create_dma(struct doca_dev *dev, void **object, struct doca_ctx **ctx)
{
	struct doca_dma *dma;
	doca_error_t result = doca_dma_create(dev, &dma);

	if (result != DOCA_SUCCESS)
		return result;
	*object = dma;
	*ctx = doca_dma_as_ctx(dma);
	return DOCA_SUCCESS;
}

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	work_on_done(task_data, ctx_data);
}

static void not_copied(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	work_on_failed(doca_dma_task_memcpy_as_task(task), task_data, ctx_data);
}

static doca_error_t configure_dma(void *object, uint32_t num_tasks)
{
	return doca_dma_task_memcpy_set_conf(object, copied, not_copied, num_tasks);
}

static doca_error_t destroy_dma(void *object)
{
	return doca_dma_destroy(object);
}

static doca_error_t alloc_memcpy(void *object, const struct work_buffers *buffers, union doca_data user_data, struct work_slot *slot)
{
	struct doca_dma_task_memcpy *task;
	doca_error_t result = doca_dma_task_memcpy_alloc_init(object, buffers->src, buffers->dst, user_data, &task);

	if (result != DOCA_SUCCESS)
		return result;
	slot->typed = task;
	slot->task = doca_dma_task_memcpy_as_task(task);
	return DOCA_SUCCESS;
}

static void set_memcpy(void *typed, const struct work_buffers *buffers)
{
	doca_dma_task_memcpy_set_src(typed, buffers->src);
	doca_dma_task_memcpy_set_dst(typed, buffers->dst);
}

const struct work_ops work_dma_ops = {
	.name = "DMA",
	.create = create_dma,
	.configure = configure_dma,
	.destroy = destroy_dma,
	.alloc = alloc_memcpy,
	.set = set_memcpy,
};
