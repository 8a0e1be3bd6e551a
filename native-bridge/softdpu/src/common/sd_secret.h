/* Random numbers of the system, which other processes cannot guess. */
#ifndef SD_SECRET_H
#define SD_SECRET_H

#include <stdint.h>

#include "doca_error.h"

/** Draws a number that is not 0. DRIVER: the system refuses, and the log has its reason. Thread: any. */
doca_error_t sd_secret_draw(uint64_t *number);

#endif
