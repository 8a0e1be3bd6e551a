/*
 * The description of an export: doca_mmap_export_pci() returns it, doca_mmap_create_from_export() takes it.
 *
 * The description grants nothing by itself. The check value detects damage; it does not prevent forgery. The importer therefore
 * asks the exporting process if exactly this export is valid. The exporting process answers only processes of the same
 * user.
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
	uint32_t size;				/**< of this struct, in bytes */
	uint32_t kind;				/**< exporting side of the card */
	uint32_t vhca_id;			/**< of the exporting function */
	uint32_t pid, uid;
	uint64_t start_time, cookie;		/**< of the exporting process */
	uint64_t generation;
	uint64_t addr, len;
	uint32_t slot;
	uint32_t permissions;
	uint64_t check;				/**< hash of all members before it; last member */
};

static_assert(sizeof(struct export_desc) == 88, "descriptions are exchanged between processes");

/** Returns the kind of the descriptions for a device: the side of the card. */
uint32_t export_desc_kind_of(const struct doca_dev *dev);
/** Describes an export of this process for a device. */
void export_desc_write(struct export_desc *desc, const struct export *export, const struct doca_dev *dev);
/** Reads a description. Returns true if it is undamaged and describes a process of this user. */
uint8_t export_desc_read(struct export_desc *desc, const void *bytes, size_t len);

#endif
