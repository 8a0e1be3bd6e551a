/* Clocks of the host and of the device advance, and two are read at the same moment. The DPA timer does not exist. */
#include <time.h>

#include "doca_clock.h"
#include "rig.h"

static const uint64_t clocks[] = {
	DOCA_CLOCK_NIC_FREE_RUNNING, DOCA_CLOCK_NIC_REAL_TIME, DOCA_CLOCK_HOST_COUNTER_CYCLES,
	DOCA_CLOCK_HOST_REAL_TIME, DOCA_CLOCK_HOST_MONOTONIC, DOCA_CLOCK_HOST_MONOTONIC_RAW,
};

enum { CLOCKS = sizeof(clocks) / sizeof(clocks[0]) };

static uint64_t value_of(uint64_t type, const union doca_clock_timespec_t *reading)
{
	if (type == DOCA_CLOCK_HOST_COUNTER_CYCLES)
		return reading->counter;
	CHECK(reading->ts.tv_nsec >= 0 && reading->ts.tv_nsec < 1000000000);
	return (uint64_t)reading->ts.tv_sec * 1000000000u + (uint64_t)reading->ts.tv_nsec;
}

static uint64_t read_one(const struct doca_clock *clock, uint64_t type)
{
	union doca_clock_timespec_t reading;

	CHECK_OK(doca_clock_get_timestamp(clock, type, &reading));
	return value_of(type, &reading);
}

/* Each moment lies between the readings before and after it; the margin covers the whole read. */
static void at_the_same_moment(const struct doca_clock *clock, uint64_t primary, uint64_t nic)
{
	union doca_clock_timespec_t first, second;
	uint64_t margin, before = read_one(clock, primary), nic_before = read_one(clock, nic);

	CHECK_OK(doca_clock_get_crosstimestamp(clock, primary, nic, &first, &second, &margin));
	CHECK(value_of(primary, &first) >= before && value_of(primary, &first) <= read_one(clock, primary));
	CHECK(value_of(nic, &second) >= nic_before && value_of(nic, &second) <= read_one(clock, nic));
	CHECK(margin <= read_one(clock, primary) - before);
}

static void check_time(const struct doca_clock *clock, uint64_t type, clockid_t id)
{
	struct timespec before, after;
	uint64_t value;

	clock_gettime(id, &before);
	value = read_one(clock, type);
	clock_gettime(id, &after);
	CHECK(value >= (uint64_t)before.tv_sec * 1000000000u + (uint64_t)before.tv_nsec);
	CHECK(value <= (uint64_t)after.tv_sec * 1000000000u + (uint64_t)after.tv_nsec);
}

static void not_supported(const struct doca_clock *clock)
{
	union doca_clock_timespec_t first, second;
	static const uint64_t wrong[] = { 0, DOCA_CLOCK_NIC_DPA_TIMER, DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_NIC_REAL_TIME, 1u << 20 };
	uint64_t margin;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CHECK_ERROR(doca_clock_get_timestamp(clock, wrong[i], &first), DOCA_ERROR_NOT_SUPPORTED);
		CHECK_ERROR(doca_clock_get_crosstimestamp(clock, wrong[i], DOCA_CLOCK_NIC_REAL_TIME, &first, &second, &margin),
			    DOCA_ERROR_NOT_SUPPORTED);
		CHECK_ERROR(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, wrong[i], &first, &second, &margin),
			    DOCA_ERROR_NOT_SUPPORTED);
	}
	CHECK_ERROR(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_NIC_REAL_TIME, DOCA_CLOCK_HOST_MONOTONIC, &first, &second, &margin),
		    DOCA_ERROR_NOT_SUPPORTED);
}

/* Inline execution: the device's clock is virtual. */
static void is_virtual(const struct doca_clock *clock)
{
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	CHECK_OK(softdpu_set_seed(1));
	CHECK_EQ(read_one(clock, DOCA_CLOCK_NIC_FREE_RUNNING), 0);
	CHECK_OK(softdpu_clock_advance(1500000000));
	CHECK_EQ(read_one(clock, DOCA_CLOCK_NIC_FREE_RUNNING), 1500000000);
}

int main(void)
{
	struct doca_dev *dev = rig_open_device("0000:03:00.0");
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
	struct doca_clock *clock;

	CHECK_OK(doca_clock_cap_nic_free_running_is_supported(devinfo));
	CHECK_OK(doca_clock_cap_nic_real_time_is_supported(devinfo));
	CHECK_ERROR(doca_clock_cap_nic_dpa_timer_is_supported(devinfo), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_clock_create(dev, &clock));
	CHECK_ERROR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	for (int i = 0; i < CLOCKS; i++) {
		at_the_same_moment(clock, clocks[i], DOCA_CLOCK_NIC_FREE_RUNNING);
		at_the_same_moment(clock, clocks[i], DOCA_CLOCK_NIC_REAL_TIME);
	}
	check_time(clock, DOCA_CLOCK_NIC_REAL_TIME, CLOCK_REALTIME);
	check_time(clock, DOCA_CLOCK_HOST_REAL_TIME, CLOCK_REALTIME);
	check_time(clock, DOCA_CLOCK_HOST_MONOTONIC, CLOCK_MONOTONIC);
	check_time(clock, DOCA_CLOCK_HOST_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW);
	not_supported(clock);
	is_virtual(clock);
	CHECK_OK(doca_clock_destroy(clock));
	CHECK_OK(doca_dev_close(dev));
	return 0;
}
