#include "context/context.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/table.h"
#include "queue/pump.h"
#include "ring/overflow.h"
#include "ring/ring.h"

#define MAX_CONTEXTS 65536u

/* Waiting entries cannot begin any more: DOCA would refuse them. */
static void drain(struct bridge_context *context)
{
	uint32_t i;

	for (i = 0; i < BRIDGE_NUM_QUEUES; i++)
		context->queues[i].pool.is_draining = true;
	for (i = 0; i < BRIDGE_NUM_QUEUES; i++)
		bridge_queue_recall(&context->queues[i]);
	for (i = 0; i < BRIDGE_NUM_QUEUES; i++)
		bridge_pool_free_kept(&context->queues[i].pool);
}

static void end_connections(struct bridge_context *context)
{
	if (context->end_connections != NULL)
		context->end_connections(context);
}

/* Returns DOCA's state of a context, because an event may be late or lost; that of the last event if DOCA does not answer. Owner. */
static uint32_t current_state(const struct bridge_context *context)
{
	int state = (int)context->state;

	(void)bridge_doca.ctx_get_state(context->ctx, &state);
	return (uint32_t)state;
}

/*
 * Handles a new state. A STOPPING context submits nothing and waits until every task is freed; kept tasks would block it for ever.
 * After the next start, the bridge keeps tasks again; a late event of the start must not undo a stop. Owner.
 */
static void change(struct bridge_context *context, uint32_t state)
{
	uint32_t i, previous = context->state;

	context->state = state;
	if (state == DOCA_CTX_STATE_IDLE)
		end_connections(context);
	if (state == DOCA_CTX_STATE_STOPPING)
		drain(context);
	else if (previous == DOCA_CTX_STATE_IDLE && current_state(context) != DOCA_CTX_STATE_STOPPING)
		for (i = 0; i < BRIDGE_NUM_QUEUES; i++)
			context->queues[i].pool.is_draining = false;
}

static void deliver(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	struct bridge_context *context = bridge_context_find(bridge, item->record.context);
	struct dpubridge_record record;
	bool is_foreign = item->is_foreign;

	/* A foreign thread may be merging into the spare, and reuses it as soon as deliver is NULL. */
	pthread_mutex_lock(&bridge->overflow.lock);
	record = item->record;
	item->deliver = NULL;
	pthread_mutex_unlock(&bridge->overflow.lock);
	if (item != &context->spare)
		free(item);
	bridge_ring_put(bridge, &record);
	/* Last, and without the lock: this call may free tasks, which may change the state again. */
	if (is_foreign)
		change(context, record.states & 0xffffu);
}

/* Without memory, merges the changes of a context into its spare: previous state of the first change, next state of the last. */
static void put_into_overflow(struct bridge_context *context, const struct dpubridge_record *record)
{
	struct bridge_overflow_item *item = malloc(sizeof(*item)), *spare = &context->spare;

	pthread_mutex_lock(&context->bridge->overflow.lock);
	if (spare->deliver != NULL) {
		spare->record.states = (spare->record.states & 0xffff0000u) | (record->states & 0xffffu);
		free(item);
	} else {
		if (item == NULL)
			item = spare;
		*item = (struct bridge_overflow_item){ .deliver = deliver, .record = *record };
		bridge_overflow_append(context->bridge, item);
	}
	pthread_mutex_unlock(&context->bridge->overflow.lock);
}

/* DOCA's state-changed callback. */
static void state_changed(union doca_data user_data, struct doca_ctx *ctx, int previous, int next)
{
	struct bridge_context *context = user_data.ptr;
	struct dpubridge *bridge = context->bridge;
	const struct dpubridge_record record = {
		.user_data = context->user_data,
		.context = context->handle,
		.type = DPUBRIDGE_RECORD_CONTEXT_STATE,
		.states = (uint32_t)previous << 16 | (uint32_t)next,
	};

	(void)ctx;
	/* Queue behind waiting records: the last record of a stopped context is its IDLE. */
	if (!bridge_overflow_may_pass(bridge) || !bridge_ring_has_unsolicited_room(bridge))
		put_into_overflow(context, &record);
	else
		bridge_ring_put(bridge, &record);
	if (bridge_is_owner(bridge))
		change(context, (uint32_t)next);
}

static struct bridge_context *add_slot(struct dpubridge *bridge)
{
	struct bridge_context_table *table = &bridge->contexts;
	struct bridge_context *context, **slots;

