#include "symbols.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "comch.h"
#include "dpubridge.h"
#include "error.h"
#include "kinds.h"

#define MAX_LIBRARIES 32u

struct doca_common bridge_doca;

static void *libraries[MAX_LIBRARIES];
static uint32_t num_libraries;
static _Atomic uint32_t num_bridges;

#define COMMON(member) { "doca_" #member, offsetof(struct doca_common, member) }
static const struct bridge_symbol common_symbols[] = {
	COMMON(error_get_name),
	COMMON(pe_progress),
	COMMON(pe_request_notification),
	COMMON(pe_clear_notification),
	COMMON(pe_get_notification_handle),
	COMMON(ctx_set_user_data),
	COMMON(ctx_set_state_changed_cb),
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

/* Returns the name of the first function that the library lacks, NULL if it has all. */
static const char *resolve_common(void *library, struct doca_common *found)
{
	size_t i;

	for (i = 0; i < NUM_COMMON; i++)
		if (!bridge_symbol_resolve(library, "", &common_symbols[i], found))
			return common_symbols[i].name;
	return NULL;
}

/*
 * dlsym also searches the dependencies of a library, so a task library finds its doca_common. If this doca_common differs
 * from the previous one, all kinds of the previous DOCA are forgotten: a process must not mix two DOCAs.
 */
static bool adopt(void *library, const char **missing)
{
	struct doca_common found;
	bool has_common;

	*missing = resolve_common(library, &found);
	has_common = *missing == NULL;
	if (has_common) {
		if (memcmp(&found, &bridge_doca, sizeof(found)) != 0) {
			bridge_kinds_forget();
			bridge_comch_forget();
		}
		bridge_doca = found;
	}
	bridge_comch_resolve(library);
	return bridge_kinds_resolve(library) > 0 || has_common;
}

static bool is_loaded(void *library)
{
	uint32_t i;

	for (i = 0; i < num_libraries; i++)
		if (libraries[i] == library)
			return true;
	return false;
}

static int refuse(void *library, const char *path, const char *reason)
{
	bridge_error_set("dpubridge_load(%s): %s", path, reason);
	dlclose(library);
	return -1;
}

int dpubridge_load(const char *path)
{
	const char *missing;
	char reason[128];
	void *library;

	if (path == NULL) {
		bridge_error_set("dpubridge_load: no path");
		return -1;
	}
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		bridge_error_set("dpubridge_load(%s): %s", path, dlerror());
		return -1;
	}
	if (is_loaded(library)) {
		dlclose(library);
		return 0;
	}
	if (atomic_load(&num_bridges) != 0)
		return refuse(library, path, "a bridge exists; load libraries before the first is created");
	if (num_libraries == MAX_LIBRARIES)
		return refuse(library, path, "too many libraries");
	if (!adopt(library, &missing)) {
		snprintf(reason, sizeof(reason), "not a DOCA library that the bridge knows (no %s, no kind of task)", missing);
		return refuse(library, path, reason);
	}
	libraries[num_libraries++] = library;
	return 0;
}

bool bridge_symbols_ready(void)
{
	return bridge_doca.pe_progress != NULL;
}

void bridge_symbols_hold(void)
{
	atomic_fetch_add(&num_bridges, 1);
}

void bridge_symbols_release(void)
{
	atomic_fetch_sub(&num_bridges, 1);
}
