/* Reproducible random numbers: splitmix64, whose state is one number. Not for cryptography. */
#ifndef SD_RANDOM_H
#define SD_RANDOM_H

#include <stdint.h>

/** Returns the next 64 random bits and advances *state. */
static inline uint64_t sd_random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/** Returns the initial state of a sequence of a seed; each index gives a different sequence. */
static inline uint64_t sd_random_seed(uint64_t seed, uint64_t index)
{
	uint64_t state = seed + 0x632be59bd9b4e019u * (index + 1);

	return sd_random_next(&state);
}

#endif
