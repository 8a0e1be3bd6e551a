/*
 * Marks for conditions that nearly always hold, or nearly never: they let the compiler lay out the usual way first.
 * They change nothing about what is computed.
 */
#ifndef DOCA_COMMON_DEFINES_H_
#define DOCA_COMMON_DEFINES_H_

/** A condition that is true nearly always. */
#define doca_likely(condition) __builtin_expect(!!(condition), 1)
/** A condition that is true nearly never. */
#define doca_unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
