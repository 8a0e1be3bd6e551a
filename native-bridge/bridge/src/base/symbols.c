#include "base/symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

struct doca_common bridge_doca;

#define COMMON(member) { "doca_" #member, offsetof(struct doca_common, member) }
static const struct bridge_symbol common_symbols[] = {
	COMMON(error_get_name),
	COMMON(pe_progress),
	COMMON(pe_request_notification),
	COMMON(pe_clear_notification),
	COMMON(pe_get_notification_handle),
	COMMON(ctx_set_user_data),
	COMMON(ctx_set_state_changed_cb),
	COMMON(ctx_get_state),
	COMMON(task_submit),
	COMMON(task_free),
	COMMON(task_get_status),
	COMMON(buf_set_data),
	COMMON(buf_reset_data_len),
	COMMON(buf_get_data_len),
};
#define NUM_COMMON (sizeof(common_symbols) / sizeof(common_symbols[0]))
static_assert(sizeof(struct doca_common) == NUM_COMMON * sizeof(void *), "every slot has a name");

bool bridge_symbol_resolve(void *library, const char *prefix, const struct bridge_symbol *symbol, void *slots)
{
	char name[128];
	void *function;

	snprintf(name, sizeof(name), "%s%s", prefix, symbol->name);
	function = dlsym(library, name);
	if (function == NULL)
		return false;
	memcpy((char *)slots + symbol->offset, &function, sizeof(function));
	return true;
}

const char *bridge_symbols_find(void *library, struct doca_common *found)
{
	size_t i;

	for (i = 0; i < NUM_COMMON; i++)
		if (!bridge_symbol_resolve(library, "", &common_symbols[i], found))
			return common_symbols[i].name;
	return NULL;
}

int32_t bridge_fail(int32_t status, const char *operation)
{
	bridge_error_set("%s: %s", operation, bridge_doca.error_get_name(status));
	return status;
}
