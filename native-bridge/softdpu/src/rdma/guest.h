/* Listening sockets, and sockets that have not named their connection yet. */
#ifndef GUEST_H
#define GUEST_H

#include "sd_rdma.h"
#include "sd_rendezvous.h"

struct rdma_guest;

/** The owner sets greet; zero-initialise the rest. */
struct rdma_listener {
	struct sd_watch watch;			/**< first member */
	struct sd_pause pause;
	struct sd_listener socket;
	struct sd_line_listener lines;		/**< of tunnels from other hosts */
	/**
	 * Handles the first packet of a guest. Returns 1 if a connection uses the channel from now on. Service thread; it
	 * does not run after rdma_listener_close().
	 */
	uint8_t (*greet)(struct rdma_guest *guest, const struct rdma_packet *packet);
};

struct rdma_guest {
	struct rdma_channel channel;		/**< first member */
	struct sd_job deadline;
	struct rdma_guest *next;
	struct rdma_listener *listener;
	pid_t pid;
};

/** Builds the socket name of a port of a device. */
void rdma_port_name(char name[SD_RENDEZVOUS_NAME], uint16_t vhca_id, uint16_t port);
/** Listens with a name in the rendezvous folder. ALREADY_EXIST: another listener has it; else as sd_rendezvous_listen(). */
doca_error_t rdma_listener_open(struct rdma_listener *listener, const char *name);
/** Stops to listen, and closes its guests. Thread: program's. */
void rdma_listener_close(struct rdma_listener *listener);

#endif
