/* A minimal task library, for tests of the base of all libraries. */
#ifndef PLAIN_LIBRARY_H
#define PLAIN_LIBRARY_H

#include <stdatomic.h>

#include "rig.h"
#include "sd_context.h"

struct plain {
	struct doca_ctx ctx;
	doca_error_t start_result;		/* result of the start hook */
	int busy;				/* result of the is_busy hook */
	int num_stops, num_stopped;		/* calls of these hooks */
	int completed, failed;
	doca_error_t last_status;
	enum doca_ctx_states states[RIG_MAX_STATES];
	int num_states;
	void (*on_state)(struct plain *plain, enum doca_ctx_states next);
	struct doca_pe *pe;
};

struct plain_task {
	struct doca_task base;
	doca_error_t latch_result, result;
	int num_latched;
};

RIG doca_error_t plain_start(struct doca_ctx *ctx)
{
	return ((struct plain *)ctx)->start_result;
}

RIG void plain_stop(struct doca_ctx *ctx)
{
	((struct plain *)ctx)->num_stops++;
}

RIG uint8_t plain_is_busy(const struct doca_ctx *ctx)
{
	return ((const struct plain *)ctx)->busy != 0;
}

RIG void plain_stopped(struct doca_ctx *ctx)
{
	((struct plain *)ctx)->num_stopped++;
}

__attribute__((unused)) static const struct sd_context_ops plain_ops = {
	.name = "plain",
	.start = plain_start,
	.stop = plain_stop,
	.is_busy = plain_is_busy,
	.stopped = plain_stopped,
};

RIG doca_error_t plain_validate(struct doca_task *task)
{
	return ((struct plain_task *)task)->result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

RIG doca_error_t plain_latch(struct doca_task *task)
{
	struct plain_task *plain = (struct plain_task *)task;

	if (plain->latch_result != DOCA_ERROR_AGAIN)
		plain->num_latched++;
	return plain->latch_result;
}

RIG doca_error_t plain_execute(struct doca_task *task, void *unit)
{
	CHECK(unit == NULL);
	return ((struct plain_task *)task)->result;
}

RIG void plain_complete(struct doca_task *task)
{
	((struct plain_task *)task)->num_latched--;
}

__attribute__((unused)) static const struct sd_task_operation plain_operation = {
	.name = "plain",
	.task_size = sizeof(struct plain_task),
	.validate = plain_validate,
	.latch = plain_latch,
	.execute = plain_execute,
	.complete = plain_complete,
};

__attribute__((unused)) static const struct sd_task_operation fragile_operation = {
	.name = "fragile",
	.task_size = sizeof(struct plain_task),
	.latch = plain_latch,
	.execute = plain_execute,
	.complete = plain_complete,
	.failure_stops_context = 1,
};

RIG void plain_completed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct plain *plain = ctx_data.ptr;

	(void)task_data;
	plain->completed++;
	plain->last_status = doca_task_get_status(task);
	CHECK_EQ(((struct plain_task *)task)->num_latched, 0);
	doca_task_free(task);
}

RIG void plain_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct plain *plain = ctx_data.ptr;

	plain->completed--;
	plain->failed++;
	plain_completed(task, task_data, ctx_data);
}

RIG void plain_state_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			     enum doca_ctx_states next)
{
	struct plain *plain = user_data.ptr;

	(void)ctx;
	(void)previous;
	CHECK(plain->num_states < RIG_MAX_STATES);
	plain->states[plain->num_states++] = next;
	if (plain->on_state != NULL)
		plain->on_state(plain, next);
}

RIG void plain_open(struct plain *plain, struct doca_pe *pe)
{
	union doca_data data = { .ptr = plain };

	memset(plain, 0, sizeof(*plain));
	plain->pe = pe;
	sd_context_init(&plain->ctx, &plain_ops, NULL);
	CHECK_OK(doca_pe_connect_ctx(pe, &plain->ctx));
	CHECK_OK(doca_ctx_set_user_data(&plain->ctx, data));
	CHECK_OK(doca_ctx_set_state_changed_cb(&plain->ctx, plain_state_changed));
}

RIG struct plain_task *plain_alloc(struct plain *plain, const struct sd_task_operation *operation, doca_error_t result)
{
	union doca_data none = { 0 };
	struct doca_task *task;

	CHECK_OK(sd_task_alloc(&plain->ctx, operation, none, &task));
	((struct plain_task *)task)->latch_result = DOCA_SUCCESS;
	((struct plain_task *)task)->result = result;
	return (struct plain_task *)task;
}

RIG enum doca_ctx_states plain_state(struct plain *plain)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(&plain->ctx, &state));
	return state;
}

#endif
