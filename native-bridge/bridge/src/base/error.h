/* The text of dpubridge_error(): one per thread. */
#ifndef BRIDGE_ERROR_H
#define BRIDGE_ERROR_H

/** Sets the reason why the current call fails, printf style. Truncates to 511 bytes. */
void bridge_error_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
