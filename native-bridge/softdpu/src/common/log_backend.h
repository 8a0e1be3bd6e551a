/*
 * Log back ends. A back end is never destroyed, so that readers walk the list without a lock. Each back end has a lock
 * for writing.
 */
#ifndef LOG_BACKEND_H
#define LOG_BACKEND_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "doca_log.h"

enum log_tier { LOG_TIER_PROGRAM, LOG_TIER_SDK, LOG_TIERS };

/** One record for the back ends. */
struct log_record {
	uint32_t level;
	const char *line;		/**< complete line with line feed and NUL */
	size_t len;			/**< bytes of line without NUL */
	const char *message;		/**< the caller's part of line */
};

struct doca_log_backend {
	struct doca_log_backend *next;
	enum log_tier tier;
	_Atomic uint32_t lower, upper;
	_Atomic uint8_t lower_strict, upper_strict;
	pthread_mutex_t lock;		/**< recursive: a flush callback may log to other back ends */
	uint8_t writing;		/**< under lock */
	void (*write)(struct doca_log_backend *backend, const struct log_record *record);
	FILE *file;
	int fd;
	char *buf;
	size_t capacity;
	log_flush_callback flush;
	char *name;
};

/** Returns whether a back end of the tier accepts a record of this level. The SDK tier accepts records without any back end. */
uint8_t log_tier_accepts(enum log_tier tier, uint32_t level);

/** Passes a record to all back ends of a tier that accept it. */
void log_tier_write(enum log_tier tier, const struct log_record *record);

/** Returns whether a record or a limit may have this level. */
uint8_t log_level_is_valid(uint32_t level);

/** Adds a back end with the limits of the process. Errors: NO_MEMORY. */
doca_error_t log_backend_add(const struct doca_log_backend *proto, struct doca_log_backend **backend);

enum { LOG_SOURCE_NAME_SIZE = 64 };

/** Copies the name of a source; "?" for an unknown id. */
void log_source_name(int source, char name[LOG_SOURCE_NAME_SIZE]);

#endif
