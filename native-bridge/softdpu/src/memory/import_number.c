/*
 * Imports of one number. If the kernel permits it, a read is one system call, which copies an aligned 64-bit number in one
 * piece. Only the exporting process changes the number.
 */
#include <stdatomic.h>

#include "export_desc.h"
#include "guard.h"
#include "import.h"
#include "import_peer.h"
#include "link.h"
#include "number.h"

/* Reads the number under a hold, so the exporter cannot withdraw it during the read. */
static doca_error_t load_guarded(struct sd_import *import, uint64_t *value)
{
	unsigned int hold = guard_enter(import->pass, import->generation);
	doca_error_t result = DOCA_ERROR_IO_FAILED;

	if (guard_is_valid(import->board, import->slot, import->generation)) {
		if (import->peer != NULL) {
			result = import_peer_access(import->peer, import->addr, value, sizeof(*value), 0);
		} else {
			*value = number_load((void *)(uintptr_t)import->addr);
			result = DOCA_SUCCESS;
		}
	}
	guard_leave(import->pass, hold);
	return result;
}

/* Only threads that the device can replace may wait inside the kernel for another process. */
static doca_error_t load(struct sd_import *import, uint64_t *value, uint8_t may_block)
{
	if (import->peer == NULL)
		return load_guarded(import, value);
	if (atomic_load(&import->peer->must_ask))
		return DOCA_ERROR_NOT_PERMITTED;
	return import_reader_load(&import->peer->reader, import, load_guarded, value, may_block);
}

doca_error_t import_load(struct sd_import *import, uint64_t via, uint64_t *value)
{
	doca_error_t result;

	if (import->peer != NULL && sd_peer_is_replaceable())
		return import_read(import, via, import->addr, value, sizeof(*value));
	result = load(import, value, 1);
	if (result == DOCA_ERROR_NOT_PERMITTED)
		result = import_peer_ask(import, via, import->addr, value, sizeof(*value), 0);
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

doca_error_t import_peek(struct sd_import *import, uint64_t *value)
{
	return load(import, value, 0);
}

doca_error_t import_load_last(struct sd_import *import, uint64_t *value)
{
	uint8_t is_known = import->board != NULL && guard_read_last(import->board, import->slot, import->generation, value);

	return is_known ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

static doca_error_t change_own(struct sd_import *import, uint64_t addr, const struct number_change *change, uint64_t *before)
{
	const struct export_access access = {
		.slot = import->slot,
		.generation = import->generation,
		.key = import->key,
		.addr = addr,
	};
	unsigned int hold = guard_enter(import->pass, import->generation);
	uint8_t is_granted = export_grants_change(&access);

	if (is_granted)
		*before = number_apply((void *)(uintptr_t)addr, change);
	guard_leave(import->pass, hold);
	return is_granted ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

static doca_error_t change_foreign(struct import_peer *peer, const struct link_request *request, uint64_t *before)
{
	doca_error_t result;

	if (sd_peer_enter(&peer->device_peer) == SD_PEER_NONE)
		return DOCA_ERROR_IO_FAILED;
	result = import_peer_call(peer, request, NULL, 0, before, sizeof(*before), -1, NULL);
	sd_peer_leave();
	return result;
}

doca_error_t import_change(struct sd_import *import, uint64_t via, uint64_t addr, const struct number_change *change,
			   uint64_t *before)
{
	struct link_request request = {
		.magic = LINK_MAGIC,
		.verb = LINK_CHANGE,
		.generation = import->generation,
		.addr = addr,
		.key = import->key,
		.via = via,
		.operand = change->operand,
		.compared = change->compared,
		.slot = import->slot,
		.change = change->verb,
	};
	doca_error_t result;

	if (import->peer == NULL) {
		result = change_own(import, addr, change, before);
	} else {
		request.cookie = import->peer->cookie;
		result = change_foreign(import->peer, &request, before);
	}
	if (result != DOCA_SUCCESS)
		return DOCA_ERROR_IO_FAILED;
	number_changed();
	return DOCA_SUCCESS;
}
