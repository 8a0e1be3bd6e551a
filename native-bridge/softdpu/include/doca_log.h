/*
 * Logging in two tiers: what the program says (through the DOCA_LOG macros) and what the library says (the SDK tier).
 *
 * A record goes to every back end of its tier whose limits let it pass. Each tier has its own limits, so that a program may
 * be talkative while the library is quiet. Records carry a level; a smaller number is more severe.
 *
 * Thread: every function here may be called from any thread.
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
	DOCA_LOG_LEVEL_DISABLE = 10,	/**< as a limit: nothing passes */
	DOCA_LOG_LEVEL_CRIT = 20,
	DOCA_LOG_LEVEL_ERROR = 30,
	DOCA_LOG_LEVEL_WARNING = 40,
	DOCA_LOG_LEVEL_INFO = 50,
	DOCA_LOG_LEVEL_DEBUG = 60,
	DOCA_LOG_LEVEL_TRACE = 70,
};

/** Where records go. Lives as long as the process. */
struct doca_log_backend;

/** Receives one formatted record of a buffer back end; buf is the buffer, NUL-terminated. Calls for one back end do not
 *  overlap; what the function itself logs does not come back to it. */
typedef void (*log_flush_callback)(char *buf);

/** @name Limits of the whole process
 * Defaults: lower limit INFO, upper limit TRACE, SDK limit WARNING. A level that is no doca_log_level: INVALID_VALUE.
 */
/** @{ */
/** How much of the program's records passes. New back ends start with it, and existing ones take it over unless strict. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_lower_limit(void);
/** How much may pass at most, whatever the lower limit says; spreads like the lower limit. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_upper_limit(void);
/** How much of the library's records passes. New SDK back ends start with it, and existing ones take it over. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_sdk_limit(void);
/** @} */

/** @name Limits of one back end
 * A record passes when its level is beyond neither limit. INVALID_VALUE: a NULL back end, a back end of the other tier,
 * or a level that is none.
 */
/** @{ */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend, uint32_t level);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend, uint32_t upper_limit);
/** From now on the process's lower limit does not change the back end's. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);
/** From now on the process's upper limit does not change the back end's. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);
/** Limit of an SDK back end. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);
/** @} */

/** @name Back ends
 * The plain form belongs to the program's tier, the _sdk form to the library's. backend may not be NULL. While the
 * library's tier has none, its records go to stderr.
 * INVALID_VALUE: a bad argument; NO_MEMORY.
 */
/** @{ */
/** Program's tier on the terminal: INFO and less severe to stdout, WARNING and worse to stderr. A second call changes nothing. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_standard(void);
/** Write to a stream that stays open as long as the process logs. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);
/** Write to a file descriptor that stays open as long as the process logs. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);
/** Format into buf (capacity bytes with the NUL; longer records are cut) and call handler for each record. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity, log_flush_callback handler,
					      struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity, log_flush_callback handler,
						  struct doca_log_backend **backend);
/** Hand records to the system log under the given name, which is copied. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog(const char *name, struct doca_log_backend **backend);
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name, struct doca_log_backend **backend);
/** @} */

/** @name Sources: the named parts of a program that say something */
/** @{ */
/** Get an id (0 or more) for a name, which is copied. May be called before main(). NO_MEMORY when there are too many. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_register_source(const char *source_name, int *source);
/** Give an id back. INVALID_VALUE when it is none. */
DOCA_EXPERIMENTAL
doca_error_t doca_log_unregister_source(int source);
/** @} */

/**
 * Say something in the program's tier; the DOCA_LOG macros call this.
 * @param level severity, enum doca_log_level
 * @param source id of the source; an unknown id is shown as such
 * @param fname, line, func where it was said; fname and func may be NULL
 * @return INVALID_VALUE: no such level, or format is NULL.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/** Name the source of this file's records; once per file, at file scope. SOURCE is taken as written, without quotes. */
#define DOCA_LOG_REGISTER(SOURCE)                                                   \
	static int log_source;                                                      \
	static void __attribute__((constructor(101))) doca_log_source_of_file(void) \
	{                                                                           \
		(void)doca_log_register_source(#SOURCE, &log_source);               \
	}

/** Say something from a file that has a DOCA_LOG_REGISTER. The format is printf's; a line feed is added. */
#define DOCA_LOG(level, ...) ((void)doca_log(level, log_source, __FILE__, __LINE__, __func__, __VA_ARGS__))

/** @name DOCA_LOG by level */
/** @{ */
#define DOCA_LOG_CRIT(...) DOCA_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
#define DOCA_LOG_ERR(...) DOCA_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define DOCA_LOG_WARN(...) DOCA_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define DOCA_LOG_INFO(...) DOCA_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define DOCA_LOG_DBG(...) DOCA_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)
/** Compiled only with DOCA_LOGGING_ALLOW_TRACE; otherwise the arguments are checked and not evaluated. */
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
