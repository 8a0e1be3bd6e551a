/*
 * Memory of another process, or of this one by way of an export.
 *
 * Every access is checked: in range, the export still stands, its process lives. One copy where the kernel lets this process reach
 * into the other (process_vm_readv, process_vm_writev); where it does not, or with SOFTDPU_NO_PROCESS_VM=1, the exporting
 * process's service thread does the copying.
 */
#ifndef IMPORT_H
#define IMPORT_H

#include <stddef.h>
#include <stdint.h>

#include "doca_error.h"

struct export_desc;
struct guard_board;
struct guard_pass;
struct import_peer;

struct sd_import {
	struct import_peer *peer;		/**< NULL: an export of this process */
	const struct guard_board *board;
	struct guard_pass *pass;
	uint32_t slot;
	uint64_t generation;
	uint64_t addr, len;			/**< in the exporting process */
};

/** Ask the exporting process whether it exports what is described. INVALID_VALUE: it does not, or there is no such process;
 *  NO_MEMORY, OPERATING_SYSTEM. Program's thread. */
doca_error_t import_open(const struct export_desc *desc, struct sd_import **import);
void import_close(struct sd_import *import);

/** @name An import of one number; any thread. IO_FAILED: the exporter took it back, or is gone */
/** @{ */
/** NOT_PERMITTED: the exporter has to be asked, and may_ask is 0. */
doca_error_t import_load(struct sd_import *import, uint64_t *value, uint8_t may_ask);
/** The number when the exporter took it back. IO_FAILED: the exporter died without doing so. */
doca_error_t import_load_last(struct sd_import *import, uint64_t *value);
/** Set or add, at once for all who look. */
doca_error_t import_change(struct sd_import *import, uint8_t is_add, uint64_t operand, uint64_t *before);
/** @} */

/** Copy len bytes at addr of the exporting process here, or from here. IO_FAILED. Hardware thread. */
doca_error_t import_read(struct sd_import *import, uint64_t addr, void *to, size_t len);
doca_error_t import_write(struct sd_import *import, uint64_t addr, const void *from, size_t len);
/** Whether the exporting process is stuck, so that a copy has to stay in the queue. */
uint8_t import_is_held_up(const struct sd_import *import);

#endif
