/* The libraries that do the work of the software DPU, without a device in front of them. */
#ifndef BARE_H
#define BARE_H

#include <stdbool.h>
#include <stdint.h>

/** Returns the number of hardware threads of this process. */
uint32_t bare_threads(void);
/**
 * Runs "openssl speed" with one process per hardware thread for a second. Prints an error and returns false on failure.
 * @param algorithm name for -evp
 * @param rate receives bytes per second of all processes
 */
bool bare_openssl(const char *algorithm, uint64_t size, double *rate);
/**
 * Computes 2 redundancy blocks of 4 data blocks with ISA-L, on all hardware threads. Prints an error and returns false on failure.
 * @param size bytes of a source, which has 4 data blocks
 * @param window number of sources and destinations, which the threads use in turns
 * @param count number of computations
 */
bool bare_isal(uint64_t size, uint32_t window, uint64_t count, uint64_t *elapsed_ns);
/**
 * Writes into the memory of a child process by process_vm_writev(), one call at a time. Prints an error and returns false on
 * failure.
 * @param size bytes of each call
 * @param times_ns receives the time of each call
 */
bool bare_process_vm(uint64_t size, uint64_t count, uint64_t *times_ns, uint64_t *elapsed_ns);

#endif
