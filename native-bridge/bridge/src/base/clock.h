#ifndef BRIDGE_CLOCK_H
#define BRIDGE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define BRIDGE_NS_PER_S 1000000000ull

/** Returns the time of the monotonic clock in nanoseconds. Any thread. */
static inline uint64_t bridge_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * BRIDGE_NS_PER_S + (uint64_t)now.tv_nsec;
}

#endif
