#include "queue/retry_budget.h"

#include <stdlib.h>
#include <time.h>

#define NS_PER_S 1000000000ull

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

int32_t bridge_retry_configure(struct bridge_retry_budget **budget, struct dpubridge *bridge, struct bridge_queue *queue,
			       uint64_t ns)
{
	struct bridge_retry_budget *created = NULL;

	if (ns > 0) {
		created = calloc(1, sizeof(*created));
		if (created == NULL)
			return DOCA_ERROR_NO_MEMORY;
		created->bridge = bridge;
		created->queue = queue;
		created->ns = ns;
	}
	bridge_retry_free(*budget);
	*budget = created;
	return DOCA_SUCCESS;
}

void bridge_retry_free(struct bridge_retry_budget *budget)
{
	struct bridge_retry_budget **at;

	if (bridge_retry_is_listed(budget)) {
		for (at = &budget->bridge->stalled; *at != budget; at = &(*at)->next)
			;
		*at = budget->next;
	}
	free(budget);
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

static void list(struct bridge_retry_budget *budget)
{
	if (budget->is_listed)
		return;
	budget->is_listed = true;
	budget->next = budget->bridge->stalled;
	budget->bridge->stalled = budget;
}

static bool wait_for(struct bridge_retry_budget *budget, struct bridge_stall *stall)
{
	if (stall == NULL || stall->is_over)
		return false;
	if (now_ns() >= stall->until_ns) {
		stall->is_over = true;
		return false;
	}
	list(budget);
	return true;
}

bool bridge_retry_keeps(struct bridge_retry_budget *budget, uint64_t order, int32_t status)
{
	struct bridge_stall *stall = find(budget, order);

	if (status == DOCA_ERROR_AGAIN)
		return wait_for(budget, stall != NULL ? stall : begin(budget, order));
	if (stall != NULL)
		*stall = budget->stalls[--budget->num_stalls];
	return false;
}
