/* Tasks, for the files of this folder. Thread: program's. */
#ifndef SD_TASK_H
#define SD_TASK_H

#include "sd_context.h"

/** Tasks share no cache line, because hardware threads write to them. */
enum { SD_TASK_ALIGNMENT = 64 };

/** Returns a task to the free list, without counting it. The content of the task does not change. */
void sd_task_pool_put(struct doca_task *task);

/** Draws the faults of the task's submission, unless a refused submission left some. AGAIN: the submission must be refused. */
doca_error_t sd_task_draw_fault(struct doca_task *task);
/** Copies all that execution needs from the program's objects. AGAIN: the submission must be refused; nothing changed. */
doca_error_t sd_task_latch(struct doca_task *task);
/** Submits a task: holds a latched task; a task that could not be latched ends with that result. */
void sd_task_enter(struct doca_task *task, doca_error_t latched);
/** Reports a task again, somewhat later. Does nothing then if the program has freed or submitted the task. */
void sd_task_report_again(struct doca_task *task);
/** Passes all held tasks to the device. */
void sd_tasks_release_held(struct doca_ctx *ctx);
/** Changes the count of allocated tasks. */
void sd_task_count_allocated(struct doca_ctx *ctx, int change);

/** Calls the program's callback for an ended task. */
static inline void sd_task_call_back(struct doca_task *task)
{
	struct sd_task_pool *pool = task->pool;

	(task->status == DOCA_SUCCESS ? pool->completed : pool->failed)(task, task->user_data, task->ctx->user_data);
}

#endif
