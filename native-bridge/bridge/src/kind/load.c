/* Loads DOCA's libraries. */
#include "kind/load.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/comch.h"
#include "base/error.h"
#include "base/rdma.h"
#include "base/symbols.h"
#include "dpubridge.h"
#include "kind/kinds.h"

#define MAX_LIBRARIES 32u

static void *libraries[MAX_LIBRARIES];
static uint32_t num_libraries;
static _Atomic uint32_t num_bridges;

/* Declares no parameters: the calling convention leaves the caller's arguments in place, and this function reads none. */
int32_t dpubridge_absent(void)
{
	return DOCA_ERROR_NOT_SUPPORTED;
}

/*
 * dlsym also searches the dependencies of a library, so a task library finds its doca_common. If this doca_common differs
 * from the previous one, the kinds of the previous DOCA are removed: a process must not mix two DOCAs.
 */
static bool adopt(void *library, const char **missing)
{
	struct doca_common found;
	bool has_common;

	*missing = bridge_symbols_find(library, &found);
	has_common = *missing == NULL;
	if (has_common) {
		if (memcmp(&found, &bridge_doca, sizeof(found)) != 0) {
			bridge_kinds_forget();
			bridge_comch_forget();
			bridge_rdma_forget();
		}
		bridge_doca = found;
	}
	bridge_comch_resolve(library);
	bridge_rdma_resolve(library);
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
		snprintf(reason, sizeof(reason), "not a DOCA library that the bridge supports (no %s, no kind of task)", missing);
		return refuse(library, path, reason);
	}
	libraries[num_libraries++] = library;
	return 0;
}

bool bridge_load_is_done(void)
{
	return bridge_doca.pe_progress != NULL;
}

void bridge_load_hold(void)
{
	atomic_fetch_add(&num_bridges, 1);
}

void bridge_load_release(void)
{
	atomic_fetch_sub(&num_bridges, 1);
}
