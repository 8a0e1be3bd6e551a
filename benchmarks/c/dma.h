/*
 * Memory that one process exports and another copies from: what the two ends of dma-c share. dma_export.c is the end that has the
 * blocks, dma_import.c the one that copies them.
 *
 * One message, of the exporter, integers of this machine:
 *
 *	u32 blocks, u32 bytes per block, export descriptor (all the rest, at most 4072 bytes)
 *
 * and one of the importer when it is done: "done".
 */
#ifndef DMA_H
#define DMA_H

#include "channel.h"
#include "options.h"
#include "region.h"

enum { DMA_MAX_DESCRIPTOR = 4072 };

struct dma {
	const struct options *options;
	struct engine *engine;
	struct doca_dev *dev;	 /* that exports, or that imports and copies */
	struct doca_dev *opened; /* the same device if --dma-device names one; else NULL */
	struct region region; /* the exported blocks, or what copies go to when nobody needs it just now */
	struct geometry geometry;
	uint64_t elapsed_ns; /* of the last trial: from the first copy submitted to the last one complete */
};

extern const struct role dma_export_role;
extern const struct role dma_import_role;

/** Print the line of a trial, after looking at what was copied if --verify asks for it. */
bool dma_print(const struct dma *dma, const struct region *copy, struct geometry geometry, uint64_t elapsed_ns);

#endif
