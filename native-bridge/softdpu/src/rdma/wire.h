/*
 * Protocol between two connections in different processes: one packet per SOCK_SEQPACKET packet. Numbers have native byte order:
 * the greeting of a tunnel refuses a host with another order.
 *
 *   connecting side                          other side
 *   HELLO both keys, permissions        -->
 *                                       <--  WELCOME permissions      (or CROSSED: its own HELLO is on the way; or the end)
 *   MESSAGE opcode, length, immediate  <-->  (all bytes follow, or none)
 *   NOT_READY                          <-->  (the oldest message has no receive task yet)
 *   READY                              <-->  (a receive task has room for the data of the oldest message)
 *   DATA bytes                         <-->  (of the oldest message)
 *   ANSWER status                      <-->  (the receive task is complete, or the message failed)
 * The connection manager begins with REQUEST (the key of the client's connection, permissions) instead of HELLO. The answer is
 * REJECTED or WELCOME (the key of the server's connection, permissions).
 *
 * Both sides send messages: at most RDMA_MAX_AHEAD before the ANSWER to the oldest one, with at most RDMA_MAX_AHEAD_BYTES in these
 * packets. The peer stores them until it has receive tasks. Answers have the order of the messages. After a failed ANSWER no
 * further message is received. Data of a write with immediate data does not use the socket, so its MESSAGE gets an ANSWER without
 * READY. The end of the socket is the end of the connection.
 */
#ifndef WIRE_H
#define WIRE_H

#include <assert.h>
#include <stdint.h>

enum {
	RDMA_WIRE_VERSION = 2,
	RDMA_MAX_AHEAD = 64,
	RDMA_MAX_AHEAD_BYTES = 256 << 10,
};

enum rdma_packet_type {
	RDMA_HELLO = 1,
	RDMA_WELCOME,
	RDMA_CROSSED,
	RDMA_MESSAGE,
	RDMA_NOT_READY,
	RDMA_READY,
	RDMA_DATA,
	RDMA_ANSWER,
	RDMA_REQUEST,
	RDMA_REJECTED,
};

/** Head of every packet. DATA, MESSAGE: bytes follow. Unused members are 0. */
struct rdma_packet {
	uint32_t type;				/**< enum rdma_packet_type */
	uint32_t value;				/**< HELLO, REQUEST: version; MESSAGE: opcode; ANSWER: doca_error_t */
	union {
		struct {
			uint64_t key;		/**< HELLO, REQUEST, WELCOME: of the sender's connection */
			uint64_t peer_key;	/**< HELLO: of the addressed connection */
		};
		struct {
			uint64_t total;		/**< MESSAGE: bytes; ANSWER: older messages that it answers with SUCCESS */
			uint32_t immediate;	/**< MESSAGE: in network byte order */
			uint32_t unused;
		};
	};
	uint32_t permissions;			/**< HELLO, REQUEST, WELCOME: of the sender's context */
	uint32_t vhca_id;			/**< HELLO, REQUEST, WELCOME: of the sender's device */
};

static_assert(sizeof(struct rdma_packet) == 32, "part of the wire format");

#endif
