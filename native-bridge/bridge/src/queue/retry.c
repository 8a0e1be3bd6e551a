#include "queue/retry.h"

#include "base/clock.h"
#include "queue/queue.h"

void bridge_retry_later(struct bridge_queue *queue)
{
	struct dpubridge *bridge = queue->pool.bridge;

	if (!queue->is_refused) {
		bridge->num_retries = 0;
		bridge->refused_ns = bridge_now_ns();
	}
	queue->is_refused = true;
	/* A task in flight submits the entry again when it completes. A task that may last is no such promise. */
	if (queue->is_listed || (queue->pool.inflight > 0 && !queue->pool.kind->shape->may_last))
		return;
	queue->is_listed = true;
	queue->next_refused = bridge->refused;
	bridge->refused = queue;
}

void bridge_retry_forget(struct bridge_queue *queue)
{
	struct bridge_queue **at;

	if (!queue->is_listed)
		return;
	for (at = &queue->pool.bridge->refused; *at != queue; at = &(*at)->next_refused)
		;
	*at = queue->next_refused;
}

uint64_t dpubridge_retry_ns(const struct dpubridge *bridge)
{
	if (!bridge_require_owner(bridge, "dpubridge_retry_ns") || !bridge_retry_waits(bridge))
		return 0;
	return bridge->num_retries < BRIDGE_FREQUENT_RETRIES ? BRIDGE_RETRY_NS : BRIDGE_SLOW_RETRY_NS;
}
