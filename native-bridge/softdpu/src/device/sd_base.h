/* Contexts and tasks, as the device, the progress engine and the task libraries share them. sd_context.h has the functions. */
#ifndef SD_BASE_H
#define SD_BASE_H

#include <stddef.h>
#include <stdint.h>

#include "doca_ctx.h"
#include "doca_pe.h"
#include "doca_types.h"
#include "sd_fault.h"

struct doca_dev;
struct sd_channels;
struct sd_task_pool;

/**
 * An event of a context that waits for doca_pe_progress(). The poster owns the memory, which must stay valid until run() is
 * called. run() may free the event or post it again.
 */
struct sd_event {
	struct sd_event *next;
	struct doca_ctx *ctx;
	/**
	 * Handles the event, from progress, on the program's thread. Returns 1 if the program can observe it. Returns 0 for
	 * library-internal steps: progress then handles the next event.
	 */
	uint8_t (*run)(struct sd_event *event);
	uint8_t is_counted;				/**< counted in ctx->num_posted */
};

/** Hooks of a context library; all run on the program's thread. A hook may be NULL if it has nothing to do. */
struct sd_context_ops {
	const char *name;				/**< "compress"; name of the library in logs */
	/**
	 * Starts the library's part: IDLE -> STARTING/RUNNING. SUCCESS: RUNNING at once. IN_PROGRESS: sd_context_started() is
	 * called later. Any other error: the context stays IDLE; no event may have been posted.
	 */
	doca_error_t (*start)(struct doca_ctx *ctx);
	/** Called when the program requests a stop. A result other than SUCCESS refuses the stop and is returned. */
	doca_error_t (*may_stop)(const struct doca_ctx *ctx);
	/**
	 * Called when the context leaves STARTING or RUNNING: cancels the work that the library itself holds (posted receives,
	 * connections).
	 */
	void (*stop)(struct doca_ctx *ctx);
	/**
	 * Returns whether library-owned work keeps a STOPPING context from IDLE. The core counts tasks and posted events. While
	 * other threads may post events to the context, the result must be 1.
	 */
	uint8_t (*is_busy)(const struct doca_ctx *ctx);
	/**
	 * Called when the host of the started context ends: ends all links to peers at once, as the end of the process does. Must
	 * not call the program. The failure of the context follows.
	 */
	void (*die)(struct doca_ctx *ctx);
	/** Called when the context has reached IDLE, just before the callback. */
	void (*stopped)(struct doca_ctx *ctx);
	/**
	 * Polls for arrived work without waiting, about budget events per peer. Runs from progress, between two events,
	 * repeatedly; it must not call the program. Returns 1 to be called again. Returns 0 to be called only after
	 * sd_context_visit(); until then the context must be as after rest. The first poll follows the start. NULL: only other
	 * threads deliver work.
	 */
	uint8_t (*poll)(struct doca_ctx *ctx, uint32_t budget);
	/**
	 * Called when the program may sleep: until the next poll, other threads must deliver arriving work or wake the program.
	 * Required with poll.
	 */
	void (*rest)(struct doca_ctx *ctx);
	/**
	 * Inline execution: returns the virtual time at which a poll has work that no task stands for; UINT64_MAX: none. The
	 * engine asks contexts that polls visit. NULL: always none.
	 */
	uint64_t (*next_due)(const struct doca_ctx *ctx);
};

/** Tasks in flight that are reported in the order of their submission, oldest first. Thread: program's. */
struct sd_task_order {
	struct doca_task *head, *tail;
};

/** Base of every context: the first member of struct doca_compress, struct doca_dma, ... */
struct doca_ctx {
	const struct sd_context_ops *ops;
	struct doca_dev *dev;				/**< may be NULL (not needed); held from init to fini */
	struct doca_pe *pe;
	enum doca_ctx_states state;
	union doca_data user_data;
	doca_ctx_state_changed_callback_t state_changed;
	struct sd_task_pool *pools;			/**< one per task type, singly linked */
	size_t num_inflight;				/**< submitted tasks whose callback has not run */
	size_t num_allocated;				/**< allocated tasks */
	struct doca_task *held_head, *held_tail;	/**< submitted without FLUSH, not yet passed to the device */
	uint8_t is_ordered;				/**< tasks are reported in submission order; set while IDLE */
	struct sd_task_order order;			/**< of an ordered context */

	struct sd_event *events_head, *events_tail;	/**< events that wait for progress, oldest first */
	struct doca_ctx *ready_next;			/**< list of the engine's contexts with events */
	uint8_t is_ready;				/**< member of that list */
	_Atomic uint32_t num_posted;			/**< posted events that have not run */
	struct sd_event idle_event;			/**< the last progress of a STOPPING context */
	uint8_t is_idle_queued;
	struct sd_event fail_event;			/**< makes the library stop the context; its run is set at init */
	_Atomic uint8_t is_fail_posted;
	_Atomic uint8_t is_lost;			/**< the device is lost (fault "lost") */
	_Atomic uint8_t is_broken;			/**< a failed task stopped the context: start no task; 0 at start */
	uint8_t is_losing;				/**< a task with fault "lost" began: begin no other; 0 at start */
	struct doca_ctx *started_next, *started_prev;	/**< all started contexts of the process; registry's lock */
	struct doca_ctx *visited_next, *visited_prev;	/**< list of the engine's contexts that polls visit */
	uint8_t is_visited;				/**< member of that list */
};

