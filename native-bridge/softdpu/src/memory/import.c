#include "import.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export_desc.h"
#include "guard.h"
#include "import_peer.h"
#include "remote_desc.h"
#include "sd_config.h"
#include "sd_memory.h"

/* The withdrawal of an export waits for accesses in progress. This limit, in bytes, bounds each access. */
enum { MAX_CHUNK = 4 << 20 };

static uint8_t is_own(const struct export_desc *desc)
{
	const struct export_identity *own = export_identity();

	return own != NULL && desc->pid == (uint32_t)own->pid && desc->start_time == own->start_time &&
	       desc->cookie == own->cookie;
}

static doca_error_t open_own(const struct export_desc *desc, struct sd_import *import)
{
	const struct export claim = {
		.slot = desc->slot,
		.generation = desc->generation,
		.addr = desc->addr,
		.len = desc->len,
		.permissions = desc->permissions,
		.key = import->key,
	};

	if (!export_is_valid_as(&claim))
		return DOCA_ERROR_INVALID_VALUE;
	import->board = export_board(NULL);
	import->pass = export_own_pass();
	return DOCA_SUCCESS;
}

static doca_error_t open_foreign(const struct export_desc *desc, const struct remote_desc *remote, struct sd_import *import)
{
	doca_error_t result = import_peer_acquire(desc, remote == NULL ? NULL : &remote->endpoint, &import->peer);

	if (result != DOCA_SUCCESS)
		return result;
	result = import_peer_check(import->peer, desc, import->key);
	if (result != DOCA_SUCCESS) {
		import_peer_release(import->peer);
		return result;
	}
	import->board = import->peer->board;
	import->pass = import->peer->pass;
	return DOCA_SUCCESS;
}

doca_error_t import_open(const struct export_desc *desc, const struct remote_desc *remote, struct sd_import **import)
{
	struct sd_import *i = calloc(1, sizeof(*i));
	doca_error_t result;

	if (i == NULL)
		return DOCA_ERROR_NO_MEMORY;
	i->slot = desc->slot;
	i->generation = desc->generation;
	i->addr = desc->addr;
	i->len = desc->len;
	i->key = remote == NULL ? 0 : remote->key;
	result = is_own(desc) ? open_own(desc, i) : open_foreign(desc, remote, i);
	if (result == DOCA_SUCCESS)
		*import = i;
	else
		free(i);
	return result;
}

void import_close(struct sd_import *import)
{
	if (import->peer != NULL)
		import_peer_release(import->peer);
	free(import);
}

static doca_error_t access_own(uint64_t addr, void *here, size_t len, uint8_t is_write)
{
	void *there = (void *)(uintptr_t)addr;

	if (is_write)
		memmove(there, here, len);
	else
		memmove(here, there, len);
	return DOCA_SUCCESS;
}

/* Accesses memory under a hold, so the exporter cannot withdraw the export during the access. */
static doca_error_t access_guarded(struct sd_import *import, uint64_t addr, void *here, size_t len, uint8_t is_write)
{
	unsigned int hold = guard_enter(import->pass, import->generation);
	doca_error_t result = DOCA_ERROR_IO_FAILED;

	if (guard_is_valid(import->board, import->slot, import->generation))
		result = import->peer == NULL ? access_own(addr, here, len, is_write) :
						import_peer_access(import->peer, addr, here, len, is_write);
	guard_leave(import->pass, hold);
	return result;
}

static enum sd_rdma_path path_of(const struct sd_import *import)
{
	return import->key == 0 ? SD_RDMA_AUTO : sd_config()->rdma_path;
}

/* Accesses one chunk of another process's memory. The thread may have to wait for that process. */
static doca_error_t access_foreign(struct sd_import *import, uint64_t via, uint64_t addr, void *here, size_t len, uint8_t is_write)
{
	enum sd_peer_wait wait = sd_peer_enter(&import->peer->device_peer);
	doca_error_t result = DOCA_ERROR_NOT_PERMITTED;

	if (wait == SD_PEER_NONE)
		return DOCA_ERROR_IO_FAILED;
	if (wait == SD_PEER_ANY && import->board != NULL && path_of(import) != SD_RDMA_UNIX)
		result = access_guarded(import, addr, here, len, is_write);
	/* If the kernel forbids the access, the exporter accesses its memory itself, under its own hold. */
	if (result == DOCA_ERROR_NOT_PERMITTED && path_of(import) == SD_RDMA_DIRECT)
		result = DOCA_ERROR_IO_FAILED;
	if (result == DOCA_ERROR_NOT_PERMITTED)
		result = import_peer_ask(import, via, addr, here, len, is_write);
	sd_peer_leave();
	return result;
}

static doca_error_t access_all(struct sd_import *import, uint64_t via, uint64_t addr, void *here, size_t len, uint8_t is_write)
{
	doca_error_t result = DOCA_SUCCESS;

	if (addr < import->addr || addr - import->addr > import->len || len > import->len - (addr - import->addr))
		return DOCA_ERROR_IO_FAILED;
	for (size_t done = 0; done < len && result == DOCA_SUCCESS;) {
		size_t part = len - done < MAX_CHUNK ? len - done : MAX_CHUNK;

		result = import->peer == NULL ? access_guarded(import, addr + done, (uint8_t *)here + done, part, is_write) :
						access_foreign(import, via, addr + done, (uint8_t *)here + done, part, is_write);
		done += part;
	}
	return result;
}

pid_t import_exporter(const struct sd_import *import)
{
	if (import->peer == NULL)
		return 0;
	return import->peer->is_far ? SD_EXPORTER_CHECKS : import->peer->pid;
}

uint8_t import_ends(const struct sd_import *import, pid_t pid, uint64_t *ends)
{
	if (import->peer == NULL || import->peer->pid != pid || import->board == NULL)
		return 0;
	*ends = atomic_load(&import->board->ends);
	return 1;
}

uint8_t import_is_held_up(const struct sd_import *import)
{
	return import->peer != NULL && sd_peer_holds_up(&import->peer->device_peer);
}

doca_error_t import_read(struct sd_import *import, uint64_t via, uint64_t addr, void *to, size_t len)
{
	return access_all(import, via, addr, to, len, 0);
}

doca_error_t import_write(struct sd_import *import, uint64_t via, uint64_t addr, const void *from, size_t len)
{
	return access_all(import, via, addr, (void *)(uintptr_t)from, len, 1);
}
