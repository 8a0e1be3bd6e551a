/* The device's turn. */
#ifndef BRIDGE_PROGRESS_H
#define BRIDGE_PROGRESS_H

#include "bridge.h"

/**
 * Call doca_pe_progress until nothing happens, or budget calls have brought something. Owner.
 * @return whether the device had its turn: false when room for what it says ran out before
 */
bool bridge_progress(struct dpubridge *bridge, uint32_t budget);

#endif
