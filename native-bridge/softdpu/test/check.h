/*
 * Checks of a test program. A check that fails prints its location and condition, and ends the program with status 1. A test
 * that cannot run here ends with SKIP (status 77).
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include "doca_error.h"

#define CHECK(expression)                                                                          \
	do {                                                                                       \
		if (!(expression)) {                                                               \
			fprintf(stderr, "%s:%d: %s: does not hold: %s\n", __FILE__, __LINE__, __func__, #expression); \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/** Checks that the call returns exactly this doca_error_t. */
#define CHECK_ERROR(call, expected) check_error(__FILE__, __LINE__, #call, (call), (expected))
#define CHECK_OK(call) CHECK_ERROR(call, DOCA_SUCCESS)

/** Checks that two integers are equal; prints both. */
#define CHECK_EQ(actual, expected) check_equal(__FILE__, __LINE__, #actual, (long long)(actual), (long long)(expected))

#define SKIP(reason)                                      \
	do {                                              \
		fprintf(stderr, "skipped: %s\n", reason); \
		exit(77);                                 \
	} while (0)

__attribute__((unused)) static void check_error(const char *file, int line, const char *text, doca_error_t actual,
						 doca_error_t expected)
{
	if (actual == expected)
		return;
	fprintf(stderr, "%s:%d: %s is %s, not %s\n", file, line, text, doca_error_get_name(actual),
		doca_error_get_name(expected));
	exit(1);
}

__attribute__((unused)) static void check_equal(const char *file, int line, const char *text, long long actual,
						 long long expected)
{
	if (actual == expected)
		return;
	fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, text, actual, expected);
	exit(1);
}

#endif
