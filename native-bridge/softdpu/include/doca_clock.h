/*
 * Clocks of the host and of the device, read alone or two at the same moment.
 *
 * The software DPU has a free-running clock (its device clock: virtual in inline execution) and a real-time clock (the system's
 * wall clock). The clock has no timer of a data path accelerator (DPA).
 *
 * Thread: any. For a NULL argument, a function returns INVALID_VALUE.
 */
#ifndef DOCA_CLOCK_H_
#define DOCA_CLOCK_H_

#include <sched.h> /* struct timespec, also in strict C99 */
#include <stdint.h>
#include <time.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_clock;
struct doca_dev;
struct doca_devinfo;

/** @name Clocks */
/** @{ */
/** Of the device, from an arbitrary start; seconds and nanoseconds, as all clocks except the counter. */
#define DOCA_CLOCK_NIC_FREE_RUNNING 0x1
/** Of the device, since 1970. */
#define DOCA_CLOCK_NIC_REAL_TIME 0x2
/** Of the device's data path accelerator. */
#define DOCA_CLOCK_NIC_DPA_TIMER 0x100
/** The processor's counter: TSC on x86-64, CNTVCT_EL0 on aarch64; cycles. */
#define DOCA_CLOCK_HOST_COUNTER_CYCLES 0x10000
/** CLOCK_REALTIME. */
#define DOCA_CLOCK_HOST_REAL_TIME 0x20000
/** CLOCK_MONOTONIC. */
#define DOCA_CLOCK_HOST_MONOTONIC 0x40000
/** CLOCK_MONOTONIC_RAW. */
#define DOCA_CLOCK_HOST_MONOTONIC_RAW 0x80000
/** @} */

/** A reading of a clock. */
union doca_clock_timespec_t {
	struct timespec ts;
	uint64_t counter;	/**< DOCA_CLOCK_HOST_COUNTER_CYCLES */
};

/** Returns SUCCESS if the device has the free-running clock; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo);
/** Returns SUCCESS if the device has the real-time clock; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo);
/** Returns SUCCESS if the device has the DPA timer; NOT_SUPPORTED if not, as always on the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo);

/** Creates a reader of the clocks of an opened device, which stays in use until the reader is destroyed. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock);
DOCA_EXPERIMENTAL
doca_error_t doca_clock_destroy(struct doca_clock *clock);
/** Reads one clock. NOT_SUPPORTED: clock_type is not exactly one available clock. */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock, uint64_t clock_type, union doca_clock_timespec_t *clock_ts);
/**
 * Reads any clock and a clock of the device at the same moment.
 * @param error_margin_nsecs largest difference between the moments, in the unit of the primary clock: nanoseconds or cycles
 * @return NOT_SUPPORTED: a type is not exactly one available clock, or the second one is not of the device
 */
DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock, uint64_t primary_clock_type, uint64_t nic_clock_type,
					   union doca_clock_timespec_t *primary_clock_ts,
					   union doca_clock_timespec_t *nic_clock_ts, uint64_t *error_margin_nsecs);

#ifdef __cplusplus
}
#endif

#endif
