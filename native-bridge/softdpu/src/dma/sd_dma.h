/*
 * DMA has one kind of task, a transform that copies. The latches hide whether the memory belongs to this process or to another
 * one.
 */
#ifndef SD_DMA_H
#define SD_DMA_H

#include "doca_dma.h"
#include "sd_transform.h"

struct doca_dma {
	struct sd_transform base;
	struct sd_event stop_event;		/**< quirk Q14 */
};

struct doca_dma_task_memcpy {
	struct sd_transform_task task;
};

extern const struct sd_transform_kind sd_dma_memcpy;

#endif
