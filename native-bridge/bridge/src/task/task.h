/*
 * Tasks of one context and kind. A cell belongs to one DOCA task from its allocation until it is freed:
 *
 *   bare --alloc_init--> submitted --callback--> kept --refill--> submitted ...
 *    ^                       |                     |
 *    +------- doca_task_free, when draining -------+
 */
#ifndef BRIDGE_TASK_H
#define BRIDGE_TASK_H

#include "base/symbols.h"
#include "ring/bridge.h"
#include "task/kind.h"

struct bridge_task {
	/* A task of a batch needs only this cache line. */
	alignas(BRIDGE_CACHE_LINE) void *object; /**< the task by its kind's type; NULL while bare */
	struct doca_task *base;			/**< the same task for doca_task_* functions */
	struct bridge_pool *pool;
	struct bridge_task *next;		/**< itself: the task is in flight */
	struct doca_buf *dst;			/**< destination of the entry in flight; NULL when it has none */
	struct dpubridge_batch *batch;		/**< batch of the entry in flight; NULL for a single entry */
	uint64_t tag;				/**< batch->tag + number whose buffers the task has; 0: no batch */
	union {
		uint64_t user_data;		/**< of a single entry */
		uint64_t src_len;		/**< of an entry in a batch */
	};
	struct bridge_overflow_item overflow;	/**< the record; queues a completion on a foreign thread */
	uint64_t number;			/**< result of a task of a sync event; DOCA writes it */
	uint32_t session;			/**< number of the session whose state the task has; 0: none */
};
static_assert(offsetof(struct bridge_task, overflow) == BRIDGE_CACHE_LINE, "a task of a batch is one cache line");

struct bridge_pool {
	const struct bridge_kind *kind;		/**< NULL until configured */
	struct bridge_pool *head;		/**< pool of the queue where entries wait; itself unless kinds share a queue */
	struct dpubridge *bridge;
	void *object;				/**< library object of the context: struct doca_compress *, ... */
	uint32_t context;			/**< handle of the context */
	uint16_t kind_number;
	bool is_draining;			/**< tasks are freed as they complete */
	struct bridge_task *kept;		/**< tasks with a DOCA task, ready for re-use; last in, first out */
	struct bridge_task *last_kept;		/**< last task kept since one was taken; NULL: none. Later kept tasks follow it:
						 *   tasks are re-used in that order, so that each number of a batch gets its task */
	struct bridge_task *bare;		/**< tasks without a DOCA task; all cells of a kind with sessions */
	struct bridge_task *cells;
	uint32_t num_cells;
	uint32_t num_allocated;			/**< DOCA tasks not freed: kept and in flight */
	uint32_t inflight;			/**< of the head: tasks of all pools of the queue. Others: 0 */
};

/** Returns whether a task is free for a submission. */
static inline bool bridge_pool_has_task(const struct bridge_pool *pool)
{
	return pool->kept != NULL || pool->bare != NULL;
}

/** Returns whether DOCA has the task. A list of tasks has no loop, so a task that is not in flight never follows itself. */
static inline bool bridge_task_is_in_flight(const struct bridge_task *task)
{
	return task->next == task;
}

/** Puts a task in front of a list. */
static inline void bridge_task_push(struct bridge_task **list, struct bridge_task *task)
{
	task->next = *list;
	*list = task;
}

/** Keeps a task for re-use. */
static inline void bridge_pool_keep(struct bridge_pool *pool, struct bridge_task *task)
{
	bridge_task_push(pool->last_kept != NULL ? &pool->last_kept->next : &pool->kept, task);
	pool->last_kept = task;
}

/** Removes the first kept task. */
static inline void bridge_pool_take_kept(struct bridge_pool *pool)
{
	pool->kept = pool->kept->next;
	pool->last_kept = NULL;
}

/**
 * Calls set_conf and allocates num_tasks cells. No task of a previous configuration is allocated.
 * @param wanted the pool without tasks
 * @param done, failed DOCA's callbacks of a finished task, whose user data is the struct bridge_task
 * @return 0, NO_MEMORY, or the doca_error_t of set_conf. After an error the pool is unchanged.
 */
int32_t bridge_pool_configure(struct bridge_pool *pool, const struct bridge_pool *wanted, doca_completion_cb done,
			      doca_completion_cb failed, uint32_t num_tasks);

/** Frees the DOCA tasks that are kept for re-use. */
void bridge_pool_free_kept(struct bridge_pool *pool);

/** Frees the configuration; no DOCA task may be allocated. */
void bridge_pool_fini(struct bridge_pool *pool);

/** Submits a single entry. @return 0, or the doca_error_t of the failing call */
int32_t bridge_task_submit(struct bridge_pool *pool, const struct dpubridge_entry *entry);

/** Takes a kept or new task and sets the buffers of a prepared entry. @return 0, or the doca_error_t */
int32_t bridge_task_take(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out);

/** Keeps or frees a task that is not in flight. */
void bridge_task_retire(struct bridge_task *task);

/**
 * Submits a task that was taken. From then on it may finish on another thread. The caller must not use the task afterwards, also
 * after an error.
 * @return 0, or the doca_error_t of the submission
 */
static inline int32_t bridge_task_launch(struct bridge_pool *pool, struct bridge_task *task)
{
	int32_t status;

	pool->head->inflight++;
	task->next = task;
	status = bridge_doca.task_submit(task->base);
	if (status != DOCA_SUCCESS) {
		pool->head->inflight--;
		bridge_task_retire(task);
	}
	return status;
}

/**
 * Writes the record of a finished single task, field by field in place: a copy right after the stores would stall the processor.
 * Any thread.
 */
void bridge_task_describe(const struct bridge_task *task, bool has_failed, struct dpubridge_record *record);

#endif
