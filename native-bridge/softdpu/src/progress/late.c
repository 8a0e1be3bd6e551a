#include "sd_late.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "sd_config.h"
#include "sd_engine.h"
#include "sd_log.h"

struct sd_late {
	struct sd_late *next;
	struct doca_ctx *ctx;
	enum doca_ctx_states previous_state, next_state;
	uint64_t due_ns;
};

/* Inserts a report after all others with the same or an earlier time, and after those of its context. */
static void insert(struct sd_late *late)
{
	struct sd_late **place = &late->ctx->pe->late;

	for (struct sd_late *other = *place; other != NULL; other = other->next) {
		if (other->ctx == late->ctx && other->due_ns > late->due_ns)
			late->due_ns = other->due_ns;
	}
	while (*place != NULL && (*place)->due_ns <= late->due_ns)
		place = &(*place)->next;
	late->next = *place;
	*place = late;
}

void sd_late_add(struct doca_ctx *ctx, enum doca_ctx_states previous, enum doca_ctx_states next, uint64_t delay_ns)
{
	struct sd_late *late = malloc(sizeof(*late));

	if (late == NULL) {
		SD_LOG_ERROR("no memory for the report of a state of %s context %p", ctx->ops->name, (void *)ctx);
		return;
	}
	*late = (struct sd_late){
		.ctx = ctx,
		.previous_state = previous,
		.next_state = next,
		.due_ns = sd_clock_now() + delay_ns,
	};
	insert(late);
	if (sd_late_has_work(ctx->pe))
		sd_engine_wake(ctx->pe);
}

uint8_t sd_late_holds(const struct doca_ctx *ctx)
{
	const struct sd_late *late = ctx->pe->late;

	while (late != NULL && late->ctx != ctx)
		late = late->next;
	return late != NULL;
}

void sd_late_drop(const struct doca_ctx *ctx)
{
	struct sd_late **place = &ctx->pe->late;

	while (*place != NULL) {
		struct sd_late *late = *place;

		if (late->ctx != ctx) {
			place = &late->next;
			continue;
		}
		*place = late->next;
		free(late);
	}
}

static uint8_t is_inline(void)
{
	return sd_config()->execution == SOFTDPU_EXECUTION_INLINE;
}

/* Inline execution: moves a clock that jumps to the time of the first report, if it comes next. */
static void jump(const struct doca_pe *pe)
{
	if (is_inline() && sd_clock_jumps() && pe->ready_head == NULL && atomic_load(&pe->inbox) == NULL &&
	    pe->late->due_ns <= sd_device_next_due(pe))
		sd_clock_jump(pe->late->due_ns);
}

uint8_t sd_late_report(struct doca_pe *pe)
{
	struct sd_late late;

	if (pe->late == NULL)
		return 0;
	jump(pe);
	if (pe->late->due_ns > sd_clock_now())
		return 0;
	late = *pe->late;
	free(pe->late);
	pe->late = late.next;
	pe->callback_depth++;
	late.ctx->state_changed(late.ctx->user_data, late.ctx, late.previous_state, late.next_state);
	pe->callback_depth--;
	return 1;
}

uint8_t sd_late_has_work(const struct doca_pe *pe)
{
	return pe->late != NULL && (!is_inline() || sd_clock_jumps() || pe->late->due_ns <= sd_clock_virtual_now());
}

uint64_t sd_late_next_due(const struct doca_pe *pe)
{
	return pe->late == NULL ? UINT64_MAX : pe->late->due_ns;
}
