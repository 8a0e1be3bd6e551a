#include "comch.h"

#include "connection.h"
#include "context.h"
#include "error.h"
#include "symbols.h"
#include "unsolicited.h"

struct doca_comch bridge_comch;

#define SLOT(function, member) { "doca_" #function, offsetof(struct doca_comch, member) }
#define COMCH(member) SLOT(comch_##member, member)
static const struct bridge_symbol comch_symbols[] = {
	SLOT(task_set_user_data, task_set_user_data),
	SLOT(ctx_get_user_data, ctx_get_user_data),
	COMCH(server_as_ctx),
	COMCH(server_get_max_msg_size),
	COMCH(server_event_msg_recv_register),
	COMCH(server_event_consumer_register),
	SLOT(comch_server_event_connection_status_changed_register, server_event_connection_register),
	COMCH(server_disconnect),
	COMCH(server_get_server_ctx),
	COMCH(client_as_ctx),
	COMCH(client_get_max_msg_size),
	COMCH(client_event_msg_recv_register),
	COMCH(client_event_consumer_register),
	COMCH(client_get_connection),
	COMCH(client_get_client_ctx),
	COMCH(connection_get_user_data),
	COMCH(connection_set_user_data),
};
#define NUM_SYMBOLS (sizeof(comch_symbols) / sizeof(comch_symbols[0]))
static_assert(sizeof(struct doca_comch) == NUM_SYMBOLS * sizeof(void *), "every slot has a name");

void bridge_comch_resolve(void *library)
{
	struct doca_comch found;
	size_t i;

	for (i = 0; i < NUM_SYMBOLS; i++)
		if (!bridge_symbol_resolve(library, "", &comch_symbols[i], &found))
			return;
	bridge_comch = found;
}

void bridge_comch_forget(void)
{
	bridge_comch = (struct doca_comch){ .server_as_ctx = NULL };
}

static int32_t fail(int32_t status, const char *operation)
{
	bridge_error_set("%s: %s", operation, bridge_doca.error_get_name(status));
	return status;
}

/* The bridge copies whole messages into cells, so cells must be large enough. */
static int32_t check_message_size(const struct dpubridge *bridge, const struct bridge_context *context, enum bridge_role role)
{
	uint32_t size = 0;
	int status = role == BRIDGE_SERVER ? bridge_comch.server_get_max_msg_size(context->object, &size) :
					     bridge_comch.client_get_max_msg_size(context->object, &size);

	if (status != DOCA_SUCCESS)
		return fail(status, "dpubridge_comch_configure: get_max_msg_size");
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
		return fail(status, "dpubridge_comch_configure: registration of callbacks");
	bridge->num_comch += context->role == BRIDGE_NO_ROLE;
	context->role = role;
	return DOCA_SUCCESS;
}

int32_t dpubridge_comch_configure(struct dpubridge *bridge, uint32_t handle, uint32_t role)
{
	struct bridge_context *context;

	if (!bridge_require_owner(bridge, "dpubridge_comch_configure"))
		return DOCA_ERROR_NOT_PERMITTED;
	context = bridge_context_find(bridge, handle);
	if (context == NULL)
		return fail(DOCA_ERROR_NOT_FOUND, "dpubridge_comch_configure: handle");
	if (role != DPUBRIDGE_COMCH_SERVER && role != DPUBRIDGE_COMCH_CLIENT)
		return fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_comch_configure: role");
	if (bridge_comch.server_as_ctx == NULL)
		return fail(DOCA_ERROR_NOT_SUPPORTED, "dpubridge_comch_configure: no comch library is loaded");
	return configure(bridge, context, role == DPUBRIDGE_COMCH_SERVER ? BRIDGE_SERVER : BRIDGE_CLIENT);
}

/* Returns the context of a role behind a handle; NULL, with the reason in status. */
static struct bridge_context *find(struct dpubridge *bridge, uint32_t handle, enum bridge_role role, const char *function,
				   int32_t *status)
{
	struct bridge_context *context;

	*status = DOCA_ERROR_NOT_PERMITTED;
	if (!bridge_require_owner(bridge, function))
		return NULL;
	context = bridge_context_find(bridge, handle);
	if (context != NULL && context->role == role)
		return context;
	*status = context == NULL ? DOCA_ERROR_NOT_FOUND : DOCA_ERROR_INVALID_VALUE;
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
		return fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_comch_connection: connection");
	status = bridge_comch.client_get_connection(context->object, &pointer);
	if (status != DOCA_SUCCESS)
		return fail(status, "dpubridge_comch_connection: doca_comch_client_get_connection");
	found = bridge_connection_of(context, pointer);
	*connection = found != NULL ? bridge_connection_handle(found) : 0;
	return *connection != 0 ? DOCA_SUCCESS : fail(DOCA_ERROR_NO_MEMORY, "dpubridge_comch_connection");
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
		return fail(DOCA_ERROR_NOT_FOUND, "dpubridge_comch_disconnect: connection");
	status = bridge_comch.server_disconnect(context->object, pointer);
	if (status != DOCA_SUCCESS)
		return fail(status, "dpubridge_comch_disconnect: doca_comch_server_disconnect");
	bridge_connection_end(found);
	return DOCA_SUCCESS;
}

void *dpubridge_connection_pointer(struct dpubridge *bridge, uint32_t connection)
{
	const struct bridge_connection *found;

	if (!bridge_require_owner(bridge, "dpubridge_connection_pointer"))
		return NULL;
	found = bridge_connection_find(bridge, connection);
	return found != NULL ? bridge_connection_pointer(found) : NULL;
}
