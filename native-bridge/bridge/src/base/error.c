#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "dpubridge.h"

static _Thread_local char message[512] = "no error";

void bridge_error_set(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
}

const char *dpubridge_error(void)
{
	return message;
}
