/*
 * Events: a 64-bit value in this process or, for an imported event, in another process.
 *
 * All accesses to the value are atomic operations. The device executes tasks that read or change it one after the other, in the
 * order of their submission. Tasks that wait stay with their event, and a thread checks the value periodically. The program's
 * thread does so while it polls its engine, else the service thread (watch.c).
 */
#ifndef SD_SYNC_EVENT_H
#define SD_SYNC_EVENT_H

#include <stdatomic.h>
#include <stdint.h>

#include "doca_sync_event.h"
#include "sd_context.h"
#include "sd_service.h"
#include "sd_shape.h"

struct doca_mmap;
struct export;
struct export_desc_type;
struct sd_import;

enum sync_event_location { SYNC_EVENT_NOWHERE, SYNC_EVENT_CPU, SYNC_EVENT_REMOTE_PCI, SYNC_EVENT_REMOTE_NET };

enum sync_event_life {
	SYNC_EVENT_NEW,
	SYNC_EVENT_BLOCKING,			/**< started by doca_sync_event_start() */
	SYNC_EVENT_SPENT,			/**< was started in either way, and has stopped */
};

struct doca_sync_event {
	struct doca_ctx ctx;
	_Atomic uint64_t own_number;
	void *number;				/**< own_number, the program's memory, or NULL: the value of the import */
	struct doca_mmap *map;			/**< the map of the value's memory; held. NULL: none */
	struct sd_import *import;
	enum sync_event_life life;
	enum sync_event_location publisher, subscriber;
	struct doca_dev *devs[2];		/**< devices of the locations; held */
	struct export *export;

	struct doca_task *executing;		/**< at the device; the backlog follows */
	struct doca_task *backlog_head, *backlog_tail;
	struct doca_task *waiting_head, *waiting_tail;	/**< tasks that wait for a value */

	struct doca_sync_event *watched_next;	/**< list of the events that the service thread checks; lock of that list */
	uint8_t is_watched;			/**< member of that list; write: its lock; read: the program's thread */
	uint8_t has_service;			/**< uses the service thread, since its start as a context */
	struct sd_job job;			/**< the service thread's next check */
	struct sd_event check_event;		/**< the value may satisfy a waiting task */
	_Atomic uint8_t is_check_posted;
	_Atomic uint64_t last_seen;		/**< value at the last check of the program's thread */
};

/** Common part of all task types; each type is a struct that contains only this part. */
struct sync_event_task {
	struct doca_task base;
	uint64_t operand;			/**< value to set, to add or to compare */
	uint64_t mask;
	uint64_t *result;			/**< the program's pointer for the value or the previous value */
	uint64_t latched_operand, latched_mask;
	uint64_t *latched_result;
	uint64_t fetched;
	uint8_t waits_for_equal;		/**< tasks that wait: the value must be equal, else different */
};

struct doca_sync_event_task_get {
	struct sync_event_task task;
};

struct doca_sync_event_task_notify_set {
	struct sync_event_task task;
};

struct doca_sync_event_task_notify_add {
	struct sync_event_task task;
};

struct doca_sync_event_task_wait_eq {
	struct sync_event_task task;
};

struct doca_sync_event_task_wait_neq {
	struct sync_event_task task;
};

/** @name The value; any thread. IO_FAILED: the exporter has ended */
/** @{ */
doca_error_t sync_event_load(struct doca_sync_event *event, uint64_t *value);
/** Waits for a moment at most, if the kernel permits reads. AGAIN: the exporter delays the read. */
doca_error_t sync_event_peek(struct doca_sync_event *event, uint64_t *value);
/** Returns the last value before the exporter destroyed the event, for waiting tasks. IO_FAILED: not known. */
doca_error_t sync_event_load_last(struct doca_sync_event *event, uint64_t *value);
/** *before receives the previous value. */
doca_error_t sync_event_set(struct doca_sync_event *event, uint64_t value, uint64_t *before);
doca_error_t sync_event_add(struct doca_sync_event *event, uint64_t value, uint64_t *before);
/** @} */

/** @name Exports; program's thread */
/** @{ */
/** NOT_SUPPORTED: an imported event; BAD_STATE: not started. */
doca_error_t sync_event_check_exportable(const struct doca_sync_event *event);
/** Exports the value, unless it is exported, and returns its description for dev. NO_MEMORY, DRIVER. */
doca_error_t sync_event_export(struct doca_sync_event *event, const struct doca_dev *dev, const struct export_desc_type *type,
			       const uint8_t **data, size_t *sz);
/** @} */

/** @name Tasks */
/** @{ */
/** Implements set_conf of one task type. */
doca_error_t sync_event_configure(struct doca_sync_event *event, const struct sd_task_operation *operation,
				  doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks);
/** Defines set_conf and as_doca_task of one task type. */
#define SYNC_EVENT_TASK(kind, operation)                                                                             \
	doca_error_t doca_sync_event_task_##kind##_set_conf(                                                         \
		struct doca_sync_event *event, doca_sync_event_task_##kind##_completion_cb_t completion_cb,          \
		doca_sync_event_task_##kind##_completion_cb_t error_cb, uint32_t num_tasks)                          \
	{                                                                                                            \
		return sync_event_configure(event, operation, (doca_task_completion_cb_t)completion_cb,              \
					    (doca_task_completion_cb_t)error_cb, num_tasks);                         \
	}                                                                                                            \
	SD_PART(doca_sync_event_task_##kind##_as_doca_task, struct doca_sync_event_task_##kind, struct doca_task, task.base)
/** Defines setter and getter of a member. */
#define SYNC_EVENT_MEMBER(kind, name, type, none, member)                                                            \
	SD_SETTER(doca_sync_event_task_##kind##_set_##name, struct doca_sync_event_task_##kind, type, task.member)   \
	SD_PROPERTY(doca_sync_event_task_##kind##_get_##name, const struct doca_sync_event_task_##kind, type, none,  \
		object->task.member)
/** Implements alloc_init of one task type; the caller sets the remaining members. INVALID_VALUE: event or task is NULL. */
doca_error_t sync_event_alloc(struct doca_sync_event *event, const struct sd_task_operation *operation,
			      union doca_data user_data, struct sync_event_task **task);
/** Hooks of operations: latch, begin, is_held_up and complete of tasks that the device executes in order. */
doca_error_t sync_event_latch(struct doca_task *base);
void sync_event_begin_in_order(struct doca_task *base);
uint8_t sync_event_is_held_up(const struct doca_task *base);
void sync_event_complete_in_order(struct doca_task *base);
void sync_event_corrupt(struct doca_task *base);
/** Fails the tasks that have not started, because the event stops. */
void sync_event_flush_backlog(struct doca_sync_event *event);
/** @} */

/** @name Waiting; program's thread */
/** @{ */
/** Ends the waiting tasks whose condition holds. */
void sync_event_check(struct doca_sync_event *event);
/** Fails all waiting tasks, because the event stops. */
void sync_event_flush_waiting(struct doca_sync_event *event);
/** Returns whether the context is configured with tasks that wait. */
uint8_t sync_event_can_wait(const struct doca_sync_event *event);
/** Starts, or ends, the checks of the service thread. */
void sync_event_watch(struct doca_sync_event *event);
void sync_event_unwatch(struct doca_sync_event *event);
/** @} */

#endif
