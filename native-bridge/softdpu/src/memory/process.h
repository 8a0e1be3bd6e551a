/* Distinguishes processes that use the same process id one after the other. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/** Returns the start time of a process in kernel clock ticks; 0 if the process does not exist or is dead. */
uint64_t process_start_time(pid_t pid);

#endif
