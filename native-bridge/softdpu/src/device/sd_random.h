/* Reproducible draws: splitmix64, whose whole state is one number. Not for secrets. */
#ifndef SD_RANDOM_H
#define SD_RANDOM_H

#include <stdint.h>

/** The next 64 random bits of the sequence that *state is in. */
static inline uint64_t sd_random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/** The start of one of many sequences of a seed; each index gives a sequence of its own. */
static inline uint64_t sd_random_seed(uint64_t seed, uint64_t index)
{
	uint64_t state = seed + 0x632be59bd9b4e019u * (index + 1);

	return sd_random_next(&state);
}

#endif
