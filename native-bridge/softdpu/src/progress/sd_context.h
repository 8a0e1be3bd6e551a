/*
 * The engine room: what a task library (compress, dma, comch, ...) builds its contexts and tasks on.
 *
 *   program thread                                   hardware threads ("threads") or doca_pe_progress ("inline")
 *   doca_task_submit -> latch -> sd_device_queue ->  operation->execute(task)
 *   doca_pe_progress <- event of the context     <-  sd_task_executed(task)
 *        operation->complete(task), then the program's callback
 *
 * Everything of a context or a task is touched by the program's thread only. A hardware thread sees nothing but the
 * task's latched work (operation->execute) and hands it back as an event. Other threads of a library (a receiver of
 * messages, say) reach a context through sd_context_post_event() alone.
 */
#ifndef SD_CONTEXT_H
#define SD_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "sd_fault.h"
#include "doca_ctx.h"
#include "doca_pe.h"
#include "doca_types.h"

struct doca_dev;
struct sd_channels;
struct sd_task_pool;
struct sd_task_batch_pool;

/**
 * Something that happened to a context and waits for its turn in doca_pe_progress(). Its memory belongs to whoever
 * posts it, and must stay until run() is called; run() may free it or post it again.
 */
struct sd_event {
	struct sd_event *next;
	struct doca_ctx *ctx;
	/** Program's thread, from progress. Returns 1 when a program could notice it, 0 for library-internal steps: progress
	 *  then goes on to the next event. */
	uint8_t (*run)(struct sd_event *event);
	uint8_t is_counted;				/**< is part of ctx->num_posted */
};

/** A context library's hooks; all run on the program's thread. Any may be NULL where "nothing to do" is the answer. */
struct sd_context_ops {
	const char *name;				/**< "compress"; names the library in logs */
	/** IDLE -> STARTING/RUNNING. SUCCESS: running at once. IN_PROGRESS: sd_context_started() is called later. Any other error:
	 *  the context stays IDLE, no event may have been posted. */
	doca_error_t (*start)(struct doca_ctx *ctx);
	/** The program asks to stop. Other than SUCCESS: that is the answer, and nothing happens. */
	doca_error_t (*may_stop)(const struct doca_ctx *ctx);
	/** The context leaves STARTING or RUNNING: cancel what the library itself holds (posted receives, connections). */
	void (*stop)(struct doca_ctx *ctx);
	/** Whether library-owned work still keeps a STOPPING context from IDLE. Tasks and posted events are counted by the core.
	 *  As long as other threads may post events to the context, the answer must be 1. */
	uint8_t (*is_busy)(const struct doca_ctx *ctx);
	/** The context has reached IDLE; just before the callback. */
	void (*stopped)(struct doca_ctx *ctx);
	/** The program's thread looks for work itself, again and again: bring in what has arrived, about budget events of each peer,
	 *  without waiting. From progress, between two events; nothing may be called that calls the program. 1: look again. 0: not before
	 *  sd_context_visit(); until then the context must be as after rest. The first visit follows the start. NULL: only other
	 *  threads bring something. */
	uint8_t (*poll)(struct doca_ctx *ctx, uint32_t budget);
	/** The program is about to sleep: until the next poll it is for other threads to bring in, or to wake for, what arrives.
	 *  Goes with poll. */
	void (*rest)(struct doca_ctx *ctx);
};

/** Base of every context: the first member of struct doca_compress, struct doca_dma, ... */
struct doca_ctx {
	const struct sd_context_ops *ops;
	struct doca_dev *dev;				/**< may be NULL (none needed); held from init to fini */
	struct doca_pe *pe;
	enum doca_ctx_states state;
	union doca_data user_data;
	doca_ctx_state_changed_callback_t state_changed;
	struct sd_task_pool *pools;			/**< one per task type, singly linked */
	struct sd_task_batch_pool *batch_pools;
	size_t num_inflight;				/**< tasks submitted, callback not yet called */
	size_t num_allocated;				/**< tasks and batches that the program has not freed */
	struct doca_task *held_head, *held_tail;	/**< submitted without FLUSH, not yet at the device */
	uint8_t is_ordered;				/**< tasks are reported in the order of their submission; set while IDLE */
	struct doca_task *order_head, *order_tail;	/**< all in flight, oldest first, of an ordered context */