	if (table->num_slots == MAX_CONTEXTS)
		return NULL;
	slots = bridge_table_grow(table->slots, table->num_slots, &table->capacity, sizeof(*slots));
	if (slots == NULL)
		return NULL;
	table->slots = slots;
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

static int32_t register_callback(struct doca_ctx *ctx, struct bridge_context *context)
{
	int status = bridge_doca.ctx_set_user_data(ctx, (union doca_data){ .ptr = context });

	if (status != DOCA_SUCCESS)
		return bridge_fail(status, "dpubridge_context_attach: doca_ctx_set_user_data");
	status = bridge_doca.ctx_set_state_changed_cb(ctx, state_changed);
	if (status != DOCA_SUCCESS)
		return bridge_fail(status, "dpubridge_context_attach: doca_ctx_set_state_changed_cb");
	return DOCA_SUCCESS;
}

int32_t dpubridge_context_attach(struct dpubridge *bridge, void *ctx, void *object, uint64_t user_data, uint32_t *handle)
{
	struct bridge_context *context;
	int32_t status;

	if (!bridge_require_owner(bridge, "dpubridge_context_attach"))
		return DOCA_ERROR_NOT_PERMITTED;
	if (ctx == NULL || object == NULL || handle == NULL)
		return bridge_fail(DOCA_ERROR_INVALID_VALUE, "dpubridge_context_attach: ctx, object and handle are needed");
	context = take_slot(bridge);
	if (context == NULL)
		return bridge_fail(DOCA_ERROR_NO_MEMORY, "dpubridge_context_attach");
	status = register_callback(ctx, context);
	if (status != DOCA_SUCCESS) {
		leave_slot(bridge, context);
		return status;
	}
	context->generation += context->generation == UINT16_MAX ? 2 : 1;
	context->handle = (uint32_t)context->generation << 16 | context->index;
	context->object = object;
	context->ctx = ctx;
	context->user_data = user_data;
	context->state = DOCA_CTX_STATE_IDLE;
	context->role = BRIDGE_NO_ROLE;
	context->end_connections = NULL;
	bridge->contexts.num_attached++;
	*handle = context->handle;
	return DOCA_SUCCESS;
}

struct bridge_context *bridge_context_require(struct dpubridge *bridge, uint32_t handle, const char *function, int32_t *status)
{
	struct bridge_context *context;

	*status = DOCA_ERROR_NOT_PERMITTED;
	if (!bridge_require_owner(bridge, function))
		return NULL;
	context = bridge_context_find(bridge, handle);
	*status = context != NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND;
	if (context == NULL)
		bridge_error_set("%s: handle: %s", function, bridge_doca.error_get_name(*status));
	return context;
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

int32_t dpubridge_context_withdraw(struct dpubridge *bridge, uint32_t handle, uint64_t user_data, int32_t status)
{
	struct bridge_context *context;
	uint32_t i;

	if (!bridge_require_owner(bridge, "dpubridge_context_withdraw"))
		return 0;
	context = bridge_context_find(bridge, handle);
	for (i = 0; context != NULL && i < BRIDGE_NUM_QUEUES; i++)
		if (bridge_queue_withdraw(&context->queues[i], user_data, status))
			return 1;
	return 0;
}

int32_t dpubridge_context_reclaim(struct dpubridge *bridge, uint32_t handle, uint64_t user_data)
{
	struct bridge_context *context;
	uint32_t i;

	if (!bridge_require_owner(bridge, "dpubridge_context_reclaim"))
		return 0;
	context = bridge_context_find(bridge, handle);
	for (i = 0; context != NULL && i < BRIDGE_NUM_QUEUES; i++)
		if (bridge_queue_reclaim(&context->queues[i], user_data))
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
	for (i = 0; context != NULL && i < BRIDGE_NUM_QUEUES; i++)
		inflight += context->queues[i].pool.inflight;
	return inflight;
}

static bool is_used(struct dpubridge *bridge, const struct bridge_context *context)
{
	uint32_t i, left = 0;

	for (i = 0; i < BRIDGE_NUM_QUEUES; i++)
		left += context->queues[i].pool.num_allocated + context->queues[i].count;
	return context->state != DOCA_CTX_STATE_IDLE || left != 0 || bridge_overflow_holds(bridge, context->handle);
}

int32_t dpubridge_context_detach(struct dpubridge *bridge, uint32_t handle)
{
	int32_t status;
	struct bridge_context *context = bridge_context_require(bridge, handle, "dpubridge_context_detach", &status);
	uint32_t i;

	if (context == NULL)
		return status;
	bridge_overflow_deliver(bridge);
	if (context->state != DOCA_CTX_STATE_IDLE) /* otherwise the caller may have destroyed it */
		change(context, current_state(context));
	if (is_used(bridge, context))
		return bridge_fail(DOCA_ERROR_IN_USE, "dpubridge_context_detach: not idle, or tasks or records are left");
	for (i = 0; i < BRIDGE_NUM_QUEUES; i++) {
		bridge_queue_fini(&context->queues[i]);
		bridge_pool_fini(&context->queues[i].pool);
	}
	end_connections(context);
	bridge->num_comch -= context->role == BRIDGE_SERVER || context->role == BRIDGE_CLIENT;
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
