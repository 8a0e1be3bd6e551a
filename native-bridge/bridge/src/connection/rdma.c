#include "connection/rdma.h"

#include "base/error.h"
#include "base/rdma.h"
#include "base/symbols.h"
#include "connection/unsolicited.h"

struct doca_rdma_connection *bridge_rdma_peer(const struct bridge_pool *pool, uint32_t handle)
{
	const struct bridge_connection *connection = bridge_connection_find(pool->bridge, handle);

	return connection != NULL && connection->is_up && connection->context->handle == pool->context ?
		       bridge_connection_pointer(connection) :
		       NULL;
}

/* Returns whether the caller is the owner. DOCA calls in progress only. */
static bool is_at_home(struct bridge_context *context)
{
	bool is_owner = bridge_is_owner(context->bridge);

	if (!is_owner)
		bridge_lose(context->bridge, "an event of an RDMA connection on a foreign thread");
	return is_owner;
}

/* Begins a connection with a handle. pointer: NULL for one that DOCA creates. Returns NULL without memory. */
static struct bridge_connection *begin(struct bridge_context *context, struct doca_rdma_connection *pointer)
{
	struct bridge_connection *connection = bridge_connection_begin(context, pointer);

	if (connection == NULL)
		return NULL;
	if (pointer == NULL)
		atomic_store_explicit(&connection->pointer, connection, memory_order_release);
	if (bridge_connection_handle(connection) != 0)
		return connection;
	bridge_connection_end(connection);
	return NULL;
}

static union doca_data data_of(const struct bridge_connection *connection)
{
	return (union doca_data){ .u64 = connection->handle };
}

static void requested(struct doca_rdma_connection *pointer, union doca_data ctx_user_data)
{
	struct dpubridge_record record = { .type = DPUBRIDGE_RECORD_REQUESTED };
	struct bridge_context *context = ctx_user_data.ptr;
	struct bridge_connection *connection = is_at_home(context) ? begin(context, pointer) : NULL;

	if (connection == NULL)
		return;
	bridge_rdma.connection_set_user_data(pointer, data_of(connection));
	connection->is_up = true; /* the caller submits after its accept */
	bridge_unsolicited_report(connection, &record);
}

/* Returns the connection of a callback; NULL if the caller has ended it. */
static struct bridge_connection *named(union doca_data connection_user_data, struct bridge_context *context)
{
	struct bridge_connection *connection;

	if (!is_at_home(context))
		return NULL;
	connection = bridge_connection_find(context->bridge, (uint32_t)connection_user_data.u64);
	return connection != NULL && connection->context == context ? connection : NULL;
}

static void established(struct doca_rdma_connection *pointer, union doca_data connection_user_data, union doca_data ctx_user_data)
{
	struct dpubridge_record record = { .type = DPUBRIDGE_RECORD_CONNECTED };
	struct bridge_connection *connection = named(connection_user_data, ctx_user_data.ptr);

	if (connection == NULL)
		return;
	atomic_store_explicit(&connection->pointer, pointer, memory_order_release);
	connection->is_up = true;
	bridge_unsolicited_report(connection, &record);
}

static void over(union doca_data connection_user_data, struct bridge_context *context, int status)
{
	struct dpubridge_record record = { .type = DPUBRIDGE_RECORD_DISCONNECTED, .status = status };
	struct bridge_connection *connection = named(connection_user_data, context);

	if (connection == NULL || connection->is_over)
		return;
	connection->is_up = false;
	connection->is_over = true;
	bridge_unsolicited_report(connection, &record);
}

static void failed(struct doca_rdma_connection *pointer, union doca_data connection_user_data, union doca_data ctx_user_data)
{
	(void)pointer;
	over(connection_user_data, ctx_user_data.ptr, DOCA_ERROR_CONNECTION_ABORTED);
}

static void disconnected(struct doca_rdma_connection *pointer, union doca_data connection_user_data, union doca_data ctx_user_data)
{
	(void)pointer;
	over(connection_user_data, ctx_user_data.ptr, DOCA_SUCCESS);
}

