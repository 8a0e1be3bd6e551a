/* Versions: of the interface in these headers, and of the library that a program runs with. */
#ifndef DOCA_VERSION_H_
#define DOCA_VERSION_H_

#include <stddef.h>

#include "doca_compat.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @name Version of these headers; PATCH is 1000 times the maintenance release, plus the build */
/** @{ */
#define DOCA_VERSION_MAJOR 3
#define DOCA_VERSION_MINOR 0
#define DOCA_VERSION_PATCH 58
#define DOCA_VERSION_STRING "3.0.0058"
/** @} */

/** Number of an official release: patch counts maintenance releases (3.2.1 is (3, 2, 1)). */
#define DOCA_VERSION_CALC(major, minor, patch) \
	((((size_t)(major)) << 24) | (((size_t)(minor)) << 16) | (((size_t)(patch)) * 1000))

/** Number of one exact build: patch is DOCA_VERSION_PATCH of that build. */
#define DOCA_VERSION_CALC_EXACT(major, minor, patch) \
	((((size_t)(major)) << 24) | (((size_t)(minor)) << 16) | ((size_t)(patch)))

/** Official release number of these headers: without the build. */
#define DOCA_VERSION_OFFICIAL DOCA_VERSION_CALC(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, DOCA_VERSION_PATCH / 1000)

/** Exact number of these headers. */
#define DOCA_VERSION_EXACT DOCA_VERSION_CALC_EXACT(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, DOCA_VERSION_PATCH)

/** Returns whether these headers belong to exactly this official release. */
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch) (DOCA_VERSION_CALC(major, minor, patch) == DOCA_VERSION_OFFICIAL)

/** Returns whether the given official release is not newer than these headers. */
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch) (DOCA_VERSION_CALC(major, minor, patch) <= DOCA_VERSION_OFFICIAL)

/** Returns the version that the calling program was compiled against: a constant string. Thread: any. */
static inline const char *doca_version(void)
{
	return DOCA_VERSION_STRING;
}

/**
 * Returns the version of the library that the program runs with: a constant string in the format of DOCA_VERSION_STRING.
 * Thread: any.
 */
DOCA_EXPERIMENTAL
const char *doca_version_runtime(void);

#ifdef __cplusplus
}
#endif

#endif