	struct sd_event *events_head, *events_tail;	/**< what waits for progress, oldest first */
	struct doca_ctx *ready_next;			/**< contexts of one engine with events */
	uint8_t is_ready;				/**< is one of those */
	_Atomic uint32_t num_posted;			/**< posted events that were not yet run */
	struct sd_event idle_event;			/**< the last progress of a STOPPING context */
	uint8_t is_idle_queued;
	struct sd_event fail_event;			/**< the context is to stop by itself */
	_Atomic uint8_t is_fail_posted;
	_Atomic uint8_t is_lost;			/**< the device is gone (fault "lost") */
	_Atomic uint8_t is_broken;			/**< a failed task stops the context: the device begins no other; 0 at start */
	struct doca_ctx *started_next, *started_prev;	/**< all started contexts of the process; registry's lock */
	struct doca_ctx *visited_next, *visited_prev;	/**< contexts of one engine that polls visit */
	uint8_t is_visited;				/**< is one of those */
};

/** State that a hardware thread keeps for a library between tasks: coders, scratch memory. */
struct sd_unit_type {
	void *(*create)(void);				/**< NULL when out of memory: the task fails with NO_MEMORY */
	void (*destroy)(void *unit);
};

/** How one type of task behaves: a static table per type. */
struct sd_task_operation {
	const char *name;				/**< "compress-deflate": the name in fault plans and logs */
	size_t task_size;				/**< of the library's task struct, whose first member is struct doca_task */
	/** Made once per hardware thread, at its first task that needs it; gone when the device rests. May be NULL. */
	const struct sd_unit_type *unit_type;
	/** Validation of try_submit: INVALID_VALUE when the task cannot succeed. Program's thread. May be NULL. */
	doca_error_t (*validate)(struct doca_task *task);
	/** Copy all that execution needs out of the program's objects. An error becomes the task's result (not submit's),
	 *  except AGAIN, which submit returns: nothing may stay latched then. Program's thread. May be NULL. */
	doca_error_t (*latch)(struct doca_task *task);
	/** Do the work on latched data; returns the task's status. unit: NULL without unit_type. Hardware thread. NULL when begin
	 *  carries out all tasks. */
	doca_error_t (*execute)(struct doca_task *task, void *unit);
	/** Whether execution would wait for another process that is stuck (sd_peer_holds_up()): the task stays in the queue. With the queue's
	 *  lock held. NULL: tasks depend on no other process. */
	uint8_t (*is_held_up)(const struct doca_task *task);
	/** The library carries the task out by itself, instead of a hardware thread: it ends it with sd_task_executed() or
	 *  sd_task_ended(), also when its context stops. Tasks that a fault keeps from being executed do not get here. Program's
	 *  thread. NULL: execute does it. */
	void (*begin)(struct doca_task *task);
	/** Publish results into the program's objects and release the latch; called for every submitted task exactly once,
	 *  just before the callback. status is already set in the task. Program's thread. May be NULL. */
	void (*complete)(struct doca_task *task);
	/** Fault "corrupt": damage the latched output of a successful task. Hardware thread. May be NULL. */
	void (*corrupt)(struct doca_task *task);
	/** How many bytes the device moves for a latched task, and which of its units does: for the timing model. NULL: it takes no time.
	 *  Program's thread. */
	uint64_t (*load)(const struct doca_task *task, const struct sd_channels **channels);
	/** Whether a failed task moves its context to STOPPING by itself (DMA does, compress does not). */
	uint8_t failure_stops_context;
};

enum sd_task_state {
	SD_TASK_FREE,
	SD_TASK_OWNED,		/* by the program */
	SD_TASK_SUBMITTED,
	SD_TASK_DROPPED,	/* submitted, and freed meanwhile: goes back to its pool when it has ended, no callback */
	SD_TASK_LENT,		/* to a graph, submitted or not */
};

/** Base of every task. Memory belongs to the pool and stays readable after doca_task_free(). */
struct doca_task {
	struct sd_event event;				/**< first member: the task's completion, waiting for progress */
	struct doca_ctx *ctx;
	struct sd_task_pool *pool;
	union doca_data user_data;
	doca_error_t status;
	enum sd_task_state state;
	struct doca_task *next;				/**< free list, held list or device queue: one at a time */
	struct doca_task_batch *batch;			/**< NULL unless the task is part of one */
	struct sd_fault fault;				/**< dealt to this submission */
	uint8_t is_fault_drawn;				/**< a submission that the library refused keeps what it was dealt */
	uint8_t is_executed;
	uint8_t is_early;				/**< ended, but older ones of its ordered context have not */
	struct doca_task *order_next;
	uint64_t timed_ns;				/**< the timing model: not complete before then; 0: no such time */
	uint64_t due_ns;				/**< inline: of execution; then of a delayed completion; device's clock */
};

/** Pool of one task type of one context; created by set_conf, filled at start, freed at destroy or re-configuration. */
struct sd_task_pool {
	const struct sd_task_operation *operation;
	struct doca_ctx *ctx;
	uint32_t num_tasks;
	doca_task_completion_cb_t completed, failed;	/**< libraries' callback types are call-compatible by design of DOCA */
	uint8_t *memory;
	size_t stride;
	struct doca_task *free_list;
	struct sd_task_pool *next;
};

