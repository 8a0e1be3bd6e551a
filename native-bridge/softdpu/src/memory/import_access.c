/* Accesses the memory of an exporting process. Hardware threads. */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/uio.h>

#include "guard.h"
#include "import.h"
#include "import_peer.h"
#include "link.h"
#include "sd_log.h"

/*
 * Returns true if the exporting process exists and still runs the same program. Without its sign of life, its socket closes at
 * exec(), and the process id is not reused before its death.
 */
static uint8_t is_alive(const struct import_peer *peer)
{
	struct pollfd signs[2] = { { .fd = peer->socket }, { .fd = peer->pid_fd, .events = POLLIN } };

	return peer->life != 0 ? guard_lives(peer->board, peer->life) : poll(signs, 2, 0) == 0;
}

static doca_error_t refused(struct import_peer *peer, int error)
{
	if (error != EPERM && error != ENOSYS)
		return DOCA_ERROR_IO_FAILED;
	if (!atomic_exchange(&peer->must_ask, 1))
		SD_LOG_INFO("the kernel forbids access to the memory of process %d: its service thread copies instead",
			    (int)peer->pid);
	return DOCA_ERROR_NOT_PERMITTED;
}

doca_error_t import_peer_access(struct import_peer *peer, uint64_t addr, void *here, size_t len, uint8_t is_write)
{
	struct iovec local = { here, len }, remote = { (void *)(uintptr_t)addr, len };
	ssize_t done;

	if (atomic_load(&peer->must_ask))
		return DOCA_ERROR_NOT_PERMITTED;
	if (!is_alive(peer))
		return DOCA_ERROR_IO_FAILED;
	done = is_write ? process_vm_writev(peer->pid, &local, 1, &remote, 1, 0) :
			  process_vm_readv(peer->pid, &local, 1, &remote, 1, 0);
	if (done < 0)
		return refused(peer, errno);
	/*
	 * The exporter may have ended during the copy, and its process id may belong to another process. Then the data is
	 * invalid.
	 */
	return (size_t)done == len && is_alive(peer) ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

doca_error_t import_peer_ask(struct sd_import *import, uint64_t via, uint64_t addr, void *here, size_t len, uint8_t is_write)
{
	struct link_request request = {
		.magic = LINK_MAGIC,
		.verb = is_write ? LINK_WRITE : LINK_READ,
		.cookie = import->peer->cookie,
		.generation = import->generation,
		.key = import->key,
		.via = via,
		.slot = import->slot,
	};
	doca_error_t result = DOCA_SUCCESS;

	for (size_t done = 0; done < len && result == DOCA_SUCCESS; done += request.len) {
		uint8_t *part = (uint8_t *)here + done;

		request.addr = addr + done;
		request.len = len - done < LINK_MAX_DATA ? len - done : LINK_MAX_DATA;
		result = is_write ? import_peer_call(import->peer, &request, part, request.len, NULL, 0, -1, NULL) :
				    import_peer_call(import->peer, &request, NULL, 0, part, request.len, -1, NULL);
	}
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}
