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

struct bridge_kind;
struct bridge_patience;
struct bridge_pool;

struct bridge_task {
	void *object;				/**< the kind's own task; NULL while bare */
	struct doca_task *base;			/**< the same task for doca_task_* functions */
	struct bridge_pool *pool;
	struct bridge_task *next;
	struct doca_buf *dst;			/**< of the entry in flight; NULL when it has none */
	uint64_t user_data;			/**< of the entry in flight */
	struct dpubridge_batch *batch;		/**< that it is of; NULL: an entry of its own */
	uint32_t number;			/**< within the batch */
	struct bridge_aside aside;		/**< its record, and the way home of a completion on a foreign thread */
};

struct bridge_pool {
	const struct bridge_kind *kind;		/**< NULL until configured */
	struct bridge_context *context;
	struct bridge_task *kept;		/**< with a DOCA task, ready for re-use */
	struct bridge_task *bare;		/**< without */
	struct bridge_task *cells;
	uint32_t num_allocated;			/**< DOCA tasks that are not freed: kept and in flight */
	uint16_t kind_number;
	struct bridge_queue queue;		/**< entries that wait for a task */
	struct bridge_patience *patience;	/**< what is refused for the moment waits as well; NULL: it becomes a record */
};

/** Whether something could be submitted now. */
static inline bool bridge_pool_has_task(const struct bridge_pool *pool)
{
	return pool->kept != NULL || pool->bare != NULL;
}

/** set_conf, and room for num_tasks. IN_USE while tasks of a former configuration are not freed. */
int32_t bridge_pool_configure(struct bridge_pool *pool, struct bridge_context *context, uint16_t kind, uint32_t num_tasks);

/** Free the DOCA tasks that are kept for re-use. */
void bridge_pool_free_kept(struct bridge_pool *pool);

/** Forget the configuration; no DOCA task may be allocated. */
void bridge_pool_fini(struct bridge_pool *pool);

/**
 * Have DOCA do what an entry says.
 * @param user_data of the record
 * @param batch that the entry is of, as its number-th; NULL: it is one by itself
 * @return 0, or the doca_error_t that it was not submitted for
 */
int32_t bridge_task_submit(struct bridge_pool *pool, const struct dpubridge_entry *entry, uint64_t user_data,
			   struct dpubridge_batch *batch, uint32_t number);

/** Put the record of a finished task where it belongs, and the task as well; lets in what waits for it. Owner. */
void bridge_task_answer(struct bridge_task *task);

/** Put the record of a batch, all of whose tasks have their result, into the ring. Owner. */
void bridge_task_end_batch(struct bridge_pool *pool, uint64_t user_data);

#endif
