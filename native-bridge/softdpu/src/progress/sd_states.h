/* The states of a context, for the files of this folder. Thread: program's. */
#ifndef SD_STATES_H
#define SD_STATES_H

#include "sd_context.h"

/** Moves a context to its next state and calls the program. After a return with IDLE, the context may have been destroyed. */
void sd_context_set_state(struct doca_ctx *ctx, enum doca_ctx_states next);
/**
 * Cancels the tasks that the device has not started, and calls the library's stop hook. State: STARTING or RUNNING; the caller
 * sets the next one.
 */
void sd_context_wind_down(struct doca_ctx *ctx);
/** Stops the context without a call of the program, in the next progress call for this context. */
void sd_context_fail_next(struct doca_ctx *ctx);
/** Returns whether tasks, events or library work keep the context from IDLE. */
uint8_t sd_context_is_outstanding(const struct doca_ctx *ctx);
/**
 * Releases the device and sets IDLE; returns 0 if a late event prevents it. After a return of 1, the context may have been
 * destroyed.
 */
uint8_t sd_context_become_idle(struct doca_ctx *ctx);

#endif
