/*
 * The hash FNV-1a with 64 bits, for check values and names. The hash protects against accidents, not against
 * attackers.
 */
#ifndef SD_FNV_H
#define SD_FNV_H

#include <stddef.h>
#include <stdint.h>

/** The hash of no bytes. */
#define SD_FNV_START UINT64_C(0xcbf29ce484222325)

/** Returns the hash of bytes behind those with this hash. A change of any one byte changes the result. Thread: any. */
static inline uint64_t sd_fnv(uint64_t hash, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
