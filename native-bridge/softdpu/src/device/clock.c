#include <stdatomic.h>
#include <time.h>

#include "sd_config.h"
#include "sd_device.h"

static _Atomic uint64_t virtual_now;
static _Atomic uint8_t is_manual;

uint64_t sd_clock_virtual_now(void)
{
	return atomic_load(&virtual_now);
}

uint64_t sd_clock_now(void)
{
	struct timespec now;

	if (sd_config()->execution == SOFTDPU_EXECUTION_INLINE)
		return sd_clock_virtual_now();
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint8_t sd_clock_jumps(void)
{
	return !atomic_load(&is_manual);
}

void sd_clock_jump(uint64_t then)
{
	uint64_t now = atomic_load(&virtual_now);

	while (now < then && !atomic_compare_exchange_weak(&virtual_now, &now, then))
		;
}

void sd_clock_reset(void)
{
	atomic_store(&virtual_now, 0);
}

void sd_clock_set_manual(uint8_t manual)
{
	atomic_store(&is_manual, manual != 0);
}

void sd_clock_advance(uint64_t ns)
{
	atomic_fetch_add(&virtual_now, ns);
}
