/*
 * The progress engine and the tasks that it completes.
 *
 * A progress engine serves any number of contexts. Completions need progress: only doca_pe_progress() calls the callbacks.
 * Instead of polling, a program may sleep on the notification handle:
 *
 *   progress until 0 -> request_notification -> poll the handle -> clear_notification -> progress until 0 -> ...
 *
 * Thread: a progress engine, its contexts and their tasks belong to one thread at a time; the functions take no locks.
 * doca_pe_progress() must not be called from callbacks; all other functions may.
 */
#ifndef DOCA_PE_H_
#define DOCA_PE_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_pe;
struct doca_task;
struct doca_task_batch;

/** Flags of a submission; bits. */
enum doca_task_submit_flag {
	DOCA_TASK_SUBMIT_FLAG_NONE = 0,
	DOCA_TASK_SUBMIT_FLAG_FLUSH = 1 << 0,		/**< pass this and all held tasks to the device now */
	DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS = 1 << 1,/**< the completion may be reported together with a later one */
};

/** Contexts that one progress call polls if notifications are used. */
enum doca_pe_event_mode {
	DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE = 0,	/**< signalled contexts; the default */
	DOCA_PE_EVENT_MODE_PROGRESS_ALL = 1,		/**< all contexts; clearing a notification is optional */
};

/** Largest number of tasks in one batch. */
enum doca_task_batch_max_tasks_number {
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16 = 0,
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32 = 1,
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64 = 2,
	DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128 = 3,
};

/** Number of events that are delivered together. */
enum doca_event_batch_events_number {
	DOCA_EVENT_BATCH_EVENTS_NUMBER_1 = 0,
	DOCA_EVENT_BATCH_EVENTS_NUMBER_2 = 1,
	DOCA_EVENT_BATCH_EVENTS_NUMBER_4 = 2,
	DOCA_EVENT_BATCH_EVENTS_NUMBER_8 = 3,
	DOCA_EVENT_BATCH_EVENTS_NUMBER_16 = 4,
	DOCA_EVENT_BATCH_EVENTS_NUMBER_32 = 5,
	DOCA_EVENT_BATCH_EVENTS_NUMBER_64 = 6,
	DOCA_EVENT_BATCH_EVENTS_NUMBER_128 = 7,
};

/** Called from progress when a task ended. The program owns the task again: it frees, keeps or submits it. */
typedef void (*doca_task_completion_cb_t)(struct doca_task *task, union doca_data task_user_data,
					  union doca_data ctx_user_data);

/** @name Progress engine */
/** @{ */
/** Creates an engine. INVALID_VALUE: NULL argument; NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_pe_create(struct doca_pe **pe);
/** Destroys the engine. IN_USE: contexts are connected; INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_pe_destroy(struct doca_pe *pe);

/**
 * Handles one completion, event or change of state, and calls its callbacks.
 * @param pe not NULL. @return 1 if something was handled, 0 if not.
 */
DOCA_STABLE
uint8_t doca_pe_progress(struct doca_pe *pe);

/**
 * Connects an IDLE context to this engine, until the context is destroyed. INVALID_VALUE: NULL argument; BAD_STATE: not IDLE;
 * NOT_PERMITTED: the context has an engine; NO_MEMORY.
 */
DOCA_STABLE
doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/** Returns the number of tasks in flight over all contexts of the engine. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks);
/** @} */

/** @name Notification */
/** @{ */
/**
 * Returns a file descriptor that is fixed for the lifetime of the engine; readable after a requested notification. The program
 * must not read or close it. INVALID_VALUE: NULL argument.
 */
DOCA_STABLE
doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe, doca_notification_handle_t *handle);
/**
 * Arms the notification: the next completion or event, or one that already waits for progress, makes the handle readable once.
 * INVALID_VALUE.
 */
DOCA_STABLE
doca_error_t doca_pe_request_notification(struct doca_pe *pe);
/** Makes the handle unreadable until the next request. handle is ignored. OPERATING_SYSTEM: a system call failed. */
DOCA_STABLE
doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle);
/** Sets which contexts progress polls. Not in a completion callback. INVALID_VALUE: NULL, or unknown mode. */
DOCA_EXPERIMENTAL
doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode);
/** @} */

/** @name Tasks; task is never NULL */
/** @{ */
/**
 * Frees a task, which returns to its context. A task in flight is freed when it ends, without a callback. The memory of such a
 * task stays readable.
 */
DOCA_STABLE
void doca_task_free(struct doca_task *task);
/**
 * Submits a task to the device; like submit_ex with FLUSH. After success, progress calls exactly one of the callbacks. AGAIN:
 * the device accepts no task now; BAD_STATE: the context is not RUNNING.
 */
DOCA_STABLE
doca_error_t doca_task_submit(struct doca_task *task);
/** Same as doca_task_submit(), with flags of enum doca_task_submit_flag. INVALID_VALUE: unknown flags. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);
/** Same as doca_task_submit(), after validation of the task's content: INVALID_VALUE if the task cannot succeed. */
DOCA_STABLE
doca_error_t doca_task_try_submit(struct doca_task *task);
/** Returns the result of the task; for use in and after its callback. */
DOCA_STABLE
doca_error_t doca_task_get_status(const struct doca_task *task);
/** Sets the value that the callback of this task receives. */
DOCA_STABLE
void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);
DOCA_STABLE
union doca_data doca_task_get_user_data(const struct doca_task *task);
/** Returns the context of the task. */
DOCA_STABLE
struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);
/** @} */

/** @name Batches: tasks of one type, submitted and reported together. The software DPU has no context that creates one */
/** @{ */
/** Frees a batch and its tasks. */
DOCA_EXPERIMENTAL
void doca_task_batch_free(struct doca_task_batch *task_batch);
/** Submits all tasks of the batch to the device. AGAIN; BAD_STATE. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);
/** Same as doca_task_batch_submit(), after validation of all tasks: INVALID_VALUE. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);
/** Returns the result of the batch. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch);
/** Returns the number of tasks in the batch. */
DOCA_EXPERIMENTAL
uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch);
DOCA_EXPERIMENTAL
void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data);
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_user_data(const struct doca_task_batch *task_batch);
/** Returns the context of the batch, and that context's user data. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
