#include "context.h"

#include <stdlib.h>

#include "connection.h"
#include "error.h"
#include "kinds.h"
#include "overflow.h"
#include "retry_budget.h"
#include "ring.h"
#include "symbols.h"

#define MAX_CONTEXTS 65536u

static void free_kept_tasks(struct bridge_context *context)
{
	uint32_t i;

	for (i = 0; i < DPUBRIDGE_KIND_COUNT; i++)
		bridge_pool_free_kept(&context->pools[i]);
}

/* Waiting entries cannot begin any more: DOCA would refuse them. */
static void drain(struct bridge_context *context)
{
	uint32_t i;

	context->is_draining = true;
	for (i = 0; i < DPUBRIDGE_KIND_COUNT; i++)
		bridge_queue_recall(&context->pools[i]);
	free_kept_tasks(context);
}

/*
 * A STOPPING context submits nothing and waits until every task is freed; kept tasks would block it for ever. After
 * the next start, the bridge keeps tasks again.
 */
void bridge_context_changed(struct bridge_context *context, uint32_t state)
{
	uint32_t previous = context->state;

	context->state = state;
	if (state == DOCA_CTX_STATE_IDLE)
		bridge_connections_end(context);
	if (state == DOCA_CTX_STATE_STOPPING) {
		drain(context);
	} else if (previous == DOCA_CTX_STATE_IDLE) {
		context->is_draining = false;
	}
}

/* DOCA's state-changed callback. */
static void state_changed(union doca_data user_data, struct doca_ctx *ctx, int previous, int next)
{
	struct bridge_context *context = user_data.ptr;
	struct dpubridge *bridge = context->bridge;
	bool is_owner = bridge_is_owner(bridge);
	struct dpubridge_record record = {
		.user_data = context->user_data,
		.context = context->handle,
		.type = DPUBRIDGE_RECORD_CONTEXT_STATE,
		.states = (uint32_t)previous << 16 | (uint32_t)next,
	};

	(void)ctx;
	/* Queue behind waiting records: the last record of a stopped context is its IDLE. */
	if (!bridge_overflow_may_pass(bridge) || !bridge_ring_has_unsolicited_room(bridge))
		bridge_overflow_put_state(bridge, context, !is_owner, &record);
	else
		bridge_ring_put(bridge, &record);
	if (is_owner)
		bridge_context_changed(context, (uint32_t)next);
}

static bool grow(struct bridge_context_table *table)
{
	uint32_t capacity = table->capacity == 0 ? 8 : 2 * table->capacity;
	struct bridge_context **slots;

	if (table->num_slots < table->capacity)
		return true;
	slots = realloc(table->slots, capacity * sizeof(*slots));
	if (slots == NULL)
		return false;
	table->slots = slots;
	table->capacity = capacity;
	return true;
}

static struct bridge_context *add_slot(struct dpubridge *bridge)
{
	struct bridge_context_table *table = &bridge->contexts;
	struct bridge_context *context;

	if (table->num_slots == MAX_CONTEXTS || !grow(table))
		return NULL;
	context = calloc(1, sizeof(*context));
	if (context == NULL)
		return NULL;
	context->bridge = bridge;
	context->index = table->num_slots;
	table->slots[table->num_slots++] = context;
	return context;
}

static struct bridge_context *take_slot(struct dpubridge *bridge)
{
	struct bridge_context *context = bridge->contexts.unused;

	if (context == NULL)
		return add_slot(bridge);
	bridge->contexts.unused = context->next_unused;
	return context;
}

static void leave_slot(struct dpubridge *bridge, struct bridge_context *context)
{
	context->handle = 0;
	context->next_unused = bridge->contexts.unused;
	bridge->contexts.unused = context;
}

static int32_t fail(int32_t status, const char *operation)
{
	bridge_error_set("%s: %s", operation, bridge_doca.error_get_name(status));
	return status;
}

