/*
 * A context that keeps a window of tasks in flight until a given number of them is done.
 *
 *	work_open() -> work_begin() -> (progress, work_turn()) until work_is_over() -> work_begin() ... -> work_end() until true
 *
 * The callback of a finished task submits it again, with the buffers of the next task. One thread, that of the engine.
 */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>

#include "card.h"
#include "engine.h"
#include "region.h"

/** Buffers and result of a task. */
struct work_buffers {
	struct doca_buf *src;
	struct doca_buf *dst; /* emptied before each use; NULL: the kind has none */
	uint32_t crc;	      /* of the source, from deflate */
	bool done;	      /* the caller may reset it */
};

/** Description of the work. The buffers must exist until the work is over. */
struct work_plan {
	struct work_buffers *buffers;
	uint32_t num_buffers;
	bool by_slot;	/* each task of the window has fixed buffers, number 0 to window - 1; otherwise task i uses i % num_buffers */
	uint64_t count; /* number of tasks */
	uint64_t *times_ns; /* receives the time of each task, in the order of completion; NULL: not measured */
};

/** Memory of sources or destinations at regular distances. */
struct work_range {
	struct doca_mmap *map;
	uint8_t *base;
	size_t stride;
	size_t len; /* of each buffer */
};

/** Registered sources and destinations, each in one region. */
struct work_memory {
	struct region src_region, dst_region;
	struct work_range src, dst;
	struct doca_buf_inventory *inventory;
	struct work_buffers *buffers;
	uint32_t count;
};

struct work;
struct work_slot;

/** A kind of task. */
struct work_kind {
	const char *name;			/* on command lines */
	const char *wanted;			/* the device, for errors */
	card_suits_t *suits;
	size_t (*dst_len)(size_t src_len);	/* room of a destination */
	doca_error_t (*create)(struct doca_dev *dev, void **object, struct doca_ctx **ctx);
	doca_error_t (*destroy)(void *object);
	doca_error_t (*create_operand)(void *object, void **operand);	/* key or matrix of all tasks; NULL: none, or set later */
	doca_error_t (*destroy_operand)(void *operand);
	doca_error_t (*configure)(void *object, uint32_t num_tasks);
	doca_error_t (*alloc)(void *object, void *operand, const struct work_buffers *buffers, union doca_data user_data,
			      struct work_slot *slot);
	void (*set)(void *typed, const struct work_buffers *buffers);
};

extern const struct work_kind work_compress, work_dma, work_sha, work_aes_gcm, work_ec;

/** Opens a running context on dev with at most window tasks in flight. On failure prints an error and returns NULL. */
struct work *work_open(struct engine *engine, struct doca_dev *dev, const struct work_kind *kind, uint32_t window);
/** Returns the library's object of the context. */
void *work_object(const struct work *work);
/** Sets the operand of all tasks of a kind that creates none. The caller keeps it. */
void work_set_operand(struct work *work, void *operand);
/** Changes the kind of the next tasks. Nothing is in flight. Both kinds configure the context in the same way. */
void work_set_kind(struct work *work, const struct work_kind *kind);
/** Submits the first tasks. work_has_failed() reports failures. */
void work_begin(struct work *work, const struct work_plan *plan);
/** Adds tasks to the plan, whose buffers are free. Submits them as far as the window allows. */
void work_extend(struct work *work, uint64_t tasks);
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
 * Allocates count sources and destinations. Buffers must be zero before. On failure prints an error and returns false; the caller
 * must release the buffers in this case too.
 */
bool work_take_buffers(struct work_buffers *buffers, uint32_t count, struct doca_buf_inventory *inventory, struct work_range src,
		       struct work_range dst);
/** Frees buffers. On failure prints an error and returns false. */
bool work_release_buffers(struct work_buffers *buffers, uint32_t count);

/** Returns the largest size of a deflate stream: incompressible data is stored, with five bytes in front of some kilobytes. */
static inline size_t work_deflate_bound(size_t len)
{
	return len + len / 512 + 64;
}

/**
 * Registers memory for count sources and destinations, with head bytes in front of each destination. Memory must be zero before.
 * On failure prints an error and returns false; the caller must close the memory in this case too.
 */
bool work_memory_open(struct work_memory *memory, uint32_t count, size_t src_len, size_t dst_len, size_t head, struct doca_dev *dev);
/** Closes memory, which may be empty. On failure prints an error and returns false. */
bool work_memory_close(struct work_memory *memory);

#endif
