/*
 * Internals of the progress engine.
 *
 *   any thread:        sd_engine_post --> inbox (lock-free stack, newest first)
 *   program's thread:  doca_pe_progress: inbox --> FIFO of each context --> round robin, one event per call
 *   program's thread:  sd_engine_queue -----------^
 *
 * A program that calls progress repeatedly without an event is polling. From then on its thread reads arriving work itself
 * (ops->poll, and sources), which avoids a detour through another thread. This mode ends when the program requests a
 * notification (ops->rest). In inline execution every program polls, so nothing depends on other threads. A poll visits only
 * contexts with possible work: its cost does not depend on the number of idle contexts.
 *
 * Each file of this folder calls only files before it: registry, source, poll, engine, late, notification, state, task_pool, task,
 * context, ctx, pe, host.
 */
#ifndef SD_ENGINE_H
#define SD_ENGINE_H

#include <assert.h>

#include "sd_context.h"
#include "sd_device.h"
#include "sd_source.h"

/** Notification state of an engine. */
enum sd_engine_notification {
	SD_ENGINE_QUIET,			/**< events do not write to fd */
	SD_ENGINE_ARMED,			/**< the first event moves the engine to SIGNALLING */
	SD_ENGINE_SIGNALLING			/**< a thread writes to fd, then sets QUIET */
};

struct sd_late;

struct doca_pe {
	struct sd_inline inline_device;		/**< first member */
	_Atomic(struct sd_event *) inbox;
	_Atomic uint8_t notification;		/**< enum sd_engine_notification */
	_Atomic uint32_t num_posters;		/**< threads inside sd_engine_post(): destroy waits for them */
	int fd;					/**< eventfd */
	enum doca_pe_event_mode event_mode;
	uint32_t callback_depth;		/**< callbacks of this engine on the stack */
	struct doca_ctx *ready_head, *ready_tail;
	struct sd_late *late;			/**< late reports of states, earliest first; see sd_late.h */
	size_t num_contexts;			/**< connected contexts */
	size_t num_started;			/**< contexts that are not IDLE */
	size_t num_inflight;
	size_t num_pollable;			/**< started contexts with a poll hook */
	struct doca_ctx *visited;		/**< contexts that polls visit */
	struct sd_sources sources;		/**< descriptors that polls read */
	uint64_t num_visits;			/**< total visits of contexts by polls: measures the cost of idle contexts */
	uint32_t num_idle;			/**< empty progress calls since the last request for a notification */
	uint32_t num_turns;			/**< events since the last poll */
	uint8_t is_polling;
	uint8_t gave_event;			/**< the last progress call ran an event; the next may end without a poll */
	uint32_t host;				/**< its creator's; see sd_host.h */
	uint8_t is_killed;			/**< the host has ended, and the program has not progressed the engine since */
	struct doca_pe *all_next, *all_prev;	/**< list of all engines of the process */
};

static_assert(offsetof(struct doca_pe, inline_device) == 0, "the device casts an engine to its part");

/** Posts an event to the context's engine. The event may be freed before this function returns. Thread: any. */
void sd_engine_post(struct doca_pe *pe, struct sd_event *event);
/** Same as sd_engine_post(), without waking the program. */
void sd_engine_post_no_wake(struct doca_pe *pe, struct sd_event *event);
/** Appends an event to its context. Thread: program's. */
void sd_engine_queue(struct sd_event *event);
/** Inserts an event before all others of its context. Thread: program's. */
void sd_engine_queue_first(struct sd_event *event);
/** Removes an event that was posted or queued and has not run. No other thread may post it concurrently. Thread: program's. */
void sd_engine_withdraw(struct sd_event *event);
/** Removes and returns the next event; NULL: none. Thread: program's. */
struct sd_event *sd_engine_next(struct doca_pe *pe);
/** Returns whether sd_engine_next() has something to do. A poll that is due may end without an event. Thread: program's. */
uint8_t sd_engine_has_work(const struct doca_pe *pe);
/** @name Polling; program's thread */
/** @{ */
/** Adds a started context to the polls, or removes one that is about to be IDLE. */
void sd_engine_join_poll(struct doca_ctx *ctx);
void sd_engine_leave_poll(struct doca_ctx *ctx);
/** Returns whether a poll is due although events wait. */
uint8_t sd_engine_is_poll_due(struct doca_pe *pe);
/** Polls while events wait. */
void sd_engine_poll_between(struct doca_pe *pe);
/** Polls if no event waits and the program is polling. */
void sd_engine_poll_idle(struct doca_pe *pe);
/** Ends polling because the program requests a notification. */
void sd_engine_rest(struct doca_pe *pe);
/** Inline execution: returns the virtual time at which a poll has work; UINT64_MAX: no library names one. */
uint64_t sd_engine_next_poll(const struct doca_pe *pe);
/** @} */
/** Signals the engine if it is armed, because work waits for progress. */
void sd_engine_wake(struct doca_pe *pe);
/** Wakes every armed engine of the process, because the virtual clock moved. Thread: any. */
void sd_engine_wake_all(void);
/**
 * Marks the engines of a host as killed. NOT_FOUND: there is none; BAD_STATE: a callback of one runs, and none is marked. Thread: the
 * host's.
 */
doca_error_t sd_engine_mark_killed(uint32_t host);
/** Ends a host. Errors and thread: as sd_engine_mark_killed(). */
doca_error_t sd_engine_kill_host(uint32_t host);
/**
 * Inline execution: returns the earliest virtual time of a task, of work of a poll, or of a late report of a state, of any engine that
 * is not killed. Thread: the one thread of all engines.
 */
uint64_t sd_engine_next_due(void);
/** Fills all pools of a context for a start. NO_MEMORY. */
doca_error_t sd_task_pools_fill(struct doca_ctx *ctx);
/** Frees all pools of a context. */
void sd_task_pools_free(struct doca_ctx *ctx);
/** Fails all tasks of a stopping context that no hardware executes yet: held and queued tasks. */
void sd_tasks_flush(struct doca_ctx *ctx);
/** Changes the count of tasks in flight by 1 or -1. */
void sd_task_count_inflight(struct doca_task *task, int change);

#endif