/** State that a hardware thread holds for a library between tasks: coders, scratch memory. */
struct sd_unit_type {
	void *(*create)(void);				/**< NULL when out of memory: the task fails with NO_MEMORY */
	void (*destroy)(void *unit);
};

/** Operations of one task type: a static table per type. */
struct sd_task_operation {
	const char *name;				/**< "compress-deflate": name in fault plans and logs */
	size_t task_size;				/**< size of the library's task struct (starts with struct doca_task) */
	/** Created once per hardware thread, at its first task that needs it; destroyed when the device closes. May be NULL. */
	const struct sd_unit_type *unit_type;
	/** Validates a task for try_submit: INVALID_VALUE if the task cannot succeed. Thread: program's. May be NULL. */
	doca_error_t (*validate)(struct doca_task *task);
	/**
	 * Returns the order that a submitted task belongs to, or NULL. For contexts without is_ordered. Thread: program's. May
	 * be NULL.
	 */
	struct sd_task_order *(*order)(const struct doca_task *task);
	/**
	 * Copies all that execution needs from the program's objects. An error becomes the task's result (not submit's), except
	 * AGAIN: submit returns it, and nothing may stay latched. Thread: program's. May be NULL.
	 */
	doca_error_t (*latch)(struct doca_task *task);
	/**
	 * Executes the latched work and returns the task's status. unit: NULL without unit_type. Thread: hardware thread. NULL
	 * if begin executes all tasks. IN_PROGRESS: the library continues the task by sd_task_queue(), or ends it, perhaps
	 * already.
	 */
	doca_error_t (*execute)(struct doca_task *task, void *unit);
	/**
	 * Returns whether execution would wait for another process that is stuck (sd_peer_holds_up()): the task then stays in
	 * the queue. The queue's lock is held. NULL: tasks depend on no other process.
	 */
	uint8_t (*is_held_up)(const struct doca_task *task);
	/**
	 * Starts a task that the library executes instead of a hardware thread. The library ends it with sd_task_executed() or
	 * sd_task_ended(), also when its context stops. Not called for tasks that a fault keeps from execution. Thread:
	 * program's. NULL: execute is used.
	 */
	void (*begin)(struct doca_task *task);
	/**
	 * Writes results into the program's objects and releases the latch. Called exactly once for every submitted task, just
	 * before the callback; the task's status is set. Thread: program's. May be NULL.
	 */
	void (*complete)(struct doca_task *task);
	/**
	 * Frees what the library added to an allocated task. Called when the task returns to its pool. Thread: program's. May be
	 * NULL.
	 */
	void (*discard)(struct doca_task *task);
	/**
	 * Implements fault "corrupt": damages the latched output of a successful task. Thread: hardware thread. May be NULL.
	 */
	void (*corrupt)(struct doca_task *task);
	/**
	 * Returns, for the timing model, the bytes that the device moves for a latched task, and sets the unit that moves them.
	 * NULL: the task takes no time. Thread: program's.
	 */
	uint64_t (*load)(const struct doca_task *task, const struct sd_channels **channels);
	/** A failed task moves its context to STOPPING (true for DMA, not for compress). */
	uint8_t failure_stops_context;
};

enum sd_task_state {
	SD_TASK_FREE,
	SD_TASK_OWNED,		/* owned by the program */
	SD_TASK_SUBMITTED,
	SD_TASK_DROPPED,	/* submitted, then freed: returns to its pool when it ends, without a callback */
	SD_TASK_LENT,		/* lent to a graph, submitted or not */
};

/** Base of every task. The pool owns the memory, which stays readable after doca_task_free(). */
struct doca_task {
	struct sd_event event;				/**< first member: the task's completion event */
	struct doca_ctx *ctx;
	struct sd_task_pool *pool;
	union doca_data user_data;
	doca_error_t status;
	enum sd_task_state state;
	struct doca_task *next;				/**< free list, held list or device queue: one at a time */
	struct sd_fault fault;				/**< faults of this submission */
	uint8_t is_fault_drawn;				/**< a submission that the library refused keeps its faults */
	uint8_t is_executed;
	uint8_t is_early;				/**< ended before older tasks of its order */
	struct sd_task_order *order;			/**< NULL: reported when it ends */
	struct doca_task *order_next;
	uint64_t timed_ns;				/**< timing model: earliest completion; 0: none */
	uint64_t due_ns;				/**< inline: time of execution or delayed completion; device's clock */
};

/** Pool of one task type of one context; created by set_conf, filled at start, freed at destroy or reconfiguration. */
struct sd_task_pool {
	const struct sd_task_operation *operation;
	struct doca_ctx *ctx;
	uint32_t num_tasks;
	doca_task_completion_cb_t completed, failed;	/**< DOCA makes the libraries' callback types call-compatible */
	uint8_t *memory;
	size_t stride;
	struct doca_task *free_list;
	struct sd_task_pool *next;
};

/** Returns whether a task with its status stops its context. */
static inline uint8_t sd_task_breaks_context(const struct doca_task *task)
{
	return task->status != DOCA_SUCCESS && task->pool->operation->failure_stops_context;
}

#endif
