/*
 * Exported memory of another process or of this process.
 *
 * Every access is checked: the range and the export are valid, and the process is running. One system call copies the data
 * if the kernel permits it (process_vm_readv, process_vm_writev). Otherwise, or with SOFTDPU_NO_PROCESS_VM=1, the service
 * thread of the exporting process copies.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_error.h"

struct export_desc;
struct remote_desc;
struct guard_board;
struct guard_pass;
struct import_peer;
struct number_change;

struct sd_import {
	struct import_peer *peer;		/**< NULL: an export of this process */
	const struct guard_board *board;
	struct guard_pass *pass;
	uint32_t slot;
	uint64_t generation;
	uint64_t addr, len;			/**< in the exporting process */
	uint64_t key;				/**< of an export for RDMA peers, else 0 */
};

/**
 * Opens an import; asks the exporting process if the described export is valid. remote: description of an export for RDMA
 * peers, else NULL. INVALID_VALUE: no such export or no such process; NO_MEMORY, OPERATING_SYSTEM. Program's thread.
 */
doca_error_t import_open(const struct export_desc *desc, const struct remote_desc *remote, struct sd_import **import);
void import_close(struct sd_import *import);

/*
 * via: key of the exporter's RDMA connection by which a peer accesses an export with a key; else 0. If the exporter copies, it
 * checks the connection.
 */

/** @name An import of one number; any thread. IO_FAILED: the exporter withdrew the number, or has ended */
/** @{ */
/** Reads the number. IO_FAILED also if the exporter delays the read for longer than 2 s, or its answer for longer than 5 s. */
doca_error_t import_load(struct sd_import *import, uint64_t via, uint64_t *value);
/** Reads the number and waits for a moment at most. AGAIN: the exporter delays the read; NOT_PERMITTED: only it can read. */
doca_error_t import_peek(struct sd_import *import, uint64_t *value);
/** Reads the number's value at its withdrawal. IO_FAILED: the exporter ended without a withdrawal. */
doca_error_t import_load_last(struct sd_import *import, uint64_t *value);
/** @} */

/**
 * Changes the number at addr in the exporting process, atomically for all processes. IO_FAILED: no aligned number in the export,
 * no permission, or the exporter has ended. Any thread.
 */
doca_error_t import_change(struct sd_import *import, uint64_t via, uint64_t addr, const struct number_change *change,
			   uint64_t *before);

/** Copies len bytes between addr in the exporting process and memory of this process. IO_FAILED. Hardware thread. */
doca_error_t import_read(struct sd_import *import, uint64_t via, uint64_t addr, void *to, size_t len);
doca_error_t import_write(struct sd_import *import, uint64_t via, uint64_t addr, const void *from, size_t len);
/** As sd_latch_exporter(). Any thread. */
pid_t import_exporter(const struct sd_import *import);
/** As sd_latch_ends(). Any thread. */
uint8_t import_ends(const struct sd_import *import, pid_t pid, uint64_t *ends);
/** Returns true if the exporting process is stuck, so that a copy must stay in the queue. */
uint8_t import_is_held_up(const struct sd_import *import);

#endif
