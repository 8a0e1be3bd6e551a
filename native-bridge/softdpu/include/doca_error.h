/* The error type of the interface. */
#ifndef DOCA_ERROR_H_
#define DOCA_ERROR_H_

#include "doca_common_defines.h"
#include "doca_compat.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call or of a task. */
typedef enum doca_error {
	DOCA_SUCCESS = 0,			/**< success */
	DOCA_ERROR_UNKNOWN = 1,			/**< failed for a reason that has no code */
	DOCA_ERROR_NOT_PERMITTED = 2,		/**< this object or its permissions do not allow it */
	DOCA_ERROR_IN_USE = 3,			/**< another object still depends on this one */
	DOCA_ERROR_NOT_SUPPORTED = 4,		/**< the device or library does not support it */
	DOCA_ERROR_AGAIN = 5,			/**< temporary; the same call may succeed later */
	DOCA_ERROR_INVALID_VALUE = 6,		/**< an argument is wrong */
	DOCA_ERROR_NO_MEMORY = 7,		/**< memory or a pool is exhausted */
	DOCA_ERROR_INITIALIZATION = 8,		/**< a resource could not be set up */
	DOCA_ERROR_TIME_OUT = 9,		/**< a deadline passed */
	DOCA_ERROR_SHUTDOWN = 10,		/**< the process or peer shuts down */
	DOCA_ERROR_CONNECTION_RESET = 11,	/**< the peer closed the connection */
	DOCA_ERROR_CONNECTION_ABORTED = 12,	/**< the connection broke */
	DOCA_ERROR_CONNECTION_INPROGRESS = 13,	/**< the connection is not established yet */
	DOCA_ERROR_NOT_CONNECTED = 14,		/**< a connection (or an engine) is missing */
	DOCA_ERROR_NO_LOCK = 15,		/**< a lock could not be taken */
	DOCA_ERROR_NOT_FOUND = 16,		/**< the object does not exist */
	DOCA_ERROR_IO_FAILED = 17,		/**< the device failed to execute the operation */
	DOCA_ERROR_BAD_STATE = 18,		/**< not allowed in this state of the object */
	DOCA_ERROR_UNSUPPORTED_VERSION = 19,	/**< the versions are incompatible */
	DOCA_ERROR_OPERATING_SYSTEM = 20,	/**< a system call failed */
	DOCA_ERROR_DRIVER = 21,			/**< a driver call failed */
	DOCA_ERROR_UNEXPECTED = 22,		/**< an internal invariant was violated */
	DOCA_ERROR_ALREADY_EXIST = 23,		/**< the object already exists */
	DOCA_ERROR_FULL = 24,			/**< no free space */
	DOCA_ERROR_EMPTY = 25,			/**< no element available */
	DOCA_ERROR_IN_PROGRESS = 26,		/**< started; completes later */
	DOCA_ERROR_TOO_BIG = 27,		/**< above a limit */
	DOCA_ERROR_AUTHENTICATION = 28,		/**< not authenticated */
	DOCA_ERROR_BAD_CONFIG = 29,		/**< the configuration is invalid */
	DOCA_ERROR_SKIPPED = 30,		/**< skipped on purpose */
	DOCA_ERROR_DEVICE_FATAL_ERROR = 31,	/**< the device is lost */
} doca_error_t;

/** Returns whether a result is an error. */
#define DOCA_IS_ERROR(result) ((result) != DOCA_SUCCESS)

/** Keeps the first error of several calls: result becomes next only if result was success. */
#define DOCA_ERROR_PROPAGATE(result, next) ((result) = DOCA_IS_ERROR(result) ? (result) : (next))

/** Returns the name of the constant, "DOCA_ERROR_AGAIN". Never NULL, also for unknown numbers. Thread: any. */
DOCA_STABLE
const char *doca_error_get_name(doca_error_t error);

/** Returns a readable description. Never NULL, also for unknown numbers. Thread: any. */
DOCA_STABLE
const char *doca_error_get_descr(doca_error_t error);

#ifdef __cplusplus
}
#endif

#endif
