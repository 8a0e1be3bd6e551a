/*
 * The base of contexts and tasks for the task libraries (compress, dma, comch, ...).
 *
 *   program thread                                   hardware threads ("threads") or doca_pe_progress ("inline")
 *   doca_task_submit -> latch -> sd_device_queue ->  operation->execute(task)
 *   doca_pe_progress <- event of the context     <-  sd_task_executed(task)
 *        operation->complete(task), then the program's callback
 *
 * Only the program's thread uses contexts and tasks. A hardware thread uses only the latched work of a task
 * (operation->execute) and returns the task as an event. Other threads of a library (for example a receiver of messages) reach
 * a context only through sd_context_post_event().
 */
#ifndef SD_CONTEXT_H
#define SD_CONTEXT_H

#include "sd_base.h"

/** @name Contexts */
/** @{ */
/** Initializes the embedded context (memory need not be zeroed) and holds dev. State is IDLE. */
void sd_context_init(struct doca_ctx *ctx, const struct sd_context_ops *ops, struct doca_dev *dev);
/** Reverts sd_context_init(): detaches from the engine, frees pools, releases dev. IN_USE unless IDLE. */
doca_error_t sd_context_fini(struct doca_ctx *ctx);
/** Returns BAD_STATE unless the context is IDLE: the guard of every configuration call. */
doca_error_t sd_context_require_idle(const struct doca_ctx *ctx);
/** Completes an asynchronous start: RUNNING on SUCCESS, otherwise STOPPING then IDLE. Call from an event's run(). */
void sd_context_started(struct doca_ctx *ctx, doca_error_t result);
/** Stops the context without a call of the program: STOPPING, callback, flush. Call from an event's run(). */
void sd_context_fail(struct doca_ctx *ctx);
/**
 * Checks a STOPPING context after library-owned work ended; queues its IDLE event if no work is left. Not needed at the end of
 * an event's run(): the engine does it.
 */
void sd_context_check_idle(struct doca_ctx *ctx);
/**
 * Posts an event: the progress of the context's engine calls run(event), one event per progress call, in posting order per
 * posting thread. Wakes a sleeping program. The context must not be IDLE during this call (a library's is_busy hook ensures
 * it). A context does not reach IDLE while posted events wait. Thread: any.
 */
void sd_context_post_event(struct doca_ctx *ctx, struct sd_event *event, uint8_t (*run)(struct sd_event *event));
/**
 * Same as sd_context_post_event(), without waking the program: the device loses the event (quirk Q1), and a later progress
 * finds it.
 */
void sd_context_post_lost_event(struct doca_ctx *ctx, struct sd_event *event, uint8_t (*run)(struct sd_event *event));
/** Calls sd_context_fail() in a separate progress call. Thread: any, under the same condition. */
void sd_context_post_failure(struct doca_ctx *ctx);
/** Wakes the context's sleeping program, which then polls. The context must not be IDLE during this call. Thread: any. */
void sd_context_wake(struct doca_ctx *ctx);
/** Returns whether the program polls the context's engine at present. Thread: program's. */
uint8_t sd_context_is_polled(const struct doca_ctx *ctx);
/** Makes polls visit the started context until its poll hook returns 0. Thread: program's. */
void sd_context_visit(struct doca_ctx *ctx);
/** Returns the engine's next random number from the seed. Inline execution. Thread: program's. */
uint64_t sd_context_draw(struct doca_ctx *ctx);
/** Moves virtual time by the random transit time of an arrival. Inline execution. Thread: program's. */
void sd_context_elapse(struct doca_ctx *ctx);
/** Stops all started contexts that use the lost device of this started context. Thread: any. */
void sd_context_lose_device(struct doca_ctx *ctx);
/** @} */

/** @name Tasks */
/** @{ */
/**
 * Implements set_conf of a task type: creates or reconfigures the pool. BAD_STATE unless IDLE; INVALID_VALUE for a NULL
 * callback or num_tasks 0. The library must check limits over all pools before.
 */
doca_error_t sd_task_pool_configure(struct doca_ctx *ctx, const struct sd_task_operation *operation,
				    doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks);
/**
 * Defines <name>_set_conf of a context that has one limit per task type. max: the largest number of tasks, by object. INVALID_VALUE: a
 * NULL argument, no task, or too many; BAD_STATE: not IDLE.
 */
#define SD_TASK_SET_CONF(name, object_type, operation, max)                                                                 \
	doca_error_t name##_set_conf(object_type *object, name##_completion_cb_t completed, name##_completion_cb_t failed,  \
				     uint32_t num_tasks)                                                                    \
	{                                                                                                                   \
		if (object == NULL || completed == NULL || failed == NULL)                                                  \
			return DOCA_ERROR_INVALID_VALUE;                                                                    \
		if (sd_context_require_idle(&object->ctx) != DOCA_SUCCESS)                                                  \
			return DOCA_ERROR_BAD_STATE;                                                                        \
		if (num_tasks > (max))                                                                                      \
			return DOCA_ERROR_INVALID_VALUE;                                                                    \
		return sd_task_pool_configure(&object->ctx, operation, (doca_task_completion_cb_t)completed,                \
					      (doca_task_completion_cb_t)failed, num_tasks);                                \
	}
/** Returns the sum of num_tasks over the context's pools except one type (for the limit check of set_conf). */
uint64_t sd_task_pools_sum_except(const struct doca_ctx *ctx, const struct sd_task_operation *operation);
/** Returns whether the device or a graph holds the task, not the program. */
uint8_t sd_task_is_in_flight(const struct doca_task *task);
/** Allocates a task. BAD_STATE unless RUNNING; NO_MEMORY: the pool is exhausted or was never configured. */
doca_error_t sd_task_alloc(struct doca_ctx *ctx, const struct sd_task_operation *operation, union doca_data user_data,
			   struct doca_task **task);
/** @} */

/** @name Completion by the device */
/** @{ */
/**
 * Returns a task to its program and wakes the program if it sleeps. The task's status must be set; the caller must not use the
 * task afterwards. Thread: any.
 */
void sd_task_executed(struct doca_task *task);
/** Same as sd_task_executed(), but directly. Thread: program's. */
void sd_task_ended(struct doca_task *task);
/**
 * Passes a task to the hardware threads, even if its operation has begin. Thread: program's; with threads: any. The caller must
 * not use the task afterwards.
 */
void sd_task_queue(struct doca_task *task);
/** Returns whether the device has other tasks than this one, which it executes. Thread: hardware thread. */
uint8_t sd_task_delays_others(const struct doca_task *task);
/**
 * Ends a task that the library executed after the delay of its fault. The status of the task must be set. Thread: program's.
 */
void sd_task_delay(struct doca_task *task);
/** @} */

#endif