static int32_t register_callback(struct doca_ctx *ctx, struct bridge_context *context)
{
	int status = bridge_doca.ctx_set_user_data(ctx, (union doca_data){ .ptr = context });

	if (status != DOCA_SUCCESS)
		return fail(status, "dpubridge_context_attach: doca_ctx_set_user_data");
	status = bridge_doca.ctx_set_state_changed_cb(ctx, state_changed);
	if (status != DOCA_SUCCESS)
		return fail(status, "dpubridge_context_attach: doca_ctx_set_state_changed_cb");
	return DOCA_SUCCESS;
}

int32_t dpubridge_context_attach(struct dpubridge *bridge, void *ctx, void *object, uint64_t user_data, uint32_t *handle)
{
	struct bridge_context *context;
	int32_t status;

	if (!bridge_require_owner(bridge, "dpubridge_context_attach"))
		return DOCA_ERROR_NOT_PERMITTED;
	if (ctx == NULL || object == NULL || handle == NULL)
		return fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_context_attach: ctx, object and handle are needed");
	context = take_slot(bridge);
	if (context == NULL)
		return fail(DOCA_ERROR_NO_MEMORY, "dpubridge_context_attach");
	status = register_callback(ctx, context);
	if (status != DOCA_SUCCESS) {
		leave_slot(bridge, context);
		return status;
	}
	context->generation += context->generation == UINT16_MAX ? 2 : 1;
	context->handle = (uint32_t)context->generation << 16 | context->index;
	context->object = object;
	context->user_data = user_data;
	context->state = DOCA_CTX_STATE_IDLE;
	context->is_draining = false;
	context->hold.count = 0;
	context->role = BRIDGE_NO_ROLE;
	bridge->contexts.num_attached++;
	*handle = context->handle;
	return DOCA_SUCCESS;
}

int32_t dpubridge_context_configure(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_tasks)
{
	struct bridge_context *context;
	int32_t status;

	if (!bridge_require_owner(bridge, "dpubridge_context_configure"))
		return DOCA_ERROR_NOT_PERMITTED;
	context = bridge_context_find(bridge, handle);
	if (context == NULL)
		return fail(DOCA_ERROR_NOT_FOUND, "dpubridge_context_configure: handle");
	if (kind >= DPUBRIDGE_KIND_COUNT || num_tasks == 0)
		return fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_context_configure: kind or num_tasks");
	if (bridge_kind_find(kind) == NULL)
		return fail(DOCA_ERROR_NOT_SUPPORTED, "dpubridge_context_configure: no loaded library has this kind");
	status = bridge_pool_configure(&context->pools[kind], context, kind, num_tasks);
	return status == DOCA_SUCCESS ? status : fail(status, "dpubridge_context_configure: set_conf");
}

void dpubridge_context_drain(struct dpubridge *bridge, uint32_t handle)
{
	struct bridge_context *context;

	if (!bridge_require_owner(bridge, "dpubridge_context_drain"))
		return;
	context = bridge_context_find(bridge, handle);
	if (context != NULL)
		drain(context);
}

int32_t dpubridge_context_queue(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_waiting)
{
	struct bridge_context *context;

	if (!bridge_require_owner(bridge, "dpubridge_context_queue"))
		return DOCA_ERROR_NOT_PERMITTED;
	context = bridge_context_find(bridge, handle);
	if (context == NULL)
		return fail(DOCA_ERROR_NOT_FOUND, "dpubridge_context_queue: handle");
	if (kind >= DPUBRIDGE_KIND_COUNT || context->pools[kind].kind == NULL)
		return fail(DOCA_ERROR_BAD_STATE, "dpubridge_context_queue: the kind is not configured");
	if (context->pools[kind].queue.count != 0)
		return fail(DOCA_ERROR_IN_USE, "dpubridge_context_queue: entries wait");
	return bridge_queue_configure(&context->pools[kind].queue, num_waiting);
}

