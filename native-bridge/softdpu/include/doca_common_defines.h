/*
 * Hints for conditions that are almost always true or almost always false. The compiler uses them to place the frequent path
 * first; they do not change results.
 */
#ifndef DOCA_COMMON_DEFINES_H_
#define DOCA_COMMON_DEFINES_H_

/** Marks a condition that is almost always true. */
#define doca_likely(condition) __builtin_expect(!!(condition), 1)
/** Marks a condition that is almost always false. */
#define doca_unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
