/* Tunnels inside this folder. Service thread, unless a function states otherwise. See sd_tunnel.h. */
#ifndef TUNNEL_H
#define TUNNEL_H

#include <netinet/in.h>
#include <time.h>

#include "frame.h"
#include "sd_line.h"
#include "sd_rendezvous.h"
#include "sd_service.h"
#include "sd_tunnel.h"
#include "tls.h"

enum { TUNNEL_MAGIC = 0x50554453, TUNNEL_VERSION = 1, TUNNEL_PEER_TEXT = 64, TUNNEL_MAX_GUESTS = 64 };

/** First frame of a client. */
struct tunnel_greeting {
	uint32_t magic;				/**< also shows that both hosts have the same byte order */
	uint32_t version;
	char name[SD_RENDEZVOUS_NAME];		/**< of the socket; empty: the one of the port */
};

/** One of the two sockets of a tunnel. */
struct tunnel_side {
	struct sd_watch watch;			/**< first member */
	struct tunnel *tunnel;
	uint32_t events;			/**< that the watch waits for */
	int fd;					/**< -1: none */
};

struct tunnel {
	struct tunnel *next;
	struct tunnel_side local, remote;
	struct sd_line *line;			/**< in place of the local socket, or NULL */
	struct sd_job deadline;			/**< until the tunnel is open, and for the last packets */
	struct sd_job again;			/**< repeats the step */
	void (*step)(struct tunnel *tunnel);	/**< continues after an event */
	SSL *ssl;				/**< NULL before the connect */
	struct frame out, in;			/**< to the peer, and from it */
	uint8_t is_server;
	uint8_t is_open;			/**< the local socket is connected */
	uint8_t is_cut;				/**< the peer takes no more bytes */
	_Atomic uint8_t is_ended;
	char name[SD_RENDEZVOUS_NAME];		/**< client: to reach; server: the only socket, or empty */
	char peer[TUNNEL_PEER_TEXT];		/**< address in the log */
};

/** @name Life; the functions before tunnel_watch() may run on any thread */
/** @{ */
/**
 * Creates a tunnel that owns the descriptor of its TCP socket, and begins with a step. NULL: no memory; the descriptor is
 * closed.
 */
struct tunnel *tunnel_new(int remote_fd, const struct sockaddr_in6 *peer, uint8_t is_server,
			  void (*step)(struct tunnel *tunnel));
/** Ends and frees the tunnel, once. */
void tunnel_end(struct tunnel *tunnel);
/** Ends the oldest tunnel of a server that is not open, if there are too many. */
void tunnel_end_surplus(void);
/** Waits for the ends of all tunnels, at most limit_s seconds; then ends them. */
void tunnel_end_all(time_t limit_s);
/** Begins to call step for these events of a side. Returns 0 if that failed; then the tunnel has ended. */
uint8_t tunnel_watch(struct tunnel_side *side, uint32_t events);
/** Changes the events of a side. */
void tunnel_wait(struct tunnel_side *side, uint32_t events);
/** Calls step soon. */
void tunnel_wake(struct tunnel *tunnel);
/** Calls step after a time. */
void tunnel_repeat(struct tunnel *tunnel, uint64_t delay_ns);
/** Ends the tunnel after a time. */
void tunnel_limit(struct tunnel *tunnel, uint64_t limit_ns);
/** Closes the local socket, or leaves the line. */
void tunnel_close_local(struct tunnel *tunnel);
/** @} */

/** Moves packets; a step. */
void tunnel_relay(struct tunnel *tunnel);
/** Opens a tunnel whose TCP socket is connected; a step. */
void tunnel_begin(struct tunnel *tunnel);

/** @name Lines, for the tunnel */
/** @{ */
/** Creates a line, whose owners are the tunnel and the user. wake continues the tunnel. NULL: no memory. */
struct sd_line *line_new(struct tunnel *tunnel, void (*wake)(struct tunnel *tunnel));
/** Passes a line to the listener with the name. Returns 0 if there is none. */
uint8_t line_offer(const char *name, struct sd_line *line);
/** The tunnel moves packets from now on. */
void line_open(struct sd_line *line);
/** Takes the next packet for the peer. END: the user has ended the line, and there is none. */
enum frame_result line_take(struct sd_line *line, struct frame *out);
/** Passes a complete packet to the user. END: the user has ended the line. */
enum frame_result line_deliver(struct sd_line *line, struct frame *in);
/** The tunnel ends: the line does not wake it any more. Any thread. */
void line_detach(struct sd_line *line);
/** Detaches, and ends the ownership. Any thread. */
void line_leave(struct sd_line *line);
/** @} */

/** @name TCP sockets; any thread */
/** @{ */
void tunnel_address(struct sockaddr_in6 *address, const uint8_t raw[SD_TCP_ADDRESS_LEN], uint16_t port);
/** Returns a new socket with the options of tunnels, or -1. */
int tunnel_socket(void);
void tunnel_set_options(int fd);
/** @} */

#endif
