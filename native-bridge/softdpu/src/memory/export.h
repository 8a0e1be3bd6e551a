/*
 * Exports of this process: memory that other processes may access until its map stops.
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
struct export;

/** One type of descriptions: a static record. */
struct export_desc_type {
	size_t len;				/**< of a description, in bytes */
	void (*describe)(void *desc, const struct export *export, const struct doca_dev *dev);
};

/** Description of an export for one device. An export has at most two per device. */
struct export_note {
	struct export_note *next;
	const struct doca_dev *dev;
	const struct export_desc_type *type;
	uint64_t desc[];			/**< of that type */
};

struct export {
	uint32_t slot;
	uint64_t generation;			/**< unique in this process */
	uint64_t key;				/**< random; RDMA peers name the export by it */
	uint64_t addr, len;
	uint32_t permissions;
	uint8_t is_number;			/**< the memory is one number; importers may change it atomically */
	uint32_t host;				/**< of the exporting thread; see sd_host.h */
	pid_t owner;				/**< exporting process; a forked child inherits the memory, not the export */
	struct export_note *notes;
};

/** Memory to export. */
struct export_range {
	const void *addr;
	uint64_t len;
	uint32_t permissions;
	uint8_t is_number;
};

/** Identity of an exporting process, the same for all its exports. */
struct export_identity {
	pid_t pid;
	uint64_t start_time;
	uint64_t cookie;			/**< random; distinguishes processes that use the same process id */
};

/** Exports the memory of range with its permissions. NO_MEMORY; OPERATING_SYSTEM. */
doca_error_t export_open(const struct export_range *range, struct export **export);
/**
 * Withdraws the export: no new access begins. IN_USE: an access lasts longer than a second (for example, its process is
 * stopped); call again.
 */
doca_error_t export_close(struct export *export);

/**
 * Returns the description of an export for a device, which is valid until export_close(). dev: NULL, if the type describes none.
 * NULL: no memory. Thread: program's.
 */
const void *export_describe(struct export *export, const struct doca_dev *dev, const struct export_desc_type *type);

/** Returns the identity that importers see; NULL before the first export. */
const struct export_identity *export_identity(void);
/** Returns the board and sets the descriptor to send to importers; NULL before the first export. */
const struct guard_board *export_board(int *fd);
/** Shows on the board when this process ends. Service thread. */
void export_show_life(void);
/** Returns the pass for this process's accesses to its own exports. */
struct guard_pass *export_own_pass(void);
/** Adds or removes the pass of an importing process. NO_MEMORY. */
doca_error_t export_add_pass(struct guard_pass *pass);
void export_remove_pass(struct guard_pass *pass);

/** An access to an export. */
struct export_access {
	uint32_t slot;
	uint64_t generation;
	uint64_t key;				/**< 0: any */
	uint64_t addr, len;
};

/** Returns true if a connection of this process, by its key, is open and permits its peer an access. Service thread. */
uint8_t export_connection_permits(uint64_t via, uint32_t permission);

/**
 * Returns true if the export was withdrawn although its owner still has it: its host was killed, or export_close() returned
 * IN_USE. In a forked child, exports of the parent count as valid.
 */
uint8_t export_is_void(const struct export *export);
/** Returns true if an export with exactly these properties is valid. A claim without a key (0) matches any key. */
uint8_t export_is_valid_as(const struct export *claim);
/** Returns true if the export is valid, contains [addr, addr + len), and grants at least one of the permissions. */
uint8_t export_grants(const struct export_access *access, uint32_t permissions);
/**
 * Returns true if the export grants an atomic change of the aligned 8 bytes at addr. With a key: the export grants RDMA_ATOMIC.
 * Without one: the export is this number, and writable.
 */
uint8_t export_grants_change(const struct export_access *access);

#endif
