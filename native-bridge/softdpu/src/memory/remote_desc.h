/*
 * The description of an export for RDMA peers: doca_mmap_export_rdma() and doca_sync_event_export_to_remote_net() return it,
 * doca_mmap_create_from_export() and doca_sync_event_remote_net_create_from_export() take it. Numbers have native byte order:
 *
 *   byte  0  magic: "SDPURMEM" (a map) or "SDPUREVT" (a sync event)
 *         8  version: 3
 *        12  size of the description: 120
 *        16  key: 64 random bits
 *        24  address of the first byte in the exporting process
 *        32  length in bytes; 8 for a sync event
 *        40  generation of the export, not 0
 *        48  slot of the export
 *        52  permissions: bits of enum doca_access_flag
 *        56  process id of the exporter
 *        60  VHCA id of the exporting device; 0 for a sync event
 *        64  start time of the exporter, in kernel clock ticks
 *        72  cookie of the exporter: 64 random bits
 *        80  host of the exporter: hash of its boot id and its rendezvous folder
 *        88  IPv6 address of the exporter; IPv4 addresses are mapped
 *       104  TCP port of the exporter; 0: TCP is off
 *       106  0
 *       112  check value: FNV-1a hash of bytes 0 to 111
 *
 * The check value detects damage. The key prevents forgery: the exporter compares it, and the members from 24 to 55, with its
 * table.
 */
#ifndef REMOTE_DESC_H
#define REMOTE_DESC_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "sd_tunnel.h"

struct export;
struct export_desc;

#define REMOTE_DESC_MAP UINT64_C(0x4d454d5255504453)
#define REMOTE_DESC_EVENT UINT64_C(0x5456455255504453)

enum { REMOTE_DESC_VERSION = 3 };

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
	uint64_t start_time, cookie;
	struct sd_endpoint endpoint;
	uint64_t check;
};

static_assert(sizeof(struct remote_desc) == 120 && offsetof(struct remote_desc, check) == 112, "as documented above");

/** Describes an export of this process. */
void remote_desc_write(struct remote_desc *desc, uint64_t magic, const struct export *export, uint16_t vhca_id);
/** Returns true if the bytes begin like the description of a map. */
uint8_t remote_desc_is_map(const void *bytes, size_t len);
/** Reads a description. Returns true if it is undamaged and has this magic. */
uint8_t remote_desc_read(struct remote_desc *desc, uint64_t magic, const void *bytes, size_t len);
/** Returns what import_open() takes. */
struct export_desc remote_desc_claim(const struct remote_desc *desc);

#endif
