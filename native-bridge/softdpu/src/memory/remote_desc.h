/*
 * The description of a map for RDMA peers: doca_mmap_export_rdma() returns it, doca_mmap_create_from_export() takes it. Numbers
 * have native byte order:
 *
 *   byte  0  magic: "SDPURMEM"
 *         8  version: 1
 *        12  size of the description: 72
 *        16  key: 64 random bits
 *        24  address of the first byte in the exporting process
 *        32  length in bytes
 *        40  generation of the export, not 0
 *        48  slot of the export
 *        52  permissions: bits of enum doca_access_flag
 *        56  process id of the exporter
 *        60  VHCA id of the exporting device
 *        64  check value: FNV-1a hash of bytes 0 to 63
 *
 * The check value detects damage. The key prevents forgery: the exporter compares it, and the members from 24 to 55, with its
 * table.
 */
#ifndef REMOTE_DESC_H
#define REMOTE_DESC_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct export;

#define REMOTE_DESC_MAGIC UINT64_C(0x4d454d5255504453)

enum { REMOTE_DESC_VERSION = 1 };

struct remote_desc {
	uint64_t magic;
	uint32_t version, size;
	uint64_t key;
	uint64_t addr, len;
	uint64_t generation;
	uint32_t slot;
	uint32_t permissions;
	uint32_t pid;
	uint32_t vhca_id;
	uint64_t check;
};

static_assert(sizeof(struct remote_desc) == 72 && offsetof(struct remote_desc, check) == 64, "as documented above");

/** Describes an export of this process. */
void remote_desc_write(struct remote_desc *desc, const struct export *export, uint16_t vhca_id);
/** Returns true if the bytes begin like a description for RDMA peers. */
uint8_t remote_desc_is(const void *bytes, size_t len);
/** Reads a description. Returns true if it is undamaged. */
uint8_t remote_desc_read(struct remote_desc *desc, const void *bytes, size_t len);

#endif
