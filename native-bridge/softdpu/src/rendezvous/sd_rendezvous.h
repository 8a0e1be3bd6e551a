/*
 * Where the processes of one user meet: a folder with one Unix socket per server. The folder is SOFTDPU_DIR, else
 * $XDG_RUNTIME_DIR/softdpu, else /tmp/softdpu-<uid>. It belongs to the user alone (mode 0700) and is made when it is missing.
 *
 *   <name>        a listening socket (SOCK_SEQPACKET: packets, not bytes)
 *   <name>.lock   locked for as long as the server lives; the next server of any name removes the files of dead ones
 *
 * Thread: any. All descriptors are close-on-exec and do not block.
 */
#ifndef SD_RENDEZVOUS_H
#define SD_RENDEZVOUS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_error.h"

/** Bytes of a socket's name, with its NUL. */
enum { SD_RENDEZVOUS_NAME = 72 };

/** A server's end. Zero-initialise. */
struct sd_listener {
	int fd;
	int lock_fd;
	int folder_fd;
	pid_t owner;				/**< a child made by fork() leaves the files alone */
	char name[SD_RENDEZVOUS_NAME];
};

/** The folder as an open descriptor, which the caller closes. NOT_PERMITTED: it is not the user's alone; OPERATING_SYSTEM; the
 *  reason is in the log. */
doca_error_t sd_rendezvous_folder(int *folder_fd);

/** The name of a socket: "<kind>.<scope>.<readable part of label>.<hash>". Different (kind, scope, label) give different names. */
void sd_rendezvous_name(char *name, const char *kind, const char *scope, const char *label);

/** Become the server of this name. ALREADY_EXIST: there is a living one; NOT_PERMITTED, OPERATING_SYSTEM. */
doca_error_t sd_rendezvous_listen(struct sd_listener *listener, const char *name);

/** Take the next client. AGAIN: nobody waits; NOT_PERMITTED: one of another user was turned away; OPERATING_SYSTEM. */
doca_error_t sd_rendezvous_accept(struct sd_listener *listener, int *fd, pid_t *peer);

/** Stop being the server; removes the socket. */
void sd_rendezvous_close(struct sd_listener *listener);

/** Reach the server of this name. NOT_FOUND: there is none; AGAIN: too many are waiting for it; NOT_PERMITTED: it is
 *  another user's; OPERATING_SYSTEM. */
doca_error_t sd_rendezvous_connect(const char *name, int *fd, pid_t *peer);

/** The process at the other end. NOT_PERMITTED: it belongs to another user. */
doca_error_t sd_rendezvous_peer(int fd, pid_t *peer);

#endif
