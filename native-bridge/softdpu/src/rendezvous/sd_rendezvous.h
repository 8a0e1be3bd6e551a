/*
 * The rendezvous folder connects the processes of one user: it holds one Unix socket per server. The folder is SOFTDPU_DIR,
 * else $XDG_RUNTIME_DIR/softdpu, else /tmp/softdpu-<uid>. Only the user may access it (mode 0700). A missing folder is created.
 *
 *   <name>        a listening socket (SOCK_SEQPACKET: packets, not bytes)
 *   <name>.lock   locked while the server exists; every new server removes the files of dead servers
 *
 * Thread: any. All descriptors are close-on-exec and non-blocking.
 */
#ifndef SD_RENDEZVOUS_H
#define SD_RENDEZVOUS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_error.h"

/** Sizes of a socket's name and of a reason with their NUL, in bytes. */
enum { SD_RENDEZVOUS_NAME = 72, SD_RENDEZVOUS_REASON = 256 };

/** Listening socket of a server. Zero-initialise. The memory must not move until sd_rendezvous_close(). */
struct sd_listener {
	struct sd_listener *next;
	int fd;				/**< -1 in a forked child, as the other descriptors */
	int lock_fd;
	int folder_fd;
	uint8_t is_short;			/**< the log has the failure of accept4() since the last client */
	pid_t owner;				/**< creating process; a forked child does not remove the files */
	char name[SD_RENDEZVOUS_NAME];
};

/**
 * Opens the folder; the caller closes the descriptor. A server must be able to create files in it. NOT_PERMITTED: other users own
 * or may access the folder, or this process may not use it; OPERATING_SYSTEM. The log names the failed operation and the cause.
 */
doca_error_t sd_rendezvous_folder(uint8_t for_server, int *folder_fd);

/**
 * Returns true if SOFTDPU_DIR is unset, or names a folder that a server can use. Else why is the reason, with at most
 * SD_RENDEZVOUS_REASON bytes.
 */
uint8_t sd_rendezvous_check_setting(char *why);

/** Builds the name of a socket: "<kind>.<scope>.<readable part of label>.<hash>", unique per (kind, scope, label). */
void sd_rendezvous_name(char *name, const char *kind, const char *scope, const char *label);

/** Registers the handlers that close the listeners in a forked child. sd_service_prepare_for_fork() calls it. */
void sd_rendezvous_prepare_for_fork(void);

/** Becomes the server of this name. ALREADY_EXIST: a running server has the name; NOT_PERMITTED, OPERATING_SYSTEM. */
doca_error_t sd_rendezvous_listen(struct sd_listener *listener, const char *name);

/** Accepts the next client. AGAIN: no client waits; NOT_PERMITTED: a client of another user was refused; OPERATING_SYSTEM. */
doca_error_t sd_rendezvous_accept(struct sd_listener *listener, int *fd, pid_t *peer);

/** Closes the listening socket and removes its files. */
void sd_rendezvous_close(struct sd_listener *listener);

/**
 * Connects to the server of this name. NOT_FOUND: no server has the name; AGAIN: the server's backlog is full; NOT_PERMITTED:
 * the server belongs to another user; OPERATING_SYSTEM.
 */
doca_error_t sd_rendezvous_connect(const char *name, int *fd, pid_t *peer);

/** Finds the process at the other end. NOT_PERMITTED: the process belongs to another user. */
doca_error_t sd_rendezvous_peer(int fd, pid_t *peer);

#endif