int32_t dpubridge_rdma_configure(struct dpubridge *bridge, uint32_t handle)
{
	int32_t status;
	struct bridge_context *context = bridge_context_require(bridge, handle, "dpubridge_rdma_configure", &status);

	if (context == NULL)
		return status;
	if (bridge_rdma.connect_to_addr == NULL)
		return bridge_fail(DOCA_ERROR_NOT_SUPPORTED, "dpubridge_rdma_configure: no RDMA library is loaded");
	status = bridge_rdma.set_connection_state_callbacks(context->object, requested, established, failed, disconnected);
	if (status != DOCA_SUCCESS)
		return bridge_fail(status, "dpubridge_rdma_configure: doca_rdma_set_connection_state_callbacks");
	context->role = BRIDGE_PEER;
	context->end_connections = bridge_connections_end;
	return DOCA_SUCCESS;
}

/* Returns the RDMA context behind a handle; NULL, with the reason in status. */
static struct bridge_context *find(struct dpubridge *bridge, uint32_t handle, const char *function, int32_t *status)
{
	struct bridge_context *context = bridge_context_require(bridge, handle, function, status);

	if (context == NULL || context->role == BRIDGE_PEER)
		return context;
	*status = DOCA_ERROR_INVALID_VALUE;
	bridge_error_set("%s: no RDMA context: %s", function, bridge_doca.error_get_name(*status));
	return NULL;
}

int32_t dpubridge_rdma_adopt(struct dpubridge *bridge, uint32_t handle, void *pointer, uint32_t *connection)
{
	struct bridge_connection *fresh;
	int32_t status;
	struct bridge_context *context = find(bridge, handle, "dpubridge_rdma_adopt", &status);

	if (context == NULL)
		return status;
	if (pointer == NULL || connection == NULL)
		return bridge_fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_rdma_adopt: connection");
	fresh = begin(context, pointer);
	if (fresh == NULL)
		return bridge_fail(DOCA_ERROR_NO_MEMORY, "dpubridge_rdma_adopt");
	bridge_rdma.connection_set_user_data(pointer, data_of(fresh));
	fresh->is_up = true;
	*connection = fresh->handle;
	return DOCA_SUCCESS;
}

int32_t dpubridge_rdma_connect(struct dpubridge *bridge, uint32_t handle, void *addr, uint32_t *connection)
{
	struct bridge_connection *fresh;
	int32_t status;
	struct bridge_context *context = find(bridge, handle, "dpubridge_rdma_connect", &status);

	if (context == NULL)
		return status;
	if (addr == NULL || connection == NULL)
		return bridge_fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_rdma_connect: address or connection");
	fresh = begin(context, NULL);
	if (fresh == NULL)
		return bridge_fail(DOCA_ERROR_NO_MEMORY, "dpubridge_rdma_connect");
	*connection = fresh->handle;
	status = bridge_rdma.connect_to_addr(context->object, addr, data_of(fresh));
	if (status == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	bridge_connection_end(fresh);
	return bridge_fail(status, "dpubridge_rdma_connect: doca_rdma_connect_to_addr");
}

int32_t dpubridge_rdma_disconnect(struct dpubridge *bridge, uint32_t handle, uint32_t connection)
{
	struct bridge_connection *found;
	int32_t status;
	struct bridge_context *context = find(bridge, handle, "dpubridge_rdma_disconnect", &status);

	if (context == NULL)
		return status;
	found = bridge_connection_find(bridge, connection);
	if (found == NULL || found->context != context || bridge_connection_pointer(found) == NULL)
		return bridge_fail(DOCA_ERROR_NOT_FOUND, "dpubridge_rdma_disconnect: connection");
	if (!found->is_over) {
		if (bridge_connection_pointer(found) == found)
			return bridge_fail(DOCA_ERROR_AGAIN, "dpubridge_rdma_disconnect: the attempt to connect continues");
		status = bridge_rdma.connection_disconnect(bridge_connection_pointer(found));
		if (status != DOCA_SUCCESS)
			return bridge_fail(status, "dpubridge_rdma_disconnect: doca_rdma_connection_disconnect");
	}
	bridge_connection_end(found);
	return DOCA_SUCCESS;
}
