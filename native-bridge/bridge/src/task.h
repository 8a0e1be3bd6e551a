/*
 * Tasks of one context and kind. A cell belongs to one DOCA task from its allocation until it is freed:
 *
 *   bare --alloc_init--> submitted --callback--> kept --refill--> submitted ...
 *    ^                       |                     |
 *    +------- doca_task_free, when draining -------+
 */
#ifndef BRIDGE_TASK_H
#define BRIDGE_TASK_H

#include "bridge.h"
#include "queue.h"
#include "symbols.h"

struct bridge_kind;
struct bridge_patience;
struct bridge_pool;

struct bridge_task {
	/* One cache line is all that a task of a batch needs. */
	alignas(BRIDGE_CACHE_LINE) void *object; /**< the kind's own task; NULL while bare */
	struct doca_task *base;			/**< the same task for doca_task_* functions */
	struct bridge_pool *pool;
	struct bridge_task *next;
	struct doca_buf *dst;			/**< of the entry in flight; NULL when it has none */
	struct dpubridge_batch *batch;		/**< that the entry in flight is of; NULL: one by itself */
	uint64_t tag;				/**< batch->tag + number whose buffers the task has; 0: of no batch */
	union {
		uint64_t user_data;		/**< of an entry by itself */
		uint64_t src_len;		/**< of one in a batch */
	};
	struct bridge_aside aside;		/**< its record, and the way home of a completion on a foreign thread */
};
static_assert(offsetof(struct bridge_task, aside) == BRIDGE_CACHE_LINE, "a task of a batch is one cache line");

struct bridge_pool {
	const struct bridge_kind *kind;		/**< NULL until configured */
	struct bridge_context *context;
	struct bridge_task *kept;		/**< with a DOCA task, ready for re-use; last in, first out */
	struct bridge_task *last_kept;		/**< since one was taken; NULL: none. Those that come then follow it: they are taken
						 *   in the order in which they came, so that each number of a batch finds its own */
	struct bridge_task *bare;		/**< without */
	struct bridge_task *cells;
	uint32_t num_allocated;			/**< DOCA tasks that are not freed: kept and in flight */
	uint32_t inflight;
	uint16_t kind_number;
	struct bridge_queue queue;		/**< entries that wait for a task */
	struct bridge_patience *patience;	/**< what is refused for the moment waits as well; NULL: it becomes a record */
};

/** Whether something could be submitted now. */
static inline bool bridge_pool_has_task(const struct bridge_pool *pool)
{
	return pool->kept != NULL || pool->bare != NULL;
}

/** Put a task in front of a list. */
static inline void bridge_task_push(struct bridge_task **list, struct bridge_task *task)
{
	task->next = *list;
	*list = task;
}

/** Keep a task for re-use. */
static inline void bridge_pool_keep(struct bridge_pool *pool, struct bridge_task *task)
{
	bridge_task_push(pool->last_kept != NULL ? &pool->last_kept->next : &pool->kept, task);
	pool->last_kept = task;
}

/** The first that is kept is taken. */
static inline void bridge_pool_take_kept(struct bridge_pool *pool)
{
	pool->kept = pool->kept->next;
	pool->last_kept = NULL;
}

/** set_conf, and room for num_tasks. IN_USE while tasks of a former configuration are not freed. */
int32_t bridge_pool_configure(struct bridge_pool *pool, struct bridge_context *context, uint16_t kind, uint32_t num_tasks);

/** Free the DOCA tasks that are kept for re-use. */
void bridge_pool_free_kept(struct bridge_pool *pool);

/** Forget the configuration; no DOCA task may be allocated. */
void bridge_pool_fini(struct bridge_pool *pool);

/** Have DOCA do what an entry by itself says. @return 0, or the doca_error_t that it was not submitted for */
int32_t bridge_task_submit(struct bridge_pool *pool, const struct dpubridge_entry *entry);

/** A task with the buffers of an entry that was prepared: a kept one, or a new one. @return 0, or the doca_error_t */
int32_t bridge_task_take(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out);

/** Keep or free a task that is not in flight. */
void bridge_task_retire(struct bridge_task *task);

/**
 * Submit a task that was taken; from then on it may finish on another thread. It is gone in any case.
 * @return 0, or the doca_error_t that it was not submitted for
 */
static inline int32_t bridge_task_launch(struct bridge_pool *pool, struct bridge_task *task)
{
	int32_t status;

	pool->inflight++;
	status = bridge_doca.task_submit(task->base);
	if (status != DOCA_SUCCESS) {
		pool->inflight--;
		bridge_task_retire(task);
	}
	return status;
}

/** Put the record of a finished task where it belongs, and the task as well; lets in what waits for it. Owner. */
void bridge_task_answer(struct bridge_task *task);

#endif
