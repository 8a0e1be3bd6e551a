/* Configures the kinds of a context. */
#include "base/error.h"
#include "base/symbols.h"
#include "context/context.h"
#include "kind/kinds.h"
#include "queue/completion.h"

int32_t dpubridge_context_configure(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_tasks)
{
	int32_t status;
	struct bridge_context *context = bridge_context_require(bridge, handle, "dpubridge_context_configure", &status);
	struct bridge_pool wanted = { .kind = bridge_kind_find(kind), .bridge = bridge, .context = handle, .kind_number = kind };
	struct bridge_queue *queue, fresh = { .pool = { .kind = NULL } };

	if (context == NULL)
		return status;
	if (kind >= DPUBRIDGE_KIND_COUNT || num_tasks == 0)
		return bridge_fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_context_configure: kind or num_tasks");
	if (wanted.kind == NULL)
		return bridge_fail(DOCA_ERROR_NOT_SUPPORTED, "dpubridge_context_configure: no loaded library has this kind");
	queue = &context->queues[kind];
	wanted.object = context->object;
	if (queue->pool.num_allocated != 0 || queue->count != 0)
		return bridge_fail(DOCA_ERROR_IN_USE, "dpubridge_context_configure: tasks are not freed");
	status = bridge_queue_configure(&fresh, num_tasks, 0);
	if (status == DOCA_SUCCESS)
		status = bridge_pool_configure(&queue->pool, &wanted, bridge_task_done, bridge_task_failed, num_tasks);
	if (status != DOCA_SUCCESS) {
		bridge_queue_fini(&fresh);
		return bridge_fail(status, "dpubridge_context_configure: set_conf");
	}
	fresh.pool = queue->pool;
	bridge_queue_fini(queue);
	*queue = fresh;
	return DOCA_SUCCESS;
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
	} else if (context->queues[kind].count != 0) {
		*status = DOCA_ERROR_IN_USE;
		reason = "entries wait";
	} else {
		return &context->queues[kind];
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