/** @name Contexts */
/** @{ */
/** Prepare the embedded context (zeroed memory is not required); holds dev. State is IDLE. */
void sd_context_init(struct doca_ctx *ctx, const struct sd_context_ops *ops, struct doca_dev *dev);
/** Undo sd_context_init: detach from the engine, free pools, release dev. IN_USE unless IDLE. */
doca_error_t sd_context_fini(struct doca_ctx *ctx);
/** BAD_STATE unless the context is IDLE: the guard of every configuration call. */
doca_error_t sd_context_require_idle(const struct doca_ctx *ctx);
/** An asynchronous start has come to its end: RUNNING on SUCCESS, otherwise STOPPING then IDLE. From an event's run(). */
void sd_context_started(struct doca_ctx *ctx, doca_error_t result);
/** The library stops the context without a call of the program: STOPPING, callback, flush. From an event's run(). */
void sd_context_fail(struct doca_ctx *ctx);
/** Re-examine a STOPPING context after library-owned work ended; queues its IDLE event when nothing is left. Not needed at
 *  the end of an event's run(): the engine does it. */
void sd_context_check_idle(struct doca_ctx *ctx);
/**
 * Any thread: let run(event) be called by the progress of the context's engine, one progress call per event, in posting
 * order per posting thread; wakes a sleeper. The context must not be IDLE for as long as this call lasts (a library's
 * is_busy hook sees to that). A context does not reach IDLE while posted events wait.
 */
void sd_context_post_event(struct doca_ctx *ctx, struct sd_event *event, uint8_t (*run)(struct sd_event *event));
/** The same without waking a sleeper: an event that the device loses (quirk Q1) and a later progress finds. */
void sd_context_post_lost_event(struct doca_ctx *ctx, struct sd_event *event, uint8_t (*run)(struct sd_event *event));
/** Any thread, under the same condition: sd_context_fail() in a progress call of its own. */
void sd_context_post_failure(struct doca_ctx *ctx);
/** Any thread: wake the context's sleeper, who finds out by polling what there is. The context must not be IDLE meanwhile. */
void sd_context_wake(struct doca_ctx *ctx);
/** Program's thread: whether the context's engine is polled at the moment. */
uint8_t sd_context_is_polled(const struct doca_ctx *ctx);
/** Program's thread: polls visit the started context from now on, until its poll hook says otherwise. */
void sd_context_visit(struct doca_ctx *ctx);
/** Program's thread, inline execution: the engine's next draw from the seed. */
uint64_t sd_context_draw(struct doca_ctx *ctx);
/** Program's thread, inline execution: something has arrived that was under way for a while, which is drawn from the seed. */
void sd_context_elapse(struct doca_ctx *ctx);
/** Any thread: the device of this started context is gone; all started contexts of the same device stop by themselves. */
void sd_context_lose_device(struct doca_ctx *ctx);
/** @} */

/** @name Tasks */
/** @{ */
/** set_conf of a task type: creates or re-configures the pool. BAD_STATE unless IDLE; INVALID_VALUE for a NULL callback or
 *  num_tasks 0. Limits over all pools are the library's to check before. */
doca_error_t sd_task_pool_configure(struct doca_ctx *ctx, const struct sd_task_operation *operation,
				    doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks);
/** Sum of num_tasks over the context's pools but one type (for the limit check of set_conf). */
uint64_t sd_task_pools_sum_except(const struct doca_ctx *ctx, const struct sd_task_operation *operation);
/** Take a task: BAD_STATE unless RUNNING, NO_MEMORY when the pool is exhausted or was never configured. */
doca_error_t sd_task_alloc(struct doca_ctx *ctx, const struct sd_task_operation *operation, union doca_data user_data,
			   struct doca_task **task);
/** @} */

/** @name The device's side of completion */
/** @{ */
/** Any thread: hand a task back; wakes a sleeper. The task's status must be set. The caller may not touch it afterwards. */
void sd_task_executed(struct doca_task *task);
/** Whether a task that has its status stops its context. */
uint8_t sd_task_breaks_context(const struct doca_task *task);
/** Program's thread: the same without a detour. */
void sd_task_ended(struct doca_task *task);
/** Program's thread: give a task to the hardware threads, whatever its operation's begin. */
void sd_task_queue(struct doca_task *task);
/** Program's thread: a task that the library carried out, and whose fault has a delay, ends that much later. Its status must be set. */
void sd_task_delay(struct doca_task *task);
/** @} */

#endif
