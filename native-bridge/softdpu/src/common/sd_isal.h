/* ISA-L, which the library loads at the first use. The build does not need ISA-L. */
#ifndef SD_ISAL_H
#define SD_ISAL_H

#include <stdint.h>

/** Sets *function to a function of ISA-L and returns 1. Returns 0: ISA-L is not installed, or lacks it. Thread: any. */
uint8_t sd_isal_find(const char *name, void **function);

#endif
