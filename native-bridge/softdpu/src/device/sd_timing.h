/*
 * The timing model (SOFTDPU_TIMING=1): the time at which a card of the profile would complete a task. A task takes the channel
 * of its unit that becomes free first. The task occupies the channel for the latency and for the transfer of its bytes at the
 * channel's rate. One task at a time is therefore slow; parallel tasks raise the throughput up to the number of channels.
 *
 * Thread: any.
 */
#ifndef SD_TIMING_H
#define SD_TIMING_H

#include <stdint.h>

struct doca_task;

/** Reserves a channel for a latched task. Returns the completion time on the device's clock; 0: the task takes no time. */
uint64_t sd_timing_reserve(const struct doca_task *task);

/**
 * Returns the completion time of an executed task, from the model and the delay of its fault. The time may have passed; 0: at
 * once.
 */
uint64_t sd_timing_due(const struct doca_task *task);

/** Frees all channels. */
void sd_timing_reset(void);

#endif
