/*
 * A compress or DMA context that keeps a window of tasks in flight until a given number of them is done.
 *
 *	work_open() -> work_begin() -> (progress, work_turn()) until work_is_over() -> work_begin() ... -> work_end() until true
 *
 * The callback of a finished task submits it again, with the buffers of the next place. One thread, that of the engine.
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

/** Source and destination of a task. */
struct work_place {
	struct doca_buf *src; /* the whole window is content */
	struct doca_buf *dst; /* emptied before each use */
};

/** Description of the work. The places must exist until the work is over. */
struct work_plan {
	const struct work_place *places;
	bool by_slot;	/* each task has a fixed place, number 0 to window - 1; otherwise task i uses place i, once */
	uint64_t count; /* number of tasks */
};

struct work;

/** Opens a running context on dev with at most window tasks in flight. On failure prints an error and returns NULL. */
struct work *work_open(struct engine *engine, struct doca_dev *dev, enum work_kind kind, uint32_t window);
/** Submits the first tasks. work_has_failed() reports failures. */
void work_begin(struct work *work, const struct work_plan *plan);
/** Submits the refused tasks again. Call it between calls of engine_progress(). */
void work_turn(struct work *work);
/** Returns whether nothing is in flight and nothing will be: all tasks are done, or one failed. */
bool work_is_over(const struct work *work);
/** Returns whether a task failed; the error was printed. */
bool work_has_failed(const struct work *work);
/** Returns the number of tasks that are done. */
uint64_t work_done(const struct work *work);
/** Returns the time from the first submission to the last completion. */
uint64_t work_elapsed_ns(const struct work *work);
/** Returns whether refused tasks wait for a retry. */
bool work_is_eager(const struct work *work);
/** Runs one step of the end; repeat between calls of engine_progress() until it returns true. The work is then freed. */
bool work_end(struct work *work);

/**
 * Runs the plan and waits for it. Prints an error and returns false on failure, or without a completion for the engine's
 * time-out.
 */
bool work_run(struct work *work, const struct work_plan *plan);
/** Ends the work and waits. Prints an error and returns false if it does not end within the engine's time-out. */
bool work_close(struct work *work);

/**
 * Allocates buffers for count places: sources of src_bytes, destinations of dst_bytes, at regular distances from src and dst.
 * Places must be zero before. On failure prints an error and returns false; the caller must drop the places in this case too.
 */
bool work_take_places(struct work_place *places, uint32_t count, struct doca_buf_inventory *inventory, struct doca_mmap *src_map,
		      uint8_t *src, uint32_t src_bytes, struct doca_mmap *dst_map, uint8_t *dst, uint32_t dst_bytes);
/** Frees the buffers of places. On failure prints an error and returns false. */
bool work_drop_places(struct work_place *places, uint32_t count);

#endif
