/*
 * Batches: tasks of one type that are submitted together, executed one by one, and reported together. A library adds the public
 * form (arrays of buffers, callbacks with arrays); this file is the shared part.
 */
#ifndef SD_TASK_BATCH_H
#define SD_TASK_BATCH_H

#include "sd_context.h"

struct doca_task_batch {
	struct doca_ctx *ctx;
	struct sd_task_batch_pool *pool;
	union doca_data user_data;
	doca_error_t status;			/**< SUCCESS, or the status of the first failed task */
	enum sd_task_state state;
	uint16_t num_tasks;
	uint16_t num_pending;			/**< tasks of a submitted batch that have not ended */
	struct doca_task_batch *next;		/**< free list */
	struct doca_task *tasks[];		/**< num_tasks of the pool's capacity */
};

/** All batches of one task type of one context, with separate tasks. */
struct sd_task_batch_pool {
	struct sd_task_pool tasks;
	void (*ended)(struct doca_task_batch *batch);
	uint32_t num_batches;
	uint16_t capacity;			/**< largest number of tasks per batch */
	uint8_t *memory;
	size_t stride;
	struct doca_task_batch *free_list;
	struct sd_task_batch_pool *next;
};

/**
 * Implements set_conf of a batch. BAD_STATE unless IDLE; INVALID_VALUE: unknown maximum, num_batches 0 or no callback. ended()
 * runs in progress after the last task of a batch: the program owns the batch again, and the library calls its callback.
 */
doca_error_t sd_task_batch_pool_configure(struct doca_ctx *ctx, const struct sd_task_operation *operation,
					  enum doca_task_batch_max_tasks_number maximum, uint32_t num_batches,
					  void (*ended)(struct doca_task_batch *batch));

/** Allocates a batch of num_tasks tasks. BAD_STATE unless RUNNING; INVALID_VALUE: 0 or above the capacity; NO_MEMORY. */
doca_error_t sd_task_batch_alloc(struct doca_ctx *ctx, const struct sd_task_operation *operation, uint16_t num_tasks,
				 union doca_data user_data, struct doca_task_batch **batch);

/** Fills, or frees, all batch pools of a context. NO_MEMORY. */
doca_error_t sd_task_batch_pools_fill(struct doca_ctx *ctx);
void sd_task_batch_pools_free(struct doca_ctx *ctx);

#endif
