/* Clocks of the host and of the device. */
#include <stdlib.h>

#include "doca_clock.h"
#include "doca_dev.h"
#include "sd_dev.h"
#include "sd_device.h"
#include "sd_shape.h"

static const uint64_t NSECS = 1000000000;

struct doca_clock {
	struct doca_dev *dev;
};

SD_PRESENT(doca_clock_cap_nic_free_running_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_clock_cap_nic_real_time_is_supported, const struct doca_devinfo)
SD_ABSENT(doca_clock_cap_nic_dpa_timer_is_supported, const struct doca_devinfo)

doca_error_t doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock)
{
	struct doca_clock *created;

	if (dev == NULL || clock == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = malloc(sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->dev = (struct doca_dev *)(uintptr_t)dev; /* only its count of users changes */
	sd_dev_hold(created->dev);
	*clock = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_clock_destroy(struct doca_clock *clock)
{
	if (clock == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	sd_dev_release(clock->dev);
	free(clock);
	return DOCA_SUCCESS;
}

static uint64_t read_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t counter;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(counter));
	return counter;
#else
#error unknown counter of this processor
#endif
}

static uint64_t read_system(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NSECS + (uint64_t)now.tv_nsec;
}

/* Reads a clock: nanoseconds, or cycles of the counter. */
static doca_error_t read_clock(uint64_t type, uint64_t *value)
{
	switch (type) {
	case DOCA_CLOCK_NIC_FREE_RUNNING:
		*value = sd_clock_now();
		return DOCA_SUCCESS;
	case DOCA_CLOCK_NIC_REAL_TIME:
	case DOCA_CLOCK_HOST_REAL_TIME:
		*value = read_system(CLOCK_REALTIME);
		return DOCA_SUCCESS;
	case DOCA_CLOCK_HOST_MONOTONIC:
		*value = read_system(CLOCK_MONOTONIC);
		return DOCA_SUCCESS;
	case DOCA_CLOCK_HOST_MONOTONIC_RAW:
		*value = read_system(CLOCK_MONOTONIC_RAW);
		return DOCA_SUCCESS;
	case DOCA_CLOCK_HOST_COUNTER_CYCLES:
		*value = read_counter();
		return DOCA_SUCCESS;
	default:
		return DOCA_ERROR_NOT_SUPPORTED;
	}
}

static void store(uint64_t type, uint64_t value, union doca_clock_timespec_t *reading)
{
	if (type == DOCA_CLOCK_HOST_COUNTER_CYCLES) {
		reading->counter = value;
		return;
	}
	reading->ts.tv_sec = (time_t)(value / NSECS);
	reading->ts.tv_nsec = (long)(value % NSECS);
}

doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock, uint64_t clock_type, union doca_clock_timespec_t *clock_ts)
{
	doca_error_t result;
	uint64_t value;

	if (clock == NULL || clock_ts == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = read_clock(clock_type, &value);
	if (result == DOCA_SUCCESS)
		store(clock_type, value, clock_ts);
	return result;
}

/* Reads the primary clock before and after the device's clock; the middle is the same moment. */
doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock, uint64_t primary_clock_type, uint64_t nic_clock_type,
					   union doca_clock_timespec_t *primary_clock_ts,
					   union doca_clock_timespec_t *nic_clock_ts, uint64_t *error_margin_nsecs)
{
	uint64_t before, nic, after;

	if (clock == NULL || primary_clock_ts == NULL || nic_clock_ts == NULL || error_margin_nsecs == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (nic_clock_type != DOCA_CLOCK_NIC_FREE_RUNNING && nic_clock_type != DOCA_CLOCK_NIC_REAL_TIME)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (read_clock(primary_clock_type, &before) != DOCA_SUCCESS || read_clock(nic_clock_type, &nic) != DOCA_SUCCESS ||
	    read_clock(primary_clock_type, &after) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_SUPPORTED;
	if (after < before)
		after = before; /* the wall clock was set back */
	*error_margin_nsecs = (after - before + 1) / 2;
	store(primary_clock_type, before + (after - before) / 2, primary_clock_ts);
	store(nic_clock_type, nic, nic_clock_ts);
	return DOCA_SUCCESS;
}
