/*
 * Reports of states that the program gets late or twice (fault plan, `ctx-event`). The context is in its state already. Thread:
 * program's.
 */
#ifndef SD_LATE_H
#define SD_LATE_H

#include "sd_base.h"

/** Adds a report: progress calls the state callback after the delay. Without memory the report is lost. */
void sd_late_add(struct doca_ctx *ctx, enum doca_ctx_states previous, enum doca_ctx_states next, uint64_t delay_ns);
/** Returns whether reports of the context wait. Its other reports must wait behind them. */
uint8_t sd_late_holds(const struct doca_ctx *ctx);
/** Drops the reports of a context that is destroyed. */
void sd_late_drop(const struct doca_ctx *ctx);
/**
 * Makes the first report, if it is due. A virtual clock that jumps moves to its time if no event waits and no task comes before it.
 * Returns whether it made one. Afterwards an IDLE context must not be used.
 */
uint8_t sd_late_report(struct doca_pe *pe);
/** Returns whether the program must not sleep: a report is due, or, unless the clock is manual, one waits. */
uint8_t sd_late_has_work(const struct doca_pe *pe);
/** Returns the time of the first report on the device's clock; UINT64_MAX: none. */
uint64_t sd_late_next_due(const struct doca_pe *pe);

#endif
