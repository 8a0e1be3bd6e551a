/*
 * A compress or DMA context that keeps a window of tasks in flight until a number of them has been done.
 *
 *	work_open() -> work_begin() -> (progress, work_turn()) until work_is_over() -> work_begin() ... -> work_end() until true
 *
 * A finished task is submitted again from its own callback, with the buffers of the next place. One thread, that of the engine.
 */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>

#include "engine.h"
#include "region.h"

enum work_kind { WORK_COMPRESS, WORK_DMA };

/** Where a task reads and writes. */
struct work_place {
	struct doca_buf *src; /* all of its window is content */
	struct doca_buf *dst; /* emptied before each use */
};

/** What is to be done. The places must stay until the work is over. */
struct work_plan {
	const struct work_place *places;
	bool by_slot;	/* each task has its own place, number 0 to window - 1; otherwise task i uses place i, once */
	uint64_t count; /* of tasks */
};

struct work;

/** A running context on dev with at most window tasks in flight. NULL on failure, which was printed. */
struct work *work_open(struct engine *engine, struct doca_dev *dev, enum work_kind kind, uint32_t window);
/** Submit the first tasks. What fails shows in work_has_failed(). */
void work_begin(struct work *work, const struct work_plan *plan);
/** Submit again what the device did not take. To be called between calls of engine_progress(). */
void work_turn(struct work *work);
/** Whether nothing is in flight and nothing will be: all is done, or something failed. */
bool work_is_over(const struct work *work);
/** What failed has been printed. */
bool work_has_failed(const struct work *work);
/** Tasks that are done. */
uint64_t work_done(const struct work *work);
/** From the first submission to the last completion. */
uint64_t work_elapsed_ns(const struct work *work);
/** Whether tasks wait for the device to take them. */
bool work_is_eager(const struct work *work);
/** One step of the end, to be repeated between calls of engine_progress() until it returns true: the work is gone then. */
bool work_end(struct work *work);

/** Do the plan, waiting for it. False on failure, also when nothing is completed for the engine's time-out; printed. */
bool work_run(struct work *work, const struct work_plan *plan);
/** End, waiting for it. False when it does not end within the engine's time-out; printed. */
bool work_close(struct work *work);

/** count places: sources of src_bytes, destinations of dst_bytes, in steps of so many from src and dst. False on failure; printed.
 *  Places must be zero before, and be let go of after a failure as well. */
bool work_take_places(struct work_place *places, uint32_t count, struct doca_buf_inventory *inventory, struct doca_mmap *src_map,
		      uint8_t *src, uint32_t src_bytes, struct doca_mmap *dst_map, uint8_t *dst, uint32_t dst_bytes);
/** Give their buffers back. False when something would not go; printed. */
bool work_drop_places(struct work_place *places, uint32_t count);

#endif
