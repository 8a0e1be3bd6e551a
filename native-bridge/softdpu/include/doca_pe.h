/*
 * The progress engine and the tasks that it completes.
 *
 * A progress engine serves any number of contexts. Nothing completes by itself: doca_pe_progress() calls the callbacks.
 * Instead of polling, a program may sleep on the notification handle:
 *
 *   progress until 0 -> request_notification -> poll the handle -> clear_notification -> progress until 0 -> ...
 *
 * Thread: a progress engine, its contexts and their tasks belong to one thread at a time; nothing here takes locks for the
 * program. doca_pe_progress() may not be called from callbacks; everything else may.
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

/** How a task is submitted; bits. */
enum doca_task_submit_flag {
	DOCA_TASK_SUBMIT_FLAG_NONE = 0,
	DOCA_TASK_SUBMIT_FLAG_FLUSH = 1 << 0,		/**< hand this and all held tasks to the device now */
	DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS = 1 << 1,/**< the completion may be reported together with a later one */
};

/** Which contexts one progress call looks at when notifications are used. */
enum doca_pe_event_mode {
	DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE = 0,	/**< those that were signalled; the default */
	DOCA_PE_EVENT_MODE_PROGRESS_ALL = 1,		/**< all; clearing a notification is optional */
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

/** Called by progress when a task has ended. The task belongs to the program again: free it, keep it or submit it anew. */
typedef void (*doca_task_completion_cb_t)(struct doca_task *task, union doca_data task_user_data,
					  union doca_data ctx_user_data);

/** @name Progress engine */
/** @{ */
/** INVALID_VALUE: NULL argument; NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_pe_create(struct doca_pe **pe);
/** IN_USE: contexts are connected; INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_pe_destroy(struct doca_pe *pe);

/** Handle one thing that happened (a completion, an event, a change of state), calling its callbacks.
 *  @param pe not NULL. @return 1 if there was something, 0 if not. */
DOCA_STABLE
uint8_t doca_pe_progress(struct doca_pe *pe);

/** Put an IDLE context under this engine, until the context is destroyed.
 *  INVALID_VALUE: NULL argument; BAD_STATE: not IDLE; NOT_PERMITTED: has an engine already; NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/** Tasks in flight over all contexts of the engine. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks);
/** @} */

/** @name Notification */
/** @{ */
/** A file descriptor that is fixed for the life of the engine; readable after a requested notification. Do not read or
 *  close it. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe, doca_notification_handle_t *handle);
/** Arm: the next thing that happens, or that already waits for progress, makes the handle readable once. INVALID_VALUE. */
DOCA_STABLE
doca_error_t doca_pe_request_notification(struct doca_pe *pe);
/** Make the handle quiet until it is armed again. handle is ignored. OPERATING_SYSTEM: a system call failed. */
DOCA_STABLE
doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle);
/** Which contexts progress looks at. Not in a completion callback. INVALID_VALUE: NULL, or no such mode. */
DOCA_EXPERIMENTAL
doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode);
/** @} */

/** @name Tasks; task is never NULL */
/** @{ */
/** Give a task back to its context. One that is in flight goes when it has ended, and no callback tells of it. Its memory stays
 *  readable. */
DOCA_STABLE
void doca_task_free(struct doca_task *task);
/** Hand a task to the device; like submit_ex with FLUSH. On success exactly one of the callbacks follows, from progress.
 *  AGAIN: the device takes nothing now; BAD_STATE: the context is not RUNNING. */
DOCA_STABLE
doca_error_t doca_task_submit(struct doca_task *task);
/** Like doca_task_submit(), with flags of enum doca_task_submit_flag. INVALID_VALUE: unknown flags. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);
/** Like doca_task_submit(), after checking the task's content: INVALID_VALUE when it cannot succeed. */
DOCA_STABLE
doca_error_t doca_task_try_submit(struct doca_task *task);
/** How the task ended; for use in and after its callback. */
DOCA_STABLE
doca_error_t doca_task_get_status(const struct doca_task *task);
/** Value that the callback of this task receives. */
DOCA_STABLE
void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);
DOCA_STABLE
union doca_data doca_task_get_user_data(const struct doca_task *task);
/** Context that the task was allocated from. */
DOCA_STABLE
struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);
/** @} */

/** @name Batches: several tasks of one type that are submitted and reported together; task_batch is never NULL */
/** @{ */
/** Give a batch and its tasks back. */
DOCA_EXPERIMENTAL
void doca_task_batch_free(struct doca_task_batch *task_batch);
/** Hand all tasks of the batch to the device. AGAIN; BAD_STATE. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);
/** Like doca_task_batch_submit(), after checking all tasks: INVALID_VALUE. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);
/** How the batch ended. */
DOCA_EXPERIMENTAL
doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch);
/** Number of tasks in the batch. */
DOCA_EXPERIMENTAL
uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch);
DOCA_EXPERIMENTAL
void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data);
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_user_data(const struct doca_task_batch *task_batch);
/** Context that the batch was allocated from, and that context's user data. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);
DOCA_EXPERIMENTAL
union doca_data doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
