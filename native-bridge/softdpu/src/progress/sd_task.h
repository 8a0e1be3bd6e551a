/* Tasks, for the files of this room. Program's thread. */
#ifndef SD_TASK_H
#define SD_TASK_H

#include "sd_context.h"

/** Tasks start at cache lines of their own: hardware threads write to them. */
enum { SD_TASK_ALIGNMENT = 64 };

/** Make a pool's tasks, all free, unless it has them already. NO_MEMORY. */
doca_error_t sd_task_pool_fill(struct sd_task_pool *pool);
/** Free a pool's tasks. */
void sd_task_pool_empty(struct sd_task_pool *pool);
/** Take a task off the free list, without counting it; NULL when there is none. */
struct doca_task *sd_task_pool_take(struct sd_task_pool *pool, union doca_data user_data);
/** Put a task onto the free list, without counting it. Its content stays as it is. */
void sd_task_pool_put(struct doca_task *task);

/** Draw the faults of the task's submission, unless it has some from a refused one; AGAIN when it is to be refused. */
doca_error_t sd_task_draw_fault(struct doca_task *task);
/** Copy what execution needs out of the program's objects. AGAIN: the submission is to be refused, nothing happened. */
doca_error_t sd_task_latch(struct doca_task *task);
/** Submit: hold a task that was latched; one that could not be latched ends with that result instead. */
void sd_task_enter(struct doca_task *task, doca_error_t latched);
/** Give all held tasks to the device. */
void sd_tasks_release_held(struct doca_ctx *ctx);
/** Count allocated tasks and batches. */
void sd_task_count_allocated(struct doca_ctx *ctx, int change);

#endif
