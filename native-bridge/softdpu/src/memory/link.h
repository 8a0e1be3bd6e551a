/*
 * Protocol between importers and exporters. Each pair of processes has one SOCK_SEQPACKET connection: a request packet, then
 * its reply packet. Numbers have native byte order, which a tunnel checks.
 *
 *   HELLO   cookie             + descriptor of the importer's pass     -> status + descriptor of the exporter's board
 *           (an importer that uses a tunnel to another host has no pass, and receives no board)
 *   CHECK   the whole claim                                            -> SUCCESS: exactly this export is valid
 *   READ    slot, generation, addr, len                                -> status + len bytes
 *   WRITE   slot, generation, addr, len + len bytes                    -> status
 *   CHANGE  slot, generation, addr, change, operand, compared          -> status + the 8 bytes before the change
 *
 * A key makes CHECK, READ, WRITE and CHANGE requests of an RDMA peer: the export has this key and grants RDMA permissions, and the
 * accesses use an open RDMA connection whose context grants them too. Without a key (0), the export grants PCI permissions.
 *
 * READ and WRITE serve importers that the kernel forbids to access the other process. CHANGE changes a number atomically for all
 * processes. Only an atomic instruction of the exporter can do that.
 */
#ifndef LINK_H
#define LINK_H

#include <assert.h>
#include <stdint.h>
#include <sys/uio.h>

#include "doca_error.h"
#include "export_desc.h"
#include "sd_rendezvous.h"

enum { LINK_MAGIC = 0x6b6e696c, LINK_MAX_DATA = 64 << 10 };

enum link_verb { LINK_HELLO = 1, LINK_CHECK, LINK_READ, LINK_WRITE, LINK_CHANGE };

struct link_request {
	uint32_t magic;
	uint32_t verb;
	uint64_t cookie;
	uint64_t generation;
	uint64_t addr;
	uint64_t len;
	uint64_t key;				/**< of an export for RDMA peers; 0: an export for the other side of the card */
	uint64_t via;				/**< READ, WRITE, CHANGE with a key: the exporter's RDMA connection, by its key */
	uint64_t operand, compared;		/**< of CHANGE */
	uint32_t slot;
	union {
		uint32_t permissions;
		uint32_t change;		/**< enum number_verb */
	};
};

struct link_reply {
	uint32_t magic;
	uint32_t status;			/**< doca_error_t */
};

static_assert(sizeof(struct link_request) == 80 && sizeof(struct link_reply) == 8, "packets have no gaps");

/** Builds the socket name of the process that a description names. */
void link_name(char name[SD_RENDEZVOUS_NAME], uint32_t pid, uint64_t start_time, uint64_t cookie);

/** Sends one packet: head, len bytes of data, and fd (-1: none). Does not wait. Returns 0 on any failure. */
uint8_t link_send(int socket, const void *head, size_t head_len, const void *data, size_t len, int fd);

/**
 * Receives one packet: head_len bytes, then at most *len bytes of data. Sets *len to the number of data bytes. A received
 * descriptor goes to *fd; with fd NULL the function closes it. Does not wait. Returns 1, 0 at the end of the connection, or -1
 * with errno.
 */
int link_receive(int socket, void *head, size_t head_len, void *data, size_t *len, int *fd);

#endif
