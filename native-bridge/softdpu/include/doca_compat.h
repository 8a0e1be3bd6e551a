/*
 * Stability marks, and macros for versioned structures.
 *
 * A DOCA_EXPERIMENTAL function may change with a release. The use of such a function causes a warning, like the use of a
 * deprecated function, unless DOCA_ALLOW_EXPERIMENTAL_API is defined before these headers. DOCA_STABLE functions keep their
 * signature.
 *
 * Nearly every header includes this one, and programs rely on its includes. These declare malloc() and getenv(), memset()
 * and strlen(), assert(), the integer types, and the build's side of the card (doca_config.h).
 */
#ifndef DOCA_COMPAT_H_
#define DOCA_COMPAT_H_

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doca_config.h"

/** Keeps a symbol that has no visible reference. */
#define DOCA_USED __attribute__((used))
/** Suppresses the warning about an unused variable or function. */
#define DOCA_UNUSED __attribute__((unused))

/** Marks an interface that does not change within a major release. */
#define DOCA_STABLE __attribute__((visibility("default")))

/** Marks an interface that may change. */
#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_EXPERIMENTAL __attribute__((visibility("default")))
#else
#define DOCA_EXPERIMENTAL \
	__attribute__((visibility("default"), deprecated("experimental: define DOCA_ALLOW_EXPERIMENTAL_API to use it")))
#endif

/** Marks an interface that a later release removes. */
#ifdef DOCA_ALLOW_DEPRECATED_API
#define DOCA_DEPRECATED __attribute__((visibility("default")))
#else
#define DOCA_DEPRECATED __attribute__((visibility("default"), deprecated("define DOCA_ALLOW_DEPRECATED_API to use it")))
#endif

/**
 * @name Versioned structures
 * A structure that starts with DOCA_STRUCT_START records the interface version of its creator. Later versions may extend it.
 * The macros take the structure, or a pointer to it (PTR).
 */
/** @{ */
/** Declares the first member. */
#define DOCA_STRUCT_START size_t __doca_api_version
/** Records the version. */
#define DOCA_STRUCT_CTOR(object) ((object).__doca_api_version = DOCA_VERSION_EXACT)
#define DOCA_STRUCT_PTR_CTOR(pointer) DOCA_STRUCT_CTOR(*(pointer))
/** Zeroes the whole structure, then records the version. */
#define DOCA_STRUCT_MEMSET_CTOR(object)                              \
	do {                                                         \
		memset(&(object), 0, sizeof(object));                \
		DOCA_STRUCT_CTOR(object);                            \
	} while (0)
#define DOCA_STRUCT_PTR_MEMSET_CTOR(pointer) DOCA_STRUCT_MEMSET_CTOR(*(pointer))
/** Entry of the version in an initializer list. */
#define DOCA_STRUCT_CTOR_LIST_START .__doca_api_version = DOCA_VERSION_EXACT
/**
 * Defines a variable of a versioned structure, with the version recorded and all other members zero; tag is the word after
 * `struct`.
 */
#define DOCA_STRUCT_DEF(tag, name) struct tag name = { DOCA_STRUCT_CTOR_LIST_START }
/** Returns the recorded version in the form of DOCA_VERSION_CALC_EXACT. */
#define DOCA_STRUCT_GET_VERSION(pointer) ((pointer)->__doca_api_version)
/** @} */

#include "doca_version.h"

#endif
