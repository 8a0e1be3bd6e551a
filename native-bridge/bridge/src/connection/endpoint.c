/* Servers and clients: the calls of comch that the caller makes for a context. */
#include "base/comch.h"
#include "base/error.h"
#include "base/symbols.h"
#include "connection/connection.h"
#include "connection/unsolicited.h"
#include "context/context.h"
#include "ring/bridge.h"

/* The bridge copies whole messages into cells, so cells must be large enough. */
static int32_t check_message_size(const struct dpubridge *bridge, const struct bridge_context *context, enum bridge_role role)
{
	uint32_t size = 0;
	int status = role == BRIDGE_SERVER ? bridge_comch.server_get_max_msg_size(context->object, &size) :
					     bridge_comch.client_get_max_msg_size(context->object, &size);

	if (status != DOCA_SUCCESS)
		return bridge_fail(status, "dpubridge_comch_configure: get_max_msg_size");
	if (size <= bridge->header->message_bytes)
		return DOCA_SUCCESS;
	bridge_error_set("dpubridge_comch_configure: messages of up to %u bytes do not fit into %u cells of %u bytes", size,
			 bridge->header->message_cells, bridge->header->message_bytes);
	return DOCA_ERROR_INVALID_VALUE;
}

static int32_t configure(struct dpubridge *bridge, struct bridge_context *context, enum bridge_role role)
{
	int32_t status = check_message_size(bridge, context, role);

	if (status != DOCA_SUCCESS)
		return status;
	status = bridge_unsolicited_register(context, role);
	if (status != DOCA_SUCCESS)
		return bridge_fail(status, "dpubridge_comch_configure: registration of callbacks");
	bridge->num_comch += context->role == BRIDGE_NO_ROLE;
	context->role = role;
	context->end_connections = bridge_connections_end;
	return DOCA_SUCCESS;
}

int32_t dpubridge_comch_configure(struct dpubridge *bridge, uint32_t handle, uint32_t role)
{
	int32_t status;
	struct bridge_context *context = bridge_context_require(bridge, handle, "dpubridge_comch_configure", &status);

	if (context == NULL)
		return status;
	if (role != DPUBRIDGE_COMCH_SERVER && role != DPUBRIDGE_COMCH_CLIENT)
		return bridge_fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_comch_configure: role");
	if (bridge_comch.server_as_ctx == NULL)
		return bridge_fail(DOCA_ERROR_NOT_SUPPORTED, "dpubridge_comch_configure: no comch library is loaded");
	return configure(bridge, context, role == DPUBRIDGE_COMCH_SERVER ? BRIDGE_SERVER : BRIDGE_CLIENT);
}

/* Returns the context of a role behind a handle; NULL, with the reason in status. */
static struct bridge_context *find(struct dpubridge *bridge, uint32_t handle, enum bridge_role role, const char *function,
				   int32_t *status)
{
	struct bridge_context *context = bridge_context_require(bridge, handle, function, status);

	if (context == NULL || context->role == role)
		return context;
	*status = DOCA_ERROR_INVALID_VALUE;
	bridge_error_set("%s: handle of a %s: %s", function, role == BRIDGE_SERVER ? "server" : "client",
			 bridge_doca.error_get_name(*status));
	return NULL;
}

int32_t dpubridge_comch_connection(struct dpubridge *bridge, uint32_t handle, uint32_t *connection)
{
	struct doca_comch_connection *pointer = NULL;
	struct bridge_connection *found;
	int32_t status;
	struct bridge_context *context = find(bridge, handle, BRIDGE_CLIENT, "dpubridge_comch_connection", &status);

	if (context == NULL)
		return status;
	if (connection == NULL)
		return bridge_fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_comch_connection: connection");
	status = bridge_comch.client_get_connection(context->object, &pointer);
	if (status != DOCA_SUCCESS)
		return bridge_fail(status, "dpubridge_comch_connection: doca_comch_client_get_connection");
	found = bridge_connection_of(context, pointer);
	*connection = found != NULL ? bridge_connection_handle(found) : 0;
	return *connection != 0 ? DOCA_SUCCESS : bridge_fail(DOCA_ERROR_NO_MEMORY, "dpubridge_comch_connection");
}

int32_t dpubridge_comch_disconnect(struct dpubridge *bridge, uint32_t handle, uint32_t connection)
{
	struct doca_comch_connection *pointer;
	struct bridge_connection *found;
	int32_t status;
	struct bridge_context *context = find(bridge, handle, BRIDGE_SERVER, "dpubridge_comch_disconnect", &status);

	if (context == NULL)
		return status;
	found = bridge_connection_find(bridge, connection);
	pointer = found != NULL && found->context == context ? bridge_connection_pointer(found) : NULL;
	if (pointer == NULL)
		return bridge_fail(DOCA_ERROR_NOT_FOUND, "dpubridge_comch_disconnect: connection");
	status = bridge_comch.server_disconnect(context->object, pointer);
	if (status != DOCA_SUCCESS)
		return bridge_fail(status, "dpubridge_comch_disconnect: doca_comch_server_disconnect");
	bridge_connection_end(found);
	return DOCA_SUCCESS;
}

void *dpubridge_connection_pointer(struct dpubridge *bridge, uint32_t connection)
{
	const struct bridge_connection *found;

	if (!bridge_require_owner(bridge, "dpubridge_connection_pointer"))
		return NULL;
	found = bridge_connection_find(bridge, connection);
	/* An attempt to connect has no pointer yet. DOCA may free a connection of RDMA whose end it has reported. */
	if (found == NULL || found->is_over || bridge_connection_pointer(found) == found)
		return NULL;
	return bridge_connection_pointer(found);
}
