/* Polling of an engine: see sd_engine.h. */
#include "sd_config.h"
#include "sd_engine.h"

enum {
	IDLE_CALLS = 64,			/* number of empty progress calls after which the program is polling */
	TURNS = 8,				/* number of events after which a busy engine polls */
};

static uint8_t is_inline(void)
{
	return sd_config()->execution == SOFTDPU_EXECUTION_INLINE;
}

void sd_context_visit(struct doca_ctx *ctx)
{
	struct doca_pe *pe = ctx->pe;

	if (ctx->is_visited)
		return;
	ctx->is_visited = 1;
	ctx->visited_prev = NULL;
	ctx->visited_next = pe->visited;
	if (pe->visited != NULL)
		pe->visited->visited_prev = ctx;
	pe->visited = ctx;
}

static void stop_visits(struct doca_ctx *ctx)
{
	if (!ctx->is_visited)
		return;
	ctx->is_visited = 0;
	if (ctx->visited_prev != NULL)
		ctx->visited_prev->visited_next = ctx->visited_next;
	else
		ctx->pe->visited = ctx->visited_next;
	if (ctx->visited_next != NULL)
		ctx->visited_next->visited_prev = ctx->visited_prev;
}

void sd_engine_join_poll(struct doca_ctx *ctx)
{
	if (ctx->ops->poll == NULL)
		return;
	ctx->pe->num_pollable++;
	sd_context_visit(ctx);
	if (is_inline() && !ctx->pe->is_polling)
		ctx->ops->rest(ctx); /* the program may sleep before it calls progress */
}

void sd_engine_leave_poll(struct doca_ctx *ctx)
{
	if (ctx->ops->poll == NULL)
		return;
	ctx->pe->num_pollable--;
	stop_visits(ctx);
}

static void poll_all(struct doca_pe *pe, uint32_t budget)
{
	struct doca_ctx *next;

	pe->num_turns = 0;
	for (struct doca_ctx *ctx = pe->visited; ctx != NULL; ctx = next) {
		next = ctx->visited_next;
		pe->num_visits++;
		if (!ctx->ops->poll(ctx, budget))
			stop_visits(ctx);
	}
	sd_sources_read(&pe->sources, budget);
}

uint8_t sd_engine_is_poll_due(struct doca_pe *pe)
{
	return pe->is_polling && pe->num_pollable > 0 && ++pe->num_turns >= TURNS;
}

void sd_engine_poll_between(struct doca_pe *pe)
{
	poll_all(pe, TURNS);
}

void sd_engine_poll_idle(struct doca_pe *pe)
{
	if (pe->num_pollable == 0)
		return;
	/*
	 * A program may call progress until 0 after each event. The program's last call, which returns 0, does not
	 * poll.
	 */
	if (pe->gave_event && !is_inline()) {
		pe->gave_event = 0;
		return;
	}
	if (!pe->is_polling && ++pe->num_idle < IDLE_CALLS && !is_inline())
		return;
	if (!pe->is_polling)
		sd_sources_accept(&pe->sources);
	pe->is_polling = 1;
	poll_all(pe, 1);
}

void sd_engine_rest(struct doca_pe *pe)
{
	pe->num_idle = 0;
	if (!pe->is_polling && !is_inline())
		return;
	pe->is_polling = 0;
	for (struct doca_ctx *ctx = pe->visited; ctx != NULL; ctx = ctx->visited_next)
		ctx->ops->rest(ctx);
	sd_sources_rest(&pe->sources);
}

uint64_t sd_engine_next_poll(const struct doca_pe *pe)
{
	uint64_t next = UINT64_MAX;

	for (const struct doca_ctx *ctx = is_inline() ? pe->visited : NULL; ctx != NULL; ctx = ctx->visited_next) {
		uint64_t due_ns = ctx->ops->next_due == NULL ? UINT64_MAX : ctx->ops->next_due(ctx);

		next = due_ns < next ? due_ns : next;
	}
	return next;
}

uint8_t sd_context_is_polled(const struct doca_ctx *ctx)
{
	return ctx->pe->is_polling;
}

uint64_t sd_context_draw(struct doca_ctx *ctx)
{
	return sd_device_draw(ctx->pe);
}

void sd_context_elapse(struct doca_ctx *ctx)
{
	if (sd_clock_jumps())
		sd_clock_jump(sd_device_draw_due(ctx->pe));
}
