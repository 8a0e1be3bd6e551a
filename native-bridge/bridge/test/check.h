/* Checks that print their place and exit the program. */
#ifndef BRIDGE_CHECK_H
#define BRIDGE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77

#define CHECK(condition)                                                                       \
	do {                                                                                   \
		if (!(condition)) {                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);         \
			exit(1);                                                               \
		}                                                                              \
	} while (0)

#define CHECK_EQ(actual, expected)                                                                                  \
	do {                                                                                                        \
		long long actual_ = (long long)(actual), expected_ = (long long)(expected);                         \
		if (actual_ != expected_) {                                                                         \
			fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #actual, actual_,      \
				expected_);                                                                         \
			exit(1);                                                                                    \
		}                                                                                                   \
	} while (0)

#endif
