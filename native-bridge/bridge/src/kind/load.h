/* The loaded libraries. */
#ifndef BRIDGE_LOAD_H
#define BRIDGE_LOAD_H

#include <stdbool.h>

/** Returns whether doca_common is loaded. */
bool bridge_load_is_done(void);

/** Counts a bridge: libraries cannot change while one exists. */
void bridge_load_hold(void);
void bridge_load_release(void);

#endif
