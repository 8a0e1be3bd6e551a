/*
 * The description of a connection: doca_rdma_export() returns it, doca_rdma_connect() of the peer takes it. Numbers have native
 * byte order:
 *
 *   byte  0  magic: "SDPURCON"
 *         8  version: 3
 *        12  size of the description: 80
 *        16  key: 64 random bits
 *        24  port: 64 random bits that name the socket of the exporter
 *        32  process id of the exporter
 *        36  transport: 0 (RC), 1 (DC)
 *        40  host of the exporter: hash of its boot id and its rendezvous folder
 *        48  IPv6 address of the exporter; IPv4 addresses are mapped
 *        64  TCP port of the exporter; 0: TCP is off
 *        66  0
 *        72  check value: FNV-1a hash of bytes 0 to 71
 */
#ifndef RDMA_DETAILS_H
#define RDMA_DETAILS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_error.h"
#include "sd_tunnel.h"

#define RDMA_DETAILS_MAGIC UINT64_C(0x4e4f435255504453)

enum { RDMA_DETAILS_VERSION = 3 };

struct rdma_details {
	uint64_t magic;
	uint32_t version, size;
	uint64_t key;
	uint64_t port;
	uint32_t pid;
	uint32_t transport;
	struct sd_endpoint endpoint;
	uint64_t check;
};

static_assert(sizeof(struct rdma_details) == 80 && offsetof(struct rdma_details, check) == 72, "as documented above");

/** Describes a new connection of this process, with a new key. DRIVER: no key. */
doca_error_t rdma_details_write(struct rdma_details *details, uint32_t transport, uint64_t port);
/** Reads a description. Returns true if it is undamaged. */
uint8_t rdma_details_read(struct rdma_details *details, const void *bytes, size_t len);

#endif
