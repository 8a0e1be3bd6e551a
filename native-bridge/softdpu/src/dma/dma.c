/* Public functions of the DMA context. */
#include <stdlib.h>

#include "doca_dev.h"
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

doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
	struct doca_dma *created;

	if (dev == NULL || dma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sd_context_init(&created->ctx, &dma_ops, dev);
	created->profile = sd_devinfo_profile(doca_dev_as_devinfo(dev));
	*dma = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
	doca_error_t result;

	if (dma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_context_fini(&dma->ctx);
	if (result == DOCA_SUCCESS)
		free(dma);
	return result;
}

struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
	return dma == NULL ? NULL : &dma->ctx;
}

doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks)
{
	if (dma == NULL || max_num_tasks == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_tasks = dma->profile->dma_max_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t flag)
{
	if (dma == NULL || flag > 1)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&dma->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	dma->ctx.is_ordered = flag;
	return DOCA_SUCCESS;
}

doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma)
{
	return dma == NULL || gpu_dma == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}
