#include "base/rdma.h"

#include "base/symbols.h"

struct doca_rdma_functions bridge_rdma;

#define SLOT(member) { "doca_rdma_" #member, offsetof(struct doca_rdma_functions, member) }
static const struct bridge_symbol rdma_symbols[] = {
	SLOT(set_connection_state_callbacks), SLOT(connect_to_addr), SLOT(connection_disconnect), SLOT(connection_set_user_data),
	SLOT(connection_get_user_data),
};
#define NUM_SYMBOLS (sizeof(rdma_symbols) / sizeof(rdma_symbols[0]))
static_assert(sizeof(struct doca_rdma_functions) == NUM_SYMBOLS * sizeof(void *), "every slot has a name");

void bridge_rdma_resolve(void *library)
{
	struct doca_rdma_functions found;
	size_t i;

	for (i = 0; i < NUM_SYMBOLS; i++)
		if (!bridge_symbol_resolve(library, "", &rdma_symbols[i], &found))
			return;
	bridge_rdma = found;
}

void bridge_rdma_forget(void)
{
	bridge_rdma = (struct doca_rdma_functions){ .connect_to_addr = NULL };
}
