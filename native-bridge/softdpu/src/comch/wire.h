/*
 * Protocol of a connection's socket: one packet per SOCK_SEQPACKET packet. Numbers have native byte order, because both ends
 * run on one machine.
 *
 *   client                                server
 *   HELLO version, name, function, limits  -->
 *                                       <--  WELCOME largest message       (or the end of the connection: refused)
 *                                       <--  REFUSED error                 (at once, then the end: the server has no room)
 *   MESSAGE bytes                       <->  MESSAGE bytes
 *   CONSUMER_NEW id + ring, data socket <->
 *   CONSUMER_ACK id                     <->
 *   CONSUMER_GONE id                    <->
 *
 * The end of the socket is the end of the connection.
 */
#ifndef WIRE_H
#define WIRE_H

#include <assert.h>
#include <stdint.h>

enum { COMCH_VERSION = 3, COMCH_NAME = 120, COMCH_FUNCTION = 16, COMCH_MAX_FDS = 2 };

enum comch_packet_type {
	COMCH_HELLO = 1,
	COMCH_WELCOME,
	COMCH_MESSAGE,
	COMCH_CONSUMER_NEW,
	COMCH_CONSUMER_ACK,
	COMCH_CONSUMER_GONE,
	COMCH_REFUSED,
};

/** Head of every packet. */
struct comch_packet {
	uint32_t type;				/**< enum comch_packet_type */
	uint32_t value;				/**< WELCOME: maximum message size; CONSUMER_*: id; REFUSED: error; else 0 */
};

/** Bytes of HELLO. Strings end with NUL; the remaining bytes are 0. */
struct comch_hello {
	uint32_t version;
	uint32_t max_msg_size;
	char name[COMCH_NAME];
	char function[COMCH_FUNCTION];		/**< PCI address of the host function */
};

static_assert(sizeof(struct comch_packet) == 8, "part of the wire format");
static_assert(sizeof(struct comch_hello) == 144, "part of the wire format");

#endif
