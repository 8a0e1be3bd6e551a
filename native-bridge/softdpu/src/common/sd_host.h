/*
 * The hosts that a process plays. Objects belong to the host that their thread had entered when it created them. A process that
 * plays one host has host 0 only.
 */
#ifndef SD_HOST_H
#define SD_HOST_H

#include <stdint.h>

/** Makes the calling thread act for a host from now on. Returns its previous host. */
uint32_t sd_host_enter(uint32_t host);
/** Returns the host of the calling thread. */
uint32_t sd_host_current(void);

#endif
