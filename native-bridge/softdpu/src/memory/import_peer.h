/*
 * The importing end of a link: one per exporting process, shared by all imports from it, gone with the last of them.
 */
#ifndef IMPORT_PEER_H
#define IMPORT_PEER_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_error.h"
#include "sd_peer.h"

struct export_desc;
struct guard_board;
struct guard_pass;
struct sd_import;

struct import_peer {
	struct import_peer *next;
	uint32_t num_imports;
	pid_t pid;
	uint64_t start_time, cookie;
	int socket;
	int pid_fd;				/**< readable when the process is dead; -1: this kernel has none */
	const struct guard_board *board;	/**< the exporter's */
	struct guard_pass *pass;		/**< ours; the exporter looks at it */
	_Atomic uint8_t is_lost;		/**< an answer did not come: nothing is believed any more */
	_Atomic uint8_t must_ask;		/**< this process may not reach into the other */
	pthread_mutex_t lock;			/**< one request at a time */
	struct sd_peer device_peer;
};

/** Connect, or use the connection that there is. INVALID_VALUE: there is no such process; NO_MEMORY, OPERATING_SYSTEM. */
doca_error_t import_peer_acquire(const struct export_desc *desc, struct import_peer **peer);
void import_peer_release(struct import_peer *peer);

/** Whether the exporter exports what is described: SUCCESS or INVALID_VALUE. */
doca_error_t import_peer_check(struct import_peer *peer, const struct export_desc *desc);

/** Copy, holding the pass. NOT_PERMITTED: the exporter has to be asked; IO_FAILED. */
doca_error_t import_peer_access(struct import_peer *peer, uint64_t addr, void *here, size_t len, uint8_t is_write);
/** Have the exporter copy. IO_FAILED. */
doca_error_t import_peer_ask(struct sd_import *import, uint64_t addr, void *here, size_t len, uint8_t is_write);

/** Send a request, wait for its reply and take what comes with it; the peer's lock is taken. IO_FAILED: no reply in time. */
struct link_request;
doca_error_t import_peer_call(struct import_peer *peer, const struct link_request *request, const void *out, size_t out_len,
			      void *in, size_t in_len, int send_fd, int *receive_fd);

#endif
