/* Telling processes apart, also when a process id is used again. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/** When a process started, in the kernel's clock ticks; 0 when there is none or it is dead. */
uint64_t process_start_time(pid_t pid);

#endif
