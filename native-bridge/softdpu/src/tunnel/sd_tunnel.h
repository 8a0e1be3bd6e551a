/*
 * RDMA between hosts. A tunnel connects a local socket to a socket of another process by TCP, so the protocols of these sockets do
 * not change. The service thread of each process moves the packets, encrypted by TLS (tls.h):
 *
 *   client's process                                                  server's process
 *   user -- SOCK_SEQPACKET -- tunnel ======== TLS over TCP ======== tunnel -- SOCK_SEQPACKET -- socket of the rendezvous folder
 *   user ------- line ------- tunnel ======== TLS over TCP ======== tunnel ------- line ------- listener of the process
 *
 * RDMA connections use lines (sd_line.h), which have no descriptor. Access to memory uses sockets: one per pair of processes.
 *
 * A packet is a frame: 4 bytes length, then its bytes. The first frame of a client is struct tunnel_greeting, which names the
 * socket or the listener. The end of any of the three connections ends the others, after all packets in flight.
 *
 * Thread: any but the service thread.
 */
#ifndef SD_TUNNEL_H
#define SD_TUNNEL_H

#include <stdint.h>

#include "doca_error.h"
#include "sd_tcp.h"

/** Where a process can be reached. The address is part of descriptions; numbers have native byte order. */
struct sd_endpoint {
	uint64_t host;				/**< hash of the boot id and the rendezvous folder */
	uint8_t address[SD_TCP_ADDRESS_LEN];	/**< IPv4 addresses are mapped */
	uint16_t port;				/**< 0: TCP is off */
	uint16_t unused[3];
};

_Static_assert(sizeof(struct sd_endpoint) == 32, "part of descriptions");

enum sd_route {
	SD_ROUTE_LOCAL,				/**< by the rendezvous folder */
	SD_ROUTE_TUNNEL,
	SD_ROUTE_NONE,				/**< the process is on another host, and TCP is off there or here */
};

/** Listens to a port for tunnels to sockets of this process. */
struct sd_gate;

/** Returns whether the settings have a key. */
uint8_t sd_tunnel_is_on(void);
/**
 * Adds a user of tunnels. NOT_SUPPORTED: no libssl; INITIALIZATION: the service thread does not start. The log names the cause.
 */
doca_error_t sd_tunnel_acquire(void);
/** Removes a user. The last one waits at most 1 s for the packets in flight. */
void sd_tunnel_release(void);
/**
 * Connects to a socket of the process that listens to the port. The caller, a user, closes the descriptor, which a failed connect
 * ends. NO_MEMORY; OPERATING_SYSTEM.
 */
doca_error_t sd_tunnel_connect(const uint8_t address[SD_TCP_ADDRESS_LEN], uint16_t port, const char *name, int *fd);

/**
 * Listens to a port of the configured address; 0: any free port. name: the only socket that tunnels reach, or NULL: those of
 * RDMA connections and memory of this process. The caller is a user. ALREADY_EXIST: the port is busy; NO_MEMORY; DRIVER: the log
 * names the cause.
 */
doca_error_t sd_gate_open(uint16_t port, const char *name, struct sd_gate **gate);
uint16_t sd_gate_port(const struct sd_gate *gate);
void sd_gate_close(struct sd_gate *gate);

/** Makes this process reachable, if TCP is on. Errors: as sd_tunnel_acquire() and sd_gate_open(). */
doca_error_t sd_endpoint_acquire(void);
void sd_endpoint_release(void);
/** Describes this process. */
void sd_endpoint_own(struct sd_endpoint *endpoint);
/** Returns whether the process is on this host, in this rendezvous folder. */
uint8_t sd_endpoint_is_near(const struct sd_endpoint *endpoint);
/** Finds the way to another process. */
enum sd_route sd_endpoint_route(const struct sd_endpoint *endpoint);

#endif
