/* Progresses the device. */
#ifndef BRIDGE_PROGRESS_H
#define BRIDGE_PROGRESS_H

#include "ring/bridge.h"

/**
 * Calls doca_pe_progress until it returns 0, or has returned 1 budget times. Owner.
 * @return false if the room for records ran out before
 */
bool bridge_progress(struct dpubridge *bridge, uint32_t budget);

#endif
