/* Programs that poll: see sd_engine.h. */
#include "sd_config.h"
#include "sd_engine.h"

enum {
	IDLE_CALLS = 64,			/* who has asked so often in vain is not going to sleep */
	TURNS = 8,				/* a busy engine looks outside after so many events */
};

static uint8_t is_inline(void)
{
	return sd_config()->execution == SOFTDPU_EXECUTION_INLINE;
}

void sd_engine_join_poll(struct doca_ctx *ctx)
{
	if (ctx->ops->poll == NULL)
		return;
	ctx->polled_next = ctx->pe->pollable;
	ctx->pe->pollable = ctx;
	if (is_inline() && !ctx->pe->is_polling)
		ctx->ops->rest(ctx); /* the program may sleep before it asks for progress */
}

void sd_engine_leave_poll(struct doca_ctx *ctx)
{
	struct doca_ctx **place = &ctx->pe->pollable;

	while (*place != NULL && *place != ctx)
		place = &(*place)->polled_next;
	if (*place != NULL)
		*place = ctx->polled_next;
}

static void poll_all(struct doca_pe *pe, uint32_t budget)
{
	pe->num_turns = 0;
	for (struct doca_ctx *ctx = pe->pollable; ctx != NULL; ctx = ctx->polled_next)
		ctx->ops->poll(ctx, budget);
}

uint8_t sd_engine_is_poll_due(struct doca_pe *pe)
{
	return pe->is_polling && pe->pollable != NULL && ++pe->num_turns >= TURNS;
}

void sd_engine_poll_between(struct doca_pe *pe)
{
	poll_all(pe, TURNS);
}

void sd_engine_poll_idle(struct doca_pe *pe)
{
	if (pe->pollable == NULL)
		return;
	/* Who asks until there is nothing more after each event does not pay for a look outside to hear that. */
	if (pe->gave_event && !is_inline()) {
		pe->gave_event = 0;
		return;
	}
	if (!pe->is_polling && ++pe->num_idle < IDLE_CALLS && !is_inline())
		return;
	pe->is_polling = 1;
	poll_all(pe, 1);
}

void sd_engine_rest(struct doca_pe *pe)
{
	pe->num_idle = 0;
	if (!pe->is_polling && !is_inline())
		return;
	pe->is_polling = 0;
	for (struct doca_ctx *ctx = pe->pollable; ctx != NULL; ctx = ctx->polled_next)
		ctx->ops->rest(ctx);
}

void sd_context_wake(struct doca_ctx *ctx)
{
	sd_engine_wake(ctx->pe);
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
