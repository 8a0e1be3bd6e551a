/* The text behind dpubridge_error(): one per thread. */
#ifndef BRIDGE_ERROR_H
#define BRIDGE_ERROR_H

/** Remember why the running call fails, printf style; texts beyond 511 bytes are cut. */
void bridge_error_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
