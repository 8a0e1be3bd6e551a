#include "report.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

static int compare(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

/* Returns the smallest time that percent of the sorted times do not exceed. */
static unsigned long long percentile(const uint64_t *times_ns, uint64_t count, uint64_t percent)
{
	return times_ns[(count * percent + 99) / 100 - 1];
}

uint64_t report_median(uint64_t *times_ns, uint64_t count)
{
	if (count == 0)
		return 0;
	qsort(times_ns, count, sizeof(*times_ns), compare);
	return percentile(times_ns, count, 50);
}

void report_times(uint64_t *times_ns, uint64_t count)
{
	double sum = 0;
	uint64_t i;

	for (i = 0; i < count; i++)
		sum += (double)times_ns[i];
	qsort(times_ns, count, sizeof(*times_ns), compare);
	printf(",\"p50_ns\":%llu,\"p90_ns\":%llu,\"p99_ns\":%llu,\"max_ns\":%llu,\"mean_ns\":%.1f", percentile(times_ns, count, 50),
	       percentile(times_ns, count, 90), percentile(times_ns, count, 99), percentile(times_ns, count, 100),
	       sum / (double)count);
}
