/* Configures the kinds of a context. */
#include "base/error.h"
#include "base/symbols.h"
#include "context/context.h"
#include "kind/kinds.h"
#include "queue/completion.h"

/* Returns the number of tasks of the other kinds that share a queue. */
static uint32_t num_shared(const struct bridge_context *context, uint16_t kind)
{
	uint32_t i, sum = 0;

	for (i = 0; i < DPUBRIDGE_KIND_COUNT; i++)
		if (i != kind && context->queues[i].pool.head == &context->queues[BRIDGE_SHARED_QUEUE].pool)
			sum += context->queues[i].pool.num_cells;
	return sum;
}

/* Configures the pool of a kind, and the queue in front of it. */
static int32_t configure(struct bridge_context *context, const struct bridge_kind *kind, uint16_t number, uint32_t num_tasks)
{
	bool is_shared = kind->shape->shares_queue;
	struct bridge_queue *queue = &context->queues[is_shared ? BRIDGE_SHARED_QUEUE : number];
	struct bridge_pool *pool = &context->queues[number].pool;
	struct bridge_pool wanted = {
		.kind = kind,
		.head = &queue->pool,
		.bridge = context->bridge,
		.object = context->object,
		.context = context->handle,
		.kind_number = number,
	};
	struct bridge_queue fresh = { .kinds = is_shared ? context->queues : NULL };
	int32_t status = bridge_queue_configure(&fresh, num_tasks + (is_shared ? num_shared(context, number) : 0), 0);

	if (status == DOCA_SUCCESS)
		status = bridge_pool_configure(pool, &wanted, bridge_task_done, bridge_task_failed, num_tasks);
	if (status != DOCA_SUCCESS) {
		bridge_queue_fini(&fresh);
		return bridge_fail(status, "dpubridge_context_configure: set_conf");
	}
	fresh.pool = is_shared ? wanted : *pool;
	bridge_queue_fini(queue);
	*queue = fresh;
	return DOCA_SUCCESS;
}

int32_t dpubridge_context_configure(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_tasks)
{
	int32_t status;
	struct bridge_context *context = bridge_context_require(bridge, handle, "dpubridge_context_configure", &status);
	const struct bridge_kind *found = bridge_kind_find(kind);

	if (context == NULL)
		return status;
	if (kind >= DPUBRIDGE_KIND_COUNT || num_tasks == 0)
		return bridge_fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_context_configure: kind or num_tasks");
	if (found == NULL)
		return bridge_fail(DOCA_ERROR_NOT_SUPPORTED, "dpubridge_context_configure: no loaded library has this kind");
	if (context->queues[kind].pool.num_allocated != 0 || context->queues[kind].count != 0 ||
	    (found->shape->shares_queue && context->queues[BRIDGE_SHARED_QUEUE].count != 0))
		return bridge_fail(DOCA_ERROR_IN_USE, "dpubridge_context_configure: tasks are not freed");
	return configure(context, found, kind, num_tasks);
}

/* Returns the queue of a configured kind without waiting entries; NULL, with the reason in status. */
static struct bridge_queue *find(struct dpubridge *bridge, uint32_t handle, uint16_t kind, const char *function, int32_t *status)
{
	struct bridge_context *context = bridge_context_require(bridge, handle, function, status);
	const char *reason;

	if (context == NULL)
		return NULL;
	*status = DOCA_ERROR_BAD_STATE;
	if (kind >= DPUBRIDGE_KIND_COUNT || context->queues[kind].pool.kind == NULL) {
		reason = "the kind is not configured";
	} else if (bridge_queue_of(&context->queues[kind].pool)->count != 0) {
		*status = DOCA_ERROR_IN_USE;
		reason = "entries wait";
	} else {
		return bridge_queue_of(&context->queues[kind].pool);
	}
	bridge_error_set("%s: %s: %s", function, reason, bridge_doca.error_get_name(*status));
	return NULL;
}

int32_t dpubridge_context_queue(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_waiting)
{
	int32_t status;
	struct bridge_queue *queue = find(bridge, handle, kind, "dpubridge_context_queue", &status);

	return queue != NULL ? bridge_queue_configure(queue, queue->num_tasks, num_waiting) : status;
}
