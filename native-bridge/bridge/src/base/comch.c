#include "base/comch.h"

#include "base/symbols.h"

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
