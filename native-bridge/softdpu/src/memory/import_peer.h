/* Importing end of a link. All imports from one exporting process share it; the last one destroys it. */
#ifndef IMPORT_PEER_H
#define IMPORT_PEER_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_error.h"
#include "import_reader.h"
#include "sd_peer.h"

struct export_desc;
struct guard_board;
struct guard_pass;
struct sd_endpoint;
struct sd_import;

struct import_peer {
	struct import_peer *next;
	uint32_t num_imports;
	pid_t owner;				/**< importing process; a forked child connects anew */
	pid_t pid;				/**< of the exporter */
	uint64_t start_time, cookie;
	int socket;
	int pid_fd;				/**< readable when the process is dead; -1: the kernel has no pidfd */
	uint8_t is_far;				/**< reached by a tunnel: no board and no pass; the exporter copies */
	const struct guard_board *board;	/**< the exporter's board */
	uint32_t life;				/**< sign of life on the board; 0: none */
	struct guard_pass *pass;		/**< this process's pass; the exporter reads it */
	_Atomic uint8_t is_lost;		/**< a reply was missing or invalid; all later requests fail */
	_Atomic uint8_t must_ask;		/**< the kernel forbids direct access; the exporter copies */
	pthread_mutex_t lock;			/**< held during one request and its reply */
	struct sd_peer device_peer;
	struct import_reader reader;
};

/**
 * Returns the connection to the exporting process; connects if there is none. endpoint: of an exporter that may be on another
 * host, else NULL. INVALID_VALUE: no such process; NO_MEMORY, OPERATING_SYSTEM.
 */
doca_error_t import_peer_acquire(const struct export_desc *desc, const struct sd_endpoint *endpoint, struct import_peer **peer);
void import_peer_release(struct import_peer *peer);

/** Asks the exporter if the described export is valid and has this key. Returns SUCCESS or INVALID_VALUE. */
doca_error_t import_peer_check(struct import_peer *peer, const struct export_desc *desc, uint64_t key);

/** Copies directly; the caller holds the export by its pass. NOT_PERMITTED: only the exporter can copy; IO_FAILED. */
doca_error_t import_peer_access(struct import_peer *peer, uint64_t addr, void *here, size_t len, uint8_t is_write);
/** Asks the exporter to copy. IO_FAILED. */
doca_error_t import_peer_ask(struct sd_import *import, uint64_t via, uint64_t addr, void *here, size_t len, uint8_t is_write);

/**
 * Sends a request, waits for its reply and receives the reply's data. Takes the peer's lock. IO_FAILED: no valid reply in time.
 */
struct link_request;
doca_error_t import_peer_call(struct import_peer *peer, const struct link_request *request, const void *out, size_t out_len,
			      void *in, size_t in_len, int send_fd, int *receive_fd);

#endif
