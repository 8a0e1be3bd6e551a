/*
 * The end of a tunnel in this process, for one user: as a local socket with packets, but without a descriptor.
 *
 * Thread: any.
 */
#ifndef SD_LINE_H
#define SD_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "doca_error.h"
#include "sd_rendezvous.h"
#include "sd_service.h"
#include "sd_tcp.h"

struct sd_line;

enum sd_line_result {
	SD_LINE_DONE,
	SD_LINE_AGAIN,				/**< there is no packet, or no room */
	SD_LINE_END,				/**< the line has ended, or the packet is not valid */
};

/** Accepts the lines of tunnels that request the name. The owner sets name and accept; zero-initialise the rest. */
struct sd_line_listener {
	struct sd_line_listener *next;
	char name[SD_RENDEZVOUS_NAME];
	void (*accept)(struct sd_line_listener *listener, struct sd_line *line); /**< gets the ownership. Service thread */
};

void sd_line_listen(struct sd_line_listener *listener);
/** After the return, accept neither runs nor starts. */
void sd_line_unlisten(struct sd_line_listener *listener);
/** As sd_tunnel_connect(), with a line in place of the descriptor. A failed connect ends the line. */
doca_error_t sd_line_connect(const uint8_t address[SD_TCP_ADDRESS_LEN], uint16_t port, const char *name, struct sd_line **line);

/** @name As the functions for descriptors in sd_service.h */
/** @{ */
void sd_line_watch(struct sd_line *line, struct sd_watch *watch, uint32_t events,
		   void (*ready)(struct sd_watch *watch, uint32_t events));
void sd_line_rearm(struct sd_line *line, uint32_t events);
void sd_line_unwatch(struct sd_line *line);
/** @} */

/** Sends one packet: head, then len bytes of data. Does not wait. */
enum sd_line_result sd_line_send(struct sd_line *line, const void *head, size_t head_len, const void *data, size_t len);
/** Receives one packet: head_len bytes, then at most *len bytes of data. Sets *len. Does not wait. */
enum sd_line_result sd_line_receive(struct sd_line *line, void *head, size_t head_len, void *data, size_t *len);
/** Returns whether one of both sides has ended the line. */
uint8_t sd_line_has_ended(struct sd_line *line);
/** Ends the line for both sides. The peer gets the packets that were sent. */
void sd_line_end(struct sd_line *line);
/** Ends and frees the line. Not while another thread uses it. */
void sd_line_close(struct sd_line *line);

#endif
