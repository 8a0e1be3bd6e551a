/*
 * The census counts the live objects of each kind in this process. Every create or open adds 1, every destroy or
 * close subtracts 1. softdpu_census() returns the counts, so that a test can check that nothing is left.
 *
 * Thread: any. The counters are relaxed atomics: they count, they do not order anything.
 */
#ifndef SD_CENSUS_H
#define SD_CENSUS_H

#include <stdint.h>

enum sd_census_kind {
	SD_CENSUS_DEVICES,		/**< opened devices: one per doca_dev_open(), not per physical function */
	SD_CENSUS_REPRESENTORS,		/**< opened representors */
	SD_CENSUS_ENGINES,		/**< struct doca_pe */
	SD_CENSUS_CONTEXTS,		/**< created contexts in any state, including those of graphs */
	SD_CENSUS_TASKS,		/**< tasks allocated and not freed */
	SD_CENSUS_TASKS_IN_FLIGHT,	/**< submitted, callback not yet called */
	SD_CENSUS_MAPS,			/**< struct doca_mmap */
	SD_CENSUS_INVENTORIES,		/**< struct doca_buf_inventory */
	SD_CENSUS_POOLS,		/**< struct doca_buf_pool */
	SD_CENSUS_BUFFERS,		/**< struct doca_buf acquired from an inventory or pool */
	SD_CENSUS_HARDWARE_THREADS,	/**< threads of the device */
	SD_CENSUS_KINDS
};

/** Adds change to the count of one kind. */
void sd_census_add(enum sd_census_kind kind, int change);

/** Returns the current count of one kind. */
int64_t sd_census_get(enum sd_census_kind kind);

#endif
