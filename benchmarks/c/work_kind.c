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
	(void)task;
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

static doca_error_t alloc_deflate(void *object, const struct work_place *place, union doca_data user_data, struct doca_task **task)
{
	struct doca_compress_task_compress_deflate *deflate;
	doca_error_t result =
		doca_compress_task_compress_deflate_alloc_init(object, place->src, place->dst, user_data, &deflate);

	if (result == DOCA_SUCCESS)
		*task = doca_compress_task_compress_deflate_as_task(deflate);
	return result;
}

/* The public type and the base are one object, which only the library may know; the slot's buffers are all that changes. */
static void set_deflate(struct doca_task *task, const struct work_place *place)
{
	struct doca_compress_task_compress_deflate *deflate = (struct doca_compress_task_compress_deflate *)task;

	doca_compress_task_compress_deflate_set_src(deflate, place->src);
	doca_compress_task_compress_deflate_set_dst(deflate, place->dst);
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

