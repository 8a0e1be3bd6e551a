/*
 * Tasks of the comch control path: a message to a connection. Such tasks have no setters; the bridge allocates one per message.
 */
#include "base/comch.h"
#include "connection/connection.h"
#include "context/context.h"
#include "kind/shapes.h"
#include "task/task.h"

typedef int (*alloc_send)(void *object, struct doca_comch_connection *peer, const void *message, uint32_t len, void **task);

static struct doca_comch_connection *peer_of(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	const struct bridge_connection *connection;

	if (entry->argument > UINT32_MAX)
		return NULL;
	connection = bridge_connection_find(pool->bridge, (uint32_t)entry->argument);
	return connection != NULL && connection->context->handle == pool->context ? bridge_connection_pointer(connection) : NULL;
}

static int32_t prepare(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	if (entry->src_addr == 0 || entry->src_len == 0 || entry->src_len > UINT32_MAX)
		return DOCA_ERROR_INVALID_VALUE;
	return peer_of(pool, entry) != NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_CONNECTED;
}

static int32_t alloc(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data, void **task)
{
	int status = ((alloc_send)pool->kind->call.alloc_init)(pool->object, peer_of(pool, entry),
							       (const void *)(uintptr_t)entry->src_addr,
							       (uint32_t)entry->src_len, task);

	if (status == DOCA_SUCCESS)
		bridge_comch.task_set_user_data(pool->kind->call.as_task(*task), user_data);
	return status;
}

const struct bridge_shape bridge_shape_control = {
	.prepare = prepare,
	.alloc = alloc,
	.is_comch = true,
	.may_last = true,
	.key_mask = UINT64_MAX, /* argument: connection */
};
