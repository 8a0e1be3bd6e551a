/* The states of a context, for the files of this room. Program's thread. */
#ifndef SD_STATES_H
#define SD_STATES_H

#include "sd_context.h"

/** Move a context to its next state and call the program. The context may be destroyed when this returns with IDLE. */
void sd_context_set_state(struct doca_ctx *ctx, enum doca_ctx_states next);
/** STARTING or RUNNING: take back what the device has not begun, tell the library. The state is the caller's to set. */
void sd_context_wind_down(struct doca_ctx *ctx);
/** The library stops the context without a call of the program, in the next progress call for this context. */
void sd_context_fail_next(struct doca_ctx *ctx);
/** Whether something keeps the context from IDLE. */
uint8_t sd_context_is_outstanding(const struct doca_ctx *ctx);
/** Let go of the device and be IDLE; 0 when a late event prevents it. The context may be destroyed when this returns 1. */
uint8_t sd_context_become_idle(struct doca_ctx *ctx);

#endif
