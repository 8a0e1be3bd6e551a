/*
 * Quirks: unexpected behavior of real devices and SDKs, which tests can enable. softdpu.h describes them. Thread: any; a query
 * costs one atomic load.
 */
#ifndef SD_QUIRK_H
#define SD_QUIRK_H

#include <stdint.h>

#include "doca_error.h"

enum sd_quirk {
	SD_QUIRK_LOST_START,		/**< Q1 */
	SD_QUIRK_IDLE_CHILD_BLOCKS,	/**< Q2 */
	SD_QUIRK_STOP_ONE_TURN_LATER,	/**< Q3 */
	SD_QUIRK_DISCONNECT_AGAIN,	/**< Q4 */
	SD_QUIRK_NO_CREDIT,		/**< Q5 */
	SD_QUIRK_DISTINCT_OPENS,	/**< Q9 */
	SD_QUIRK_NULL_ADDRESS,		/**< Q10 */
	SD_QUIRK_MANDATORY_CALLBACKS,	/**< Q11 */
	SD_QUIRK_LATE_DMA_STOP,		/**< Q14 */
	SD_QUIRK_EARLY_RELEASE,		/**< Q22 */
	SD_QUIRK_NO_DIRECT_COPY,	/**< "no-direct-copy" */
	SD_QUIRKS
};

/** Returns whether the quirk is enabled. */
uint8_t sd_quirk_is_on(enum sd_quirk quirk);

/** Replaces the list of quirks (NULL: none). INVALID_VALUE: why receives the reason and has SD_REASON_SIZE bytes. */
doca_error_t sd_quirk_load(const char *list, char *why);

#endif
