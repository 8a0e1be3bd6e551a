/*
 * The exporting end of links: on the service thread, so that the program need not do anything. It serves while there are exports.
 *
 * Thread: any but the service thread; calls of open and close must not overlap.
 */
#ifndef EXPORT_SERVICE_H
#define EXPORT_SERVICE_H

#include "export.h"

/** Begin to answer importers as this process. INITIALIZATION, OPERATING_SYSTEM, NOT_PERMITTED: the reason is in the log. */
doca_error_t export_service_open(const struct export_identity *identity);
/** Hang up on all importers. */
void export_service_close(void);

#endif
