#include "doca_error.h"

#include <stddef.h>

struct error_text {
	const char *name;
	const char *descr;
};

#define TEXT(error, descr) [error] = { #error, descr }

/* Indexed by code; the codes have no gaps. */
static const struct error_text texts[] = {
	TEXT(DOCA_SUCCESS, "Success"),
	TEXT(DOCA_ERROR_UNKNOWN, "Failed for an unknown reason"),
	TEXT(DOCA_ERROR_NOT_PERMITTED, "The object or its permissions do not allow this"),
	TEXT(DOCA_ERROR_IN_USE, "The object is in use"),
	TEXT(DOCA_ERROR_NOT_SUPPORTED, "Not supported by this device or library"),
	TEXT(DOCA_ERROR_AGAIN, "Not possible right now, try again"),
	TEXT(DOCA_ERROR_INVALID_VALUE, "An argument is invalid"),
	TEXT(DOCA_ERROR_NO_MEMORY, "Out of memory, or a pool is used up"),
	TEXT(DOCA_ERROR_INITIALIZATION, "A resource could not be set up"),
	TEXT(DOCA_ERROR_TIME_OUT, "A deadline passed"),
	TEXT(DOCA_ERROR_SHUTDOWN, "The process or its peer is shutting down"),
	TEXT(DOCA_ERROR_CONNECTION_RESET, "The peer dropped the connection"),
	TEXT(DOCA_ERROR_CONNECTION_ABORTED, "The connection broke"),
	TEXT(DOCA_ERROR_CONNECTION_INPROGRESS, "The connection is still being made"),
	TEXT(DOCA_ERROR_NOT_CONNECTED, "Not connected"),
	TEXT(DOCA_ERROR_NO_LOCK, "A lock could not be taken"),
	TEXT(DOCA_ERROR_NOT_FOUND, "Not found"),
	TEXT(DOCA_ERROR_IO_FAILED, "The device failed to carry out the operation"),
	TEXT(DOCA_ERROR_BAD_STATE, "The object is not in a state that allows this"),
	TEXT(DOCA_ERROR_UNSUPPORTED_VERSION, "The versions do not fit together"),
	TEXT(DOCA_ERROR_OPERATING_SYSTEM, "A system call failed"),
	TEXT(DOCA_ERROR_DRIVER, "A driver call failed"),
	TEXT(DOCA_ERROR_UNEXPECTED, "An internal rule was broken"),
	TEXT(DOCA_ERROR_ALREADY_EXIST, "The object exists already"),
	TEXT(DOCA_ERROR_FULL, "No room left"),
	TEXT(DOCA_ERROR_EMPTY, "The container is empty"),
	TEXT(DOCA_ERROR_IN_PROGRESS, "Begun, and not finished yet"),
	TEXT(DOCA_ERROR_TOO_BIG, "Beyond a limit"),
	TEXT(DOCA_ERROR_AUTHENTICATION, "Authentication failed"),
	TEXT(DOCA_ERROR_BAD_CONFIG, "The configuration cannot work"),
	TEXT(DOCA_ERROR_SKIPPED, "Left out on purpose"),
	TEXT(DOCA_ERROR_DEVICE_FATAL_ERROR, "The device is lost"),
};

static const struct error_text unrecognised = { "DOCA_ERROR_NOT_RECOGNISED", "The error code is not recognised" };

static const struct error_text *text_of(doca_error_t error)
{
	size_t code = (size_t)error;

	return code < sizeof(texts) / sizeof(texts[0]) ? &texts[code] : &unrecognised;
}

const char *doca_error_get_name(doca_error_t error)
{
	return text_of(error)->name;
}

const char *doca_error_get_descr(doca_error_t error)
{
	return text_of(error)->descr;
}
