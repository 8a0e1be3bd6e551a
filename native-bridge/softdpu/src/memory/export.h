/*
 * Exports of this process: what other processes may reach, until the map that it belongs to stops.
 *
 * Thread: any; one lock.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_error.h"
#include "guard.h"

struct doca_dev;
struct export_desc;

/** Description for one device; several describe the same export. */
struct export_note {
	struct export_note *next;
	const struct doca_dev *dev;
	struct export_desc *desc;
};

struct export {
	uint32_t slot;
	uint64_t generation;			/**< never used again in this process */
	uint64_t addr, len;
	uint32_t permissions;
	uint8_t is_number;			/**< the memory is one number, which importers may have changed at once */
	pid_t owner;				/**< a forked child inherits the memory, not the export */
	struct export_note *notes;
};

/** What is to be exported. */
struct export_range {
	const void *addr;
	uint64_t len;
	uint32_t permissions;
	uint8_t is_number;
};

/** What is the same for all exports of a process. */
struct export_identity {
	pid_t pid;
	uint64_t start_time;
	uint64_t cookie;			/**< random, so that descriptions cannot be confused by a process id used again */
};

/** Publish memory: range says where it is and what is permitted. NO_MEMORY; OPERATING_SYSTEM. */
doca_error_t export_open(const struct export_range *range, struct export **export);
/** Take it back: no access begins any more. IN_USE: one goes on and on (its process is stopped, say); call again. */
doca_error_t export_close(struct export *export);

/** Who this process is to importers; NULL before the first export. */
const struct export_identity *export_identity(void);
/** The board, and the descriptor to send to importers; NULL before the first export. */
const struct guard_board *export_board(int *fd);
/** How this process itself passes. */
struct guard_pass *export_own_pass(void);
/** An importing process's pass comes or goes. NO_MEMORY. */
doca_error_t export_add_pass(struct guard_pass *pass);
void export_remove_pass(struct guard_pass *pass);

/** Whether there is just this export. */
uint8_t export_stands_as(const struct export *claim);
/** Whether [addr, addr + len) lies in the export; permissions: at least one of these must be granted. */
uint8_t export_grants(uint32_t slot, uint64_t generation, uint64_t addr, uint64_t len, uint32_t permissions);
/** Whether the export is one number at addr, which may be written. */
uint8_t export_grants_number(uint32_t slot, uint64_t generation, uint64_t addr);

#endif
