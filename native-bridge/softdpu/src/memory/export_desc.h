/*
 * The description of an export: what doca_mmap_export_pci() hands out and doca_mmap_create_from_export() takes.
 *
 * It is a note, not a key: the check value finds damage, and keeps nobody from writing a note of his own. What counts is what the
 * exporting process answers: it is asked whether there is just this export, and only processes of the same user are answered.
 */
#ifndef EXPORT_DESC_H
#define EXPORT_DESC_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

#define EXPORT_DESC_MAGIC UINT64_C(0x3155504454464f53)

enum { EXPORT_DESC_VERSION = 1, EXPORT_DESC_KIND_HOST = 1, EXPORT_DESC_KIND_DPU = 2 };

struct export_desc {
	uint64_t magic;
	uint32_t version;
	uint32_t size;				/**< of all this */
	uint32_t kind;				/**< the side of the card that exports */
	uint32_t vhca_id;			/**< of the exporting function */
	uint32_t pid, uid;
	uint64_t start_time, cookie;		/**< of the process */
	uint64_t generation;
	uint64_t addr, len;
	uint32_t slot;
	uint32_t permissions;
	uint64_t check;				/**< over all before it; last */
};

static_assert(sizeof(struct export_desc) == 88, "descriptions are exchanged between processes");

/** Describe an export of this process for a function, of the side that kind names. */
void export_desc_write(struct export_desc *desc, const struct export *export, uint32_t kind, uint32_t vhca_id);
/** Whether the bytes are an undamaged description, of a process of this user. */
uint8_t export_desc_read(struct export_desc *desc, const void *bytes, size_t len);

#endif
