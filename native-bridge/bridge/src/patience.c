#include "patience.h"

#include <stdlib.h>
#include <time.h>

#include "context.h"
#include "queue.h"
#include "task.h"

#define NS_PER_S 1000000000ull

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

int32_t bridge_patience_configure(struct bridge_pool *pool, uint64_t ns)
{
	struct bridge_patience *patience = NULL;

	if (ns > 0) {
		patience = calloc(1, sizeof(*patience));
		if (patience == NULL)
			return DOCA_ERROR_NO_MEMORY;
		patience->ns = ns;
	}
	bridge_patience_fini(pool);
	pool->patience = patience;
	return DOCA_SUCCESS;
}

static void unlist(struct bridge_pool *pool)
{
	struct bridge_pool **at = &pool->context->bridge->stalled;

	while (*at != pool)
		at = &(*at)->patience->next;
	*at = pool->patience->next;
	pool->patience->is_listed = false;
}

void bridge_patience_fini(struct bridge_pool *pool)
{
	if (pool->patience != NULL && pool->patience->is_listed)
		unlist(pool);
	free(pool->patience);
	pool->patience = NULL;
}

static struct bridge_stall *find(struct bridge_patience *patience, uint64_t order)
{
	uint32_t i;

	for (i = 0; i < patience->num_stalls; i++)
		if (patience->stalls[i].order == order)
			return &patience->stalls[i];
	return NULL;
}

/* Returns a place that is free, or whose budget is used up; NULL if all places are in use. */
static struct bridge_stall *find_place(struct bridge_patience *patience)
{
	uint32_t i;

	if (patience->num_stalls < BRIDGE_MAX_STALLS)
		return &patience->stalls[patience->num_stalls++];
	for (i = 0; i < patience->num_stalls; i++)
		if (patience->stalls[i].is_over)
			return &patience->stalls[i];
	return NULL;
}

static struct bridge_stall *begin(struct bridge_patience *patience, uint64_t order)
{
	struct bridge_stall *stall = find_place(patience);

	if (stall != NULL)
		*stall = (struct bridge_stall){ .order = order, .until_ns = now_ns() + patience->ns };
	return stall;
}

static void list(struct bridge_pool *pool)
{
	struct dpubridge *bridge = pool->context->bridge;

	if (pool->patience->is_listed)
		return;
	pool->patience->is_listed = true;
	pool->patience->next = bridge->stalled;
	bridge->stalled = pool;
}

bool bridge_patience_is_listed(const struct bridge_pool *pool)
{
	return pool->patience != NULL && pool->patience->is_listed;
}

static bool wait_for(struct bridge_pool *pool, struct bridge_stall *stall)
{
	if (stall == NULL || stall->is_over)
		return false;
	if (now_ns() >= stall->until_ns) {
		stall->is_over = true;
		return false;
	}
	list(pool);
	return true;
}

bool bridge_patience_keeps(struct bridge_pool *pool, uint64_t order, int32_t status)
{
	struct bridge_patience *patience = pool->patience;
	struct bridge_stall *stall = find(patience, order);

	if (status == DOCA_ERROR_AGAIN)
		return wait_for(pool, stall != NULL ? stall : begin(patience, order));
	if (stall != NULL)
		*stall = patience->stalls[--patience->num_stalls];
	return false;
}

void bridge_patience_retry(struct dpubridge *bridge)
{
	struct bridge_pool *pool = bridge->stalled, *next;

	/* Pools that still have to wait put themselves on the list again. */
	bridge->stalled = NULL;
	for (; pool != NULL; pool = next) {
		next = pool->patience->next;
		pool->patience->is_listed = false;
		bridge_queue_pump(pool);
	}
}
