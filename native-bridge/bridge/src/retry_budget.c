#include "retry_budget.h"

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

int32_t bridge_retry_configure(struct bridge_pool *pool, uint64_t ns)
{
	struct bridge_retry_budget *budget = NULL;

	if (ns > 0) {
		budget = calloc(1, sizeof(*budget));
		if (budget == NULL)
			return DOCA_ERROR_NO_MEMORY;
		budget->ns = ns;
	}
	bridge_retry_fini(pool);
	pool->retry_budget = budget;
	return DOCA_SUCCESS;
}

static void unlist(struct bridge_pool *pool)
{
	struct bridge_pool **at = &pool->context->bridge->stalled;

	while (*at != pool)
		at = &(*at)->retry_budget->next;
	*at = pool->retry_budget->next;
	pool->retry_budget->is_listed = false;
}

void bridge_retry_fini(struct bridge_pool *pool)
{
	if (pool->retry_budget != NULL && pool->retry_budget->is_listed)
		unlist(pool);
	free(pool->retry_budget);
	pool->retry_budget = NULL;
}

static struct bridge_stall *find(struct bridge_retry_budget *budget, uint64_t order)
{
	uint32_t i;

	for (i = 0; i < budget->num_stalls; i++)
		if (budget->stalls[i].order == order)
			return &budget->stalls[i];
	return NULL;
}

/* Returns a place that is free, or whose budget is used up; NULL if all places are in use. */
static struct bridge_stall *find_place(struct bridge_retry_budget *budget)
{
	uint32_t i;

	if (budget->num_stalls < BRIDGE_MAX_STALLS)
		return &budget->stalls[budget->num_stalls++];
	for (i = 0; i < budget->num_stalls; i++)
		if (budget->stalls[i].is_over)
			return &budget->stalls[i];
	return NULL;
}

static struct bridge_stall *begin(struct bridge_retry_budget *budget, uint64_t order)
{
	struct bridge_stall *stall = find_place(budget);

	if (stall != NULL)
		*stall = (struct bridge_stall){ .order = order, .until_ns = now_ns() + budget->ns };
	return stall;
}

static void list(struct bridge_pool *pool)
{
	struct dpubridge *bridge = pool->context->bridge;

	if (pool->retry_budget->is_listed)
		return;
	pool->retry_budget->is_listed = true;
	pool->retry_budget->next = bridge->stalled;
	bridge->stalled = pool;
}

bool bridge_retry_is_listed(const struct bridge_pool *pool)
{
	return pool->retry_budget != NULL && pool->retry_budget->is_listed;
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

bool bridge_retry_keeps(struct bridge_pool *pool, uint64_t order, int32_t status)
{
	struct bridge_retry_budget *budget = pool->retry_budget;
	struct bridge_stall *stall = find(budget, order);

	if (status == DOCA_ERROR_AGAIN)
		return wait_for(pool, stall != NULL ? stall : begin(budget, order));
	if (stall != NULL)
		*stall = budget->stalls[--budget->num_stalls];
	return false;
}

void bridge_retry_all(struct dpubridge *bridge)
{
	struct bridge_pool *pool = bridge->stalled, *next;

	/* Pools that still have to wait put themselves on the list again. */
	bridge->stalled = NULL;
	for (; pool != NULL; pool = next) {
		next = pool->retry_budget->next;
		pool->retry_budget->is_listed = false;
		bridge_queue_pump(pool);
	}
}
