/*
 * Inside of the progress engine.
 *
 *   any thread:        sd_engine_post --> inbox (lock-free stack, newest first)
 *   program's thread:  doca_pe_progress: inbox --> FIFO of each context --> round robin, one event per call
 *   program's thread:  sd_engine_queue -----------^
 *
 * A program that calls progress again and again and finds nothing is polling. From then on it looks itself for what arrives from
 * outside (ops->poll, and sources), which saves the way through another thread; until it asks for a notification (ops->rest). In inline
 * execution every program polls, so that nothing depends on other threads. A poll visits only contexts that have something to look
 * for: its cost does not depend on how many are idle.
 */
#ifndef SD_ENGINE_H
#define SD_ENGINE_H

#include "sd_context.h"
#include "sd_device.h"
#include "sd_source.h"

/** Where the handle of an engine stands. */
enum sd_engine_notification {
	SD_ENGINE_QUIET,			/**< events do not touch fd */
	SD_ENGINE_ARMED,			/**< the first event takes this to SIGNALLING */
	SD_ENGINE_SIGNALLING			/**< and writes to fd, then QUIET again */
};

struct doca_pe {
	_Atomic(struct sd_event *) inbox;
	_Atomic uint8_t notification;		/**< enum sd_engine_notification */
	_Atomic uint32_t num_posters;		/**< threads inside sd_engine_post(): destroy waits for them */
	int fd;					/**< eventfd */
	enum doca_pe_event_mode event_mode;
	uint32_t callback_depth;		/**< callbacks of this engine that are on the stack */
	struct doca_ctx *ready_head, *ready_tail;
	size_t num_contexts;			/**< connected */
	size_t num_started;			/**< not IDLE */
	size_t num_inflight;
	struct sd_inline inline_device;
	size_t num_pollable;			/**< started contexts that can be polled */
	struct doca_ctx *visited;		/**< those that have something to look for */
	struct sd_sources sources;		/**< and the descriptors that are read without a visit */
	uint64_t num_visits;			/**< of contexts by polls, ever: what idle contexts cost */
	uint32_t num_idle;			/**< progress calls that found nothing since the last request for a notification */
	uint32_t num_turns;			/**< events since the last poll */
	uint8_t is_polling;
	uint8_t gave_event;			/**< the last call of progress did; the next may end without a look outside */
	struct doca_pe *all_next, *all_prev;	/**< all engines of the process */
};

/** Any thread: an event for the context's engine. The event's owner may lose it before this returns. */
void sd_engine_post(struct doca_pe *pe, struct sd_event *event);
/** The same without waking anybody. */
void sd_engine_post_unheard(struct doca_pe *pe, struct sd_event *event);
/** Program's thread: append an event to its context. */
void sd_engine_queue(struct sd_event *event);
/** Program's thread: put an event before all others of its context. */
void sd_engine_queue_first(struct sd_event *event);
/** Program's thread: take back an event that was posted or queued and has not run. Nobody may be about to post it. */
void sd_engine_withdraw(struct sd_event *event);
/** Program's thread: take the event whose turn it is; NULL when there is none. */
struct sd_event *sd_engine_next(struct doca_pe *pe);
/** Program's thread: whether sd_engine_next() would find something. */
uint8_t sd_engine_has_work(const struct doca_pe *pe);
/** @name Polling; program's thread */
/** @{ */
/** A context has started, or is about to be IDLE. */
void sd_engine_join_poll(struct doca_ctx *ctx);
void sd_engine_leave_poll(struct doca_ctx *ctx);
/** Something is there to be done: whether it is time to look outside nevertheless. */
uint8_t sd_engine_is_poll_due(struct doca_pe *pe);
/** Look outside while other work waits. */
void sd_engine_poll_between(struct doca_pe *pe);
/** Nothing is there to be done: look outside if the program is polling. */
void sd_engine_poll_idle(struct doca_pe *pe);
/** The program asks for a notification. */
void sd_engine_rest(struct doca_pe *pe);
/** @} */
/** Something waits for progress: signal if the engine is armed. */
void sd_engine_wake(struct doca_pe *pe);
/** Any thread: wake every armed engine of the process (the virtual clock moved). */
void sd_engine_wake_all(void);
/** Fill all pools of a context for a start. NO_MEMORY. */
doca_error_t sd_task_pools_fill(struct doca_ctx *ctx);
/** Free all pools of a context. */
void sd_task_pools_free(struct doca_ctx *ctx);
/** Fail everything of a stopping context that no hardware works on yet: held and queued tasks. */
void sd_tasks_flush(struct doca_ctx *ctx);
/** Count a task in (1) or out (-1) of flight. */
void sd_task_count_inflight(struct doca_task *task, int change);

#endif
