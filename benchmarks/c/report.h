/*
 * What goes wrong, on stderr, one line each: program, operation, code, and what it was about.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

/** Name of the program, which begins every line. Before anything else. */
void report_program(const char *name);
/** Whether result is SUCCESS; otherwise prints it. about and what follows are as for printf. */
bool report(doca_error_t result, const char *operation, const char *about, ...) __attribute__((format(printf, 3, 4)));
/** Print a failure of the system's, from errno. Returns false. */
bool report_system(const char *operation, const char *about);
/** Print a failure of any other kind. Returns false. */
bool report_fault(const char *about, ...) __attribute__((format(printf, 1, 2)));

/** "software DPU", or "DPU" for the vendor's libraries. */
const char *report_device(void);
/** Print the begin of a JSON object on stdout: program and device; report_end() ends the line and tells whether it was written. */
void report_begin(void);
bool report_end(void);
/** The members that tell how fast so many bytes were: elapsed_us, data_rate_gibps. */
void report_rate(uint64_t bytes, uint64_t elapsed_ns);

#endif
