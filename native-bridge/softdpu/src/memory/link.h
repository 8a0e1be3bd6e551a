/*
 * What importers and exporters say to each other, over one SOCK_SEQPACKET connection per pair of processes: a request packet, then
 * its reply packet. Numbers are the machine's own: both ends run on it.
 *
 *   HELLO   cookie             + descriptor of the importer's pass     -> status + descriptor of the exporter's board
 *   CHECK   the whole claim                                            -> SUCCESS: there is just this export
 *   READ    slot, generation, addr, len                                -> status + len bytes
 *   WRITE   slot, generation, addr, len + len bytes                    -> status
 *   SET     slot, generation, addr, operand                            -> status + the 8 bytes that were there before
 *   ADD     slot, generation, addr, operand                            -> the same
 *
 * READ and WRITE are for where the kernel forbids one process to reach into the other. SET and ADD change a number that was exported as
 * one, at once for all who look: only the exporter's processor instructions can do that.
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

enum link_verb { LINK_HELLO = 1, LINK_CHECK, LINK_READ, LINK_WRITE, LINK_SET, LINK_ADD };

struct link_request {
	uint32_t magic;
	uint32_t verb;
	uint64_t cookie;
	uint64_t generation;
	uint64_t addr;
	union {
		uint64_t len;
		uint64_t operand;
	};
	uint32_t slot;
	uint32_t permissions;
};

struct link_reply {
	uint32_t magic;
	uint32_t status;			/**< doca_error_t */
};

static_assert(sizeof(struct link_request) == 48 && sizeof(struct link_reply) == 8, "packets have no gaps");

/** The socket of the process that a description names. */
void link_name(char name[SD_RENDEZVOUS_NAME], uint32_t pid, uint64_t start_time, uint64_t cookie);

/** Send one packet: head, then len bytes of data; fd (-1: none) goes along. Does not wait: 0 on any failure. */
uint8_t link_send(int socket, const void *head, size_t head_len, const void *data, size_t len, int fd);

/** Receive one packet: head_len bytes and at most *len bytes of data, whose number it sets; a descriptor that comes along goes to
 *  *fd (NULL: it is closed). Does not wait: -1 with errno on failure, 0 at the end of the connection, else 1. */
int link_receive(int socket, void *head, size_t head_len, void *data, size_t *len, int *fd);

#endif
