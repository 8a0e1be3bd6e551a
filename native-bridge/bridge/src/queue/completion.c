#include "queue/completion.h"

#include "queue/batch.h"
#include "queue/pump.h"
#include "ring/overflow.h"
#include "ring/ring.h"

/* Ends a task of a batch whose result is written. Owner. */
static inline void end_of_batch(struct bridge_task *task, bool has_failed)
{
	struct dpubridge_batch *batch = task->batch;
	struct bridge_queue *queue = bridge_queue_of(task->pool);

	batch->failures += has_failed;
	batch->ended++;
	bridge_batch_end_if_complete(task->pool, batch);
	bridge_count(task->pool->bridge, DPUBRIDGE_COUNTER_COMPLETED);
	task->pool->head->inflight--;
	if (task->pool->is_draining || task->pool->kind->shape->refill == NULL)
		bridge_task_retire(task);
	else
		bridge_pool_keep(task->pool, task);
	if (queue->count > 0)
		bridge_queue_pump(queue);
}

/* Ends a single task whose record is in the ring. Owner. */
static void end_single(struct bridge_task *task)
{
	struct bridge_pool *pool = task->pool;

	pool->bridge->outstanding--;
	bridge_count(pool->bridge, DPUBRIDGE_COUNTER_COMPLETED);
	pool->head->inflight--;
	bridge_task_retire(task);
	bridge_queue_pump(bridge_queue_of(pool));
}

/* Answers a task that finished on a foreign thread. Owner. */
static void deliver(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	struct bridge_task *task = (struct bridge_task *)((char *)item - offsetof(struct bridge_task, overflow));

	if (task->batch != NULL) {
		end_of_batch(task, bridge_batch_result(task->batch, bridge_batch_number(task))->outcome < 0);
		return;
	}
	bridge_ring_put(bridge, &item->record);
	end_single(task);
}

/* The task's record or result is written. */
static void put_into_overflow(struct dpubridge *bridge, struct bridge_task *task)
{
	task->overflow.deliver = deliver;
	task->next = NULL;
	pthread_mutex_lock(&bridge->overflow.lock);
	bridge_overflow_append(bridge, &task->overflow);
	pthread_mutex_unlock(&bridge->overflow.lock);
}

/* Reports the second callback of a task, if there is room: the caller counts it. */
static void finished_again(const struct bridge_task *task)
{
	struct dpubridge *bridge = task->pool->bridge;
	const struct dpubridge_record record = {
		.user_data = task->batch != NULL ? DPUBRIDGE_NO_TASK : task->user_data,
		.context = task->pool->context,
		.type = DPUBRIDGE_RECORD_TASK_DONE,
		.kind = task->pool->kind_number,
	};

	if (bridge_is_owner(bridge) && bridge_ring_has_unsolicited_room(bridge))
		bridge_ring_put(bridge, &record);
}

static inline void finished(struct bridge_task *task, bool has_failed)
{
	struct dpubridge *bridge = task->pool->bridge;
	bool is_owner = bridge_is_owner(bridge);

	if (!bridge_task_is_in_flight(task)) {
		finished_again(task);
		return;
	}
	if (task->batch != NULL)
		has_failed = bridge_batch_describe(task, has_failed);
	else
		bridge_task_describe(task, has_failed, is_owner ? bridge_ring_next(bridge) : &task->overflow.record);
	if (!is_owner) {
		put_into_overflow(bridge, task);
	} else if (task->batch != NULL) {
		end_of_batch(task, has_failed);
	} else {
		bridge_ring_push(bridge);
		end_single(task);
	}
}

void bridge_task_done(void *object, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)object;
	(void)ctx_user_data;
	finished(task_user_data.ptr, false);
}

void bridge_task_failed(void *object, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)object;
	(void)ctx_user_data;
	finished(task_user_data.ptr, true);
}
