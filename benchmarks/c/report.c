#include "report.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *program = "benchmark";

void report_program(const char *name)
{
	program = name;
}

bool report(doca_error_t result, const char *operation, const char *about, ...)
{
	va_list arguments;

	if (result == DOCA_SUCCESS)
		return true;
	fprintf(stderr, "%s: %s: %s (%d): ", program, operation, doca_error_get_name(result), (int)result);
	va_start(arguments, about);
	vfprintf(stderr, about, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return false;
}

bool report_system(const char *operation, const char *about)
{
	fprintf(stderr, "%s: %s: %s (%d): %s\n", program, operation, strerror(errno), errno, about);
	return false;
}

bool report_fault(const char *about, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", program);
	va_start(arguments, about);
	vfprintf(stderr, about, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return false;
}

const char *report_device(void)
{
	return dlsym(RTLD_DEFAULT, "softdpu_version") != NULL ? "software DPU" : "DPU";
}

void report_begin(void)
{
	printf("{\"program\":\"%s\",\"device\":\"%s\"", program, report_device());
}

bool report_end(void)
{
	fputs("}\n", stdout);
	return fflush(stdout) == 0 || report_system("write", "standard output");
}

void report_rate(uint64_t bytes, uint64_t elapsed_ns)
{
	double seconds = (double)elapsed_ns / 1e9;

	printf(",\"elapsed_us\":%.3f,\"data_rate_gibps\":%.6f", seconds * 1e6,
	       elapsed_ns == 0 ? 0.0 : (double)bytes / (1u << 30) / seconds);
}
