/*
 * Logging in two tiers: records of the program (through the DOCA_LOG macros) and records of the library (the SDK tier).
 *
 * A record goes to every back end of its tier whose limits accept it. Each tier has separate limits, so a program can log much
 * while the library logs little. Records have a level; a smaller number is more severe.
 *
 * Thread: any, for every function of this header.
 */
#ifndef DOCA_LOG_H_
#define DOCA_LOG_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "doca_compat.h"
#include "doca_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Severity of a record, or a limit: records whose level is greater than the limit are dropped. */
enum doca_log_level {
	DOCA_LOG_LEVEL_DISABLE = 10,	/**< as a limit: no record passes */
	DOCA_LOG_LEVEL_CRIT = 20,
	DOCA_LOG_LEVEL_ERROR = 30,
	DOCA_LOG_LEVEL_WARNING = 40,
	DOCA_LOG_LEVEL_INFO = 50,
	DOCA_LOG_LEVEL_DEBUG = 60,
	DOCA_LOG_LEVEL_TRACE = 70,
};

/** Destination of records. A backend has the lifetime of the process. */
struct doca_log_backend;

/**
 * Receives one formatted record of a buffer back end; buf is the buffer, NUL-terminated. Calls for one back end do not overlap.
 * Records that the function itself logs do not reach its back end.
 */
typedef void (*log_flush_callback)(char *buf);

/**
 * @name Limits of the whole process
 * Defaults: lower limit INFO, upper limit TRACE, SDK limit WARNING. INVALID_VALUE: an unknown level.
 */
/** @{ */
/** Sets the lower limit for the program's records. New back ends start with it; existing ones adopt it unless strict. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_lower_limit(void);
/** Sets the upper limit, which overrides the lower limit. New back ends start with it; existing ones adopt it unless strict. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_upper_limit(void);
/** Sets the limit for the library's records. New SDK back ends start with it; existing ones adopt it. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_sdk_limit(void);
/** @} */

/**
 * @name Limits of one back end
 * A record passes if its level is within both limits. INVALID_VALUE: a NULL back end, a back end of the other tier, or an
 * unknown level.
 */
/** @{ */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend, uint32_t level);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend, uint32_t upper_limit);
/** Sets the lower limit of the back end; later changes of the process's lower limit do not affect it. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);
/** Sets the upper limit of the back end; later changes of the process's upper limit do not affect it. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);
/** Sets the limit of an SDK back end. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);
/** @} */

/**
 * @name Back ends
 * The plain form belongs to the program's tier, the _sdk form to the library's. backend must not be NULL. While the library's
 * tier has no back end, its records go to stderr.
 * INVALID_VALUE: a wrong argument; NO_MEMORY.
 */
/** @{ */
/**
 * Logs the program's tier to the terminal: INFO and less severe to stdout, WARNING and worse to stderr. A second call does
 * nothing.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_standard(void);
/** Writes to a stream, which must stay open as long as the process logs. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);
/** Writes to a file descriptor, which must stay open as long as the process logs. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);
/**
 * Formats into buf (capacity bytes with the NUL; longer records are cut) and calls handler for each record. Thread: any that logs,
 * also those of the software DPU. The handler must not call DOCA functions, because its caller may hold internal locks.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity, log_flush_callback handler,
					      struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity, log_flush_callback handler,
						  struct doca_log_backend **backend);
/** Passes records to the system log under the given name, which is copied. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog(const char *name, struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name, struct doca_log_backend **backend);
/** @} */

/** @name Sources: the named parts of a program that log */
/** @{ */
/**
 * Registers a name, which is copied, and returns its id (0 or more). May be called before main(). NO_MEMORY: too many sources.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_register_source(const char *source_name, int *source);
/** Unregisters an id. INVALID_VALUE: unknown id. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_unregister_source(int source);
/** @} */

/**
 * Logs a record in the program's tier; the DOCA_LOG macros call this function.
 * @param level severity, enum doca_log_level
 * @param source id of the source; the record shows an unknown id as such
 * @param fname, line, func location of the call; fname and func may be NULL
 * @return INVALID_VALUE: unknown level, or format is NULL.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/** Names the source of this file's records; once per file, at file scope. SOURCE is the name without quotes. */
#define DOCA_LOG_REGISTER(SOURCE)                                                   \
	static int log_source;                                                      \
	static void __attribute__((constructor(101))) doca_log_source_of_file(void) \
	{                                                                           \
		(void)doca_log_register_source(#SOURCE, &log_source);               \
	}

/** Logs a record in a file with a DOCA_LOG_REGISTER. The format is that of printf; a line feed is added. */
#define DOCA_LOG(level, ...) ((void)doca_log(level, log_source, __FILE__, __LINE__, __func__, __VA_ARGS__))

/** @name DOCA_LOG by level */
/** @{ */
#define DOCA_LOG_CRIT(...) DOCA_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
#define DOCA_LOG_ERR(...) DOCA_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define DOCA_LOG_WARN(...) DOCA_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define DOCA_LOG_INFO(...) DOCA_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define DOCA_LOG_DBG(...) DOCA_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)
/** Compiled only with DOCA_LOGGING_ALLOW_TRACE; otherwise the arguments are checked but not evaluated. */
#ifdef DOCA_LOGGING_ALLOW_TRACE
#define DOCA_LOG_TRC(...) DOCA_LOG(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__)
#else
#define DOCA_LOG_TRC(...)                                            \
	do {                                                         \
		if (0)                                               \
			DOCA_LOG(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__); \
	} while (0)
#endif
/** @} */

#ifdef __cplusplus
}
#endif

#endif
