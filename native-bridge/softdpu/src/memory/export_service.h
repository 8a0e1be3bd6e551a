/*
 * Serves importers on the service thread, without the program's threads, while this process has exports.
 *
 * Thread: any but the service thread; calls of open and close must not overlap.
 */
#ifndef EXPORT_SERVICE_H
#define EXPORT_SERVICE_H

#include "export.h"

/** Starts to answer importers as this process. INITIALIZATION, OPERATING_SYSTEM, NOT_PERMITTED; the log names the cause. */
doca_error_t export_service_open(const struct export_identity *identity);
/** Stops the service and disconnects all importers. */
void export_service_close(void);
/** Holds and releases the list of importers: while it is held, no change is half done. */
void export_service_hold(void);
void export_service_release(void);

#endif
