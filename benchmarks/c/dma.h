/*
 * Declarations of both ends of dma-c. The exporter (dma_export.c) exports memory, and the importer (dma_import.c) copies
 * from it.
 *
 * The exporter sends one message, integers of this machine:
 *
 *	u32 blocks, u32 bytes per block, export descriptor (all remaining bytes, at most 4072)
 *
 * The importer sends one message when it is done: "done".
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
	struct doca_dev *dev;	 /* device that exports, or that imports and copies */
	struct doca_dev *opened; /* equal to dev if --dma-device names it; else NULL */
	struct region region; /* the exported blocks; for an importer, a kept destination that is not in use */
	struct geometry geometry;
	uint64_t elapsed_ns; /* of the last trial: from the first submitted copy to the last complete one */
};

extern const struct role dma_export_role;
extern const struct role dma_import_role;

/** Prints the line of a trial; with --verify, checks the copied blocks before. */
bool dma_print(const struct dma *dma, const struct region *copy, struct geometry geometry, uint64_t elapsed_ns);

#endif
