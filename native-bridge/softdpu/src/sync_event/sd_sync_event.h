/*
 * Events: a number of 64 bits in this process, or by way of an import in another one.
 *
 * The number is read and changed by atomic operations, wherever it lies. Tasks that read or change it are executed by the device one after
 * the other in the order of their submission. Tasks that wait stay with their event, and somebody looks at the number from time to
 * time: the program's own thread while it polls its engine, else the service thread (watch.c).
 */
#ifndef SD_SYNC_EVENT_H
#define SD_SYNC_EVENT_H

#include <stdatomic.h>
#include <stdint.h>

#include "doca_sync_event.h"
#include "sd_context.h"
#include "sd_service.h"

struct doca_mmap;
struct export;
struct sd_import;
struct sync_event_note;

enum sync_event_location { SYNC_EVENT_NOWHERE, SYNC_EVENT_CPU, SYNC_EVENT_REMOTE_PCI };

enum sync_event_life {
	SYNC_EVENT_NEW,
	SYNC_EVENT_BLOCKING,			/**< started by doca_sync_event_start() */
	SYNC_EVENT_SPENT,			/**< was started, as whatever, and has stopped */
};

struct doca_sync_event {
	struct doca_ctx ctx;
	_Atomic uint64_t own_number;
	void *number;				/**< own_number, the program's memory, or NULL: it is the import's */
	struct doca_mmap *map;			/**< that the number lies in; held. NULL: none */
	struct sd_import *import;
	enum sync_event_life life;
	enum sync_event_location publisher, subscriber;
	struct doca_dev *devs[2];		/**< of the locations; held */
	struct export *export;
	struct sync_event_note *notes;		/**< descriptions that were handed out */

	struct doca_task *executing;		/**< at the device; then comes the backlog */
	struct doca_task *backlog_head, *backlog_tail;
	struct doca_task *waiting_head, *waiting_tail;	/**< tasks that wait for the number */

	struct doca_sync_event *watched_next;	/**< list of those that the service thread looks at; its lock */
	uint8_t is_watched;			/**< is one of those; its lock to change, program's thread to read */
	uint8_t has_service;			/**< is a user of the service thread, since its start as a context */
	struct sd_job job;			/**< the service thread's next look */
	struct sd_event look_event;		/**< the number may be what somebody waits for */
	_Atomic uint8_t is_look_posted;
	_Atomic uint64_t last_seen;		/**< the number when the program's thread looked last */
};

/** What all kinds of tasks have; each is a struct of its own with nothing else. */
struct sync_event_task {
	struct doca_task base;
	uint64_t operand;			/**< value to set, to add or to wait for */
	uint64_t mask;
	uint64_t *result;			/**< the program's; where the number, or the number before, goes */
	uint64_t latched_operand, latched_mask;
	uint64_t *latched_result;
	uint64_t fetched;
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

/** @name The number; any thread. IO_FAILED: the exporter is gone */
/** @{ */
doca_error_t sync_event_load(struct doca_sync_event *event, uint64_t *value);
/** The number when the exporter took it back, for those who wait for it. IO_FAILED: not known. */
doca_error_t sync_event_load_last(struct doca_sync_event *event, uint64_t *value);
/** before: what it was. */
doca_error_t sync_event_set(struct doca_sync_event *event, uint64_t value, uint64_t *before);
doca_error_t sync_event_add(struct doca_sync_event *event, uint64_t value, uint64_t *before);
/** @} */

/** @name Tasks */
/** @{ */
/** set_conf of one kind. */
doca_error_t sync_event_configure(struct doca_sync_event *event, const struct sd_task_operation *operation,
				  doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks);
/** alloc_init of one kind; what else the task holds is for the caller to set. */
doca_error_t sync_event_alloc(struct doca_sync_event *event, const struct sd_task_operation *operation,
			      union doca_data user_data, struct sync_event_task **task);
/** Hooks of operations: latch, begin and complete of tasks that the device executes in order. */
doca_error_t sync_event_latch(struct doca_task *base);
void sync_event_begin_in_order(struct doca_task *base);
void sync_event_complete_in_order(struct doca_task *base);
void sync_event_corrupt(struct doca_task *base);
/** The event stops: fail what has not begun. */
void sync_event_flush_backlog(struct doca_sync_event *event);
/** @} */

/** @name Waiting; program's thread */
/** @{ */
/** End the waiting tasks whose time has come. */
void sync_event_look(struct doca_sync_event *event);
/** The event stops: fail all waiting tasks. */
void sync_event_flush_waiting(struct doca_sync_event *event);
/** Whether the context was given tasks that wait. */
uint8_t sync_event_can_wait(const struct doca_sync_event *event);
/** Have the service thread look from now on, or not any more. */
void sync_event_watch(struct doca_sync_event *event);
void sync_event_unwatch(struct doca_sync_event *event);
/** @} */

/** Take back the export and free the descriptions. IN_USE. */
doca_error_t sync_event_take_back(struct doca_sync_event *event);

#endif
