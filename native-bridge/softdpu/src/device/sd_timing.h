/*
 * The timing model (SOFTDPU_TIMING=1): when a task would be done on the card of the profile. A task takes the channel of its unit that
 * is free first, and keeps it for the latency and for its bytes at the channel's rate. Hence one task at a time is slow, as many as
 * there are channels are fast, and more are no faster.
 *
 * Thread: any.
 */
#ifndef SD_TIMING_H
#define SD_TIMING_H

#include <stdint.h>

struct doca_task;

/** Take a channel for a latched task; when it is done, on the device's clock. 0: the task takes no time. */
uint64_t sd_timing_reserve(const struct doca_task *task);

/** When the completion of an executed task is to come, with what the model and a fault demand; it may
 *  have passed. 0: at once. */
uint64_t sd_timing_due(const struct doca_task *task);

/** All channels are free. */
void sd_timing_reset(void);

#endif
