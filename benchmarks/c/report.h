/* Errors on stderr, one line each: program, operation, code, and object. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

/** Sets the name of the program, which begins every line. Call it first. */
void report_program(const char *name);
/** Returns whether result is SUCCESS; otherwise prints it. about and the rest are as for printf. */
bool report(doca_error_t result, const char *operation, const char *about, ...) __attribute__((format(printf, 3, 4)));
/** Prints an error of the system, from errno. Returns false. */
bool report_system(const char *operation, const char *about);
/** Prints any other error. Returns false. */
bool report_fault(const char *about, ...) __attribute__((format(printf, 1, 2)));

/** Returns "software DPU", or "DPU" for the vendor's libraries. */
const char *report_device(void);
/**
 * Prints the begin of a JSON object on stdout: program and device. report_end() ends the line and returns whether it was written.
 */
void report_begin(void);
bool report_end(void);
/** Prints the members of a distribution: p50_ns, p90_ns, p99_ns, max_ns, mean_ns. Sorts the times. */
void report_times(uint64_t *times_ns, uint64_t count);
/** Returns the median, as p50_ns of report_times(); 0 without times. Sorts the times. */
uint64_t report_median(uint64_t *times_ns, uint64_t count);
/** Prints the members of a data rate: elapsed_us, data_rate_gibps. */
void report_rate(uint64_t bytes, uint64_t elapsed_ns);

#endif
