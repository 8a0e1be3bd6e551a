/*
 * Marks of stability, and the small macros around versioned structures.
 *
 * A function marked DOCA_EXPERIMENTAL may change with a release. Its use warns, as use of a deprecated function does,
 * unless DOCA_ALLOW_EXPERIMENTAL_API is defined when these headers are read. DOCA_STABLE functions keep their shape.
 *
 * Nearly every header includes this one, and programs count on what comes with it: malloc() and getenv(), memset() and strlen(), assert(),
 * the integer types, and which side of the card they are compiled for (doca_config.h).
 */
#ifndef DOCA_COMPAT_H_
#define DOCA_COMPAT_H_

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doca_config.h"

/** Keep a symbol that nothing seems to refer to. */
#define DOCA_USED __attribute__((used))
/** No warning when a variable or function is not referred to. */
#define DOCA_UNUSED __attribute__((unused))

/** Part of the interface that stays as it is within a major release. */
#define DOCA_STABLE __attribute__((visibility("default")))

/** Part of the interface that may change. */
#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_EXPERIMENTAL __attribute__((visibility("default")))
#else
#define DOCA_EXPERIMENTAL \
	__attribute__((visibility("default"), deprecated("experimental: define DOCA_ALLOW_EXPERIMENTAL_API to use it")))
#endif

/** Part of the interface that will go away. */
#ifdef DOCA_ALLOW_DEPRECATED_API
#define DOCA_DEPRECATED __attribute__((visibility("default")))
#else
#define DOCA_DEPRECATED __attribute__((visibility("default"), deprecated("define DOCA_ALLOW_DEPRECATED_API to use it")))
#endif

/**
 * @name Versioned structures
 * A structure that starts with DOCA_STRUCT_START records which version of the interface its creator was compiled
 * against, so that it may grow later. The macros take the structure, or a pointer to it (PTR).
 */
/** @{ */
/** First member. */
#define DOCA_STRUCT_START size_t __doca_api_version
/** Record the version. */
#define DOCA_STRUCT_CTOR(object) ((object).__doca_api_version = DOCA_VERSION_EXACT)
#define DOCA_STRUCT_PTR_CTOR(pointer) DOCA_STRUCT_CTOR(*(pointer))
/** Zero the whole structure, then record the version. */
#define DOCA_STRUCT_MEMSET_CTOR(object)                              \
	do {                                                         \
		memset(&(object), 0, sizeof(object));                \
		DOCA_STRUCT_CTOR(object);                            \
	} while (0)
#define DOCA_STRUCT_PTR_MEMSET_CTOR(pointer) DOCA_STRUCT_MEMSET_CTOR(*(pointer))
/** The version's entry in an initialiser list. */
#define DOCA_STRUCT_CTOR_LIST_START .__doca_api_version = DOCA_VERSION_EXACT
/** Define a variable of a versioned structure with the version recorded and everything else zero; tag is what follows `struct`. */
#define DOCA_STRUCT_DEF(tag, name) struct tag name = { DOCA_STRUCT_CTOR_LIST_START }
/** The recorded version, as DOCA_VERSION_CALC_EXACT makes it. */
#define DOCA_STRUCT_GET_VERSION(pointer) ((pointer)->__doca_api_version)
/** @} */

#include "doca_version.h"

#endif