int32_t dpubridge_context_retry_budget(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint64_t budget_ns)
{
	struct bridge_context *context;

	if (!bridge_require_owner(bridge, "dpubridge_context_retry_budget"))
		return DOCA_ERROR_NOT_PERMITTED;
	context = bridge_context_find(bridge, handle);
	if (context == NULL)
		return fail(DOCA_ERROR_NOT_FOUND, "dpubridge_context_retry_budget: handle");
	if (kind >= DPUBRIDGE_KIND_COUNT || context->pools[kind].kind == NULL || context->pools[kind].queue.capacity == 0)
		return fail(DOCA_ERROR_BAD_STATE, "dpubridge_context_retry_budget: the kind is not configured, or its entries may not wait");
	if (context->pools[kind].queue.count != 0)
		return fail(DOCA_ERROR_IN_USE, "dpubridge_context_retry_budget: entries wait");
	if (!context->pools[kind].kind->shape->is_comch)
		return fail(DOCA_ERROR_NOT_SUPPORTED, "dpubridge_context_retry_budget: the kind is not a kind of comch");
	return bridge_retry_configure(&context->pools[kind], budget_ns);
}

int32_t dpubridge_context_withdraw(struct dpubridge *bridge, uint32_t handle, uint64_t user_data, int32_t status)
{
	struct bridge_context *context;
	uint32_t i;

	if (!bridge_require_owner(bridge, "dpubridge_context_withdraw"))
		return 0;
	context = bridge_context_find(bridge, handle);
	for (i = 0; context != NULL && i < DPUBRIDGE_KIND_COUNT; i++)
		if (bridge_queue_withdraw(&context->pools[i], user_data, status))
			return 1;
	return 0;
}

uint32_t dpubridge_context_inflight(const struct dpubridge *bridge, uint32_t handle)
{
	const struct bridge_context *context;
	uint32_t i, inflight = 0;

	if (!bridge_require_owner(bridge, "dpubridge_context_inflight"))
		return UINT32_MAX;
	context = bridge_context_find(bridge, handle);
	for (i = 0; context != NULL && i < DPUBRIDGE_KIND_COUNT; i++)
		inflight += context->pools[i].inflight;
	return inflight;
}

static bool is_used(struct dpubridge *bridge, const struct bridge_context *context)
{
	uint32_t i, left = 0;

	for (i = 0; i < DPUBRIDGE_KIND_COUNT; i++)
		left += context->pools[i].num_allocated + context->pools[i].queue.count;
	return context->state != DOCA_CTX_STATE_IDLE || left != 0 || bridge_overflow_holds(bridge, context);
}

int32_t dpubridge_context_detach(struct dpubridge *bridge, uint32_t handle)
{
	struct bridge_context *context;
	uint32_t i;

	if (!bridge_require_owner(bridge, "dpubridge_context_detach"))
		return DOCA_ERROR_NOT_PERMITTED;
	context = bridge_context_find(bridge, handle);
	if (context == NULL)
		return fail(DOCA_ERROR_NOT_FOUND, "dpubridge_context_detach: handle");
	bridge_overflow_deliver(bridge);
	if (is_used(bridge, context))
		return fail(DOCA_ERROR_IN_USE, "dpubridge_context_detach: not idle, or tasks or records are left");
	for (i = 0; i < DPUBRIDGE_KIND_COUNT; i++)
		bridge_pool_fini(&context->pools[i]);
	bridge_connections_end(context);
	bridge->num_comch -= context->role != BRIDGE_NO_ROLE;
	leave_slot(bridge, context);
	bridge->contexts.num_attached--;
	return DOCA_SUCCESS;
}

void bridge_contexts_fini(struct dpubridge *bridge)
{
	uint32_t i;

	for (i = 0; i < bridge->contexts.num_slots; i++)
		free(bridge->contexts.slots[i]);
	free(bridge->contexts.slots);
}
