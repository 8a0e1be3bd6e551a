/* Public functions of DMA. */
#include "sd_dma.h"
#include "sd_quirk.h"

static uint8_t run_stop_event(struct sd_event *event)
{
	(void)event;
	return 0;
}

/* Quirk Q14: a pending event keeps the context in STOPPING until the next progress call. */
static void stop(struct doca_ctx *ctx)
{
	struct doca_dma *dma = (struct doca_dma *)ctx;

	if (sd_quirk_is_on(SD_QUIRK_LATE_DMA_STOP))
		sd_context_post_event(ctx, &dma->stop_event, run_stop_event);
}

static const struct sd_context_ops dma_ops = {
	.name = "dma",
	.stop = stop,
};

SD_TRANSFORM_LIFE(doca_dma, &dma_ops)
SD_TRANSFORM_CONTEXT(doca_dma)

SD_STORE_IF(doca_dma_set_ordered_completions, struct doca_dma, uint8_t, value <= 1,
	object->base.ctx.state == DOCA_CTX_STATE_IDLE, DOCA_ERROR_BAD_STATE, base.ctx.is_ordered)
SD_ABSENT_POINTER(doca_dma_get_gpu_handle, struct doca_dma, struct doca_gpu_dma **)
SD_TRANSFORM_CAPABILITIES(doca_dma_cap_task_memcpy, &sd_dma_memcpy, get_max_buf_list_len)
SD_TRANSFORM_SET_CONF(doca_dma_task_memcpy, doca_dma, &sd_dma_memcpy)
SD_TRANSFORM_BUFFERS(doca_dma_task_memcpy)

doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
					     union doca_data user_data, struct doca_dma_task_memcpy **task)
{
	return sd_transform_alloc((struct sd_transform *)dma, &sd_dma_memcpy, src, dst, user_data, (struct doca_task **)task);
}
