#include "sd_census.h"

#include <stdatomic.h>

static _Atomic int64_t counts[SD_CENSUS_KINDS];

void sd_census_add(enum sd_census_kind kind, int change)
{
	atomic_fetch_add_explicit(&counts[kind], change, memory_order_relaxed);
}

int64_t sd_census_get(enum sd_census_kind kind)
{
	return atomic_load_explicit(&counts[kind], memory_order_relaxed);
}
