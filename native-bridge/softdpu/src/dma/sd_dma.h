/*
 * DMA has one kind of task. The task copies a latched source into a latched destination. The latches hide whether the memory
 * belongs to this process or to another one.
 */
#ifndef SD_DMA_H
#define SD_DMA_H

#include "doca_dma.h"
#include "sd_context.h"
#include "sd_memory.h"
#include "sd_profile.h"

struct doca_dma {
	struct doca_ctx ctx;
	const struct sd_profile *profile;
	struct sd_event stop_event;		/**< quirk Q14 */
};

struct doca_dma_task_memcpy {
	struct doca_task base;
	const struct doca_buf *src;
	struct doca_buf *dst;
	struct sd_latch in, out;		/**< held from submit to completion */
	size_t copied;				/**< result: bytes */
};

extern const struct sd_task_operation sd_dma_memcpy;

#endif
