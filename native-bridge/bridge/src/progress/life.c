/* Creates and destroys bridges. */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/symbols.h"
#include "connection/connection.h"
#include "context/context.h"
#include "kind/load.h"
#include "ring/bridge.h"
#include "ring/overflow.h"

#define MAX_SUBMISSION_CAPACITY 65536u
#define MAX_COMPLETION_CAPACITY (1u << 24)
#define MAX_MESSAGE_CELLS 65536u
#define MAX_MESSAGE_BYTES 65536u

static bool is_power_of_two(uint32_t value)
{
	return value != 0 && (value & (value - 1)) == 0;
}

static bool are_capacities_valid(uint32_t submission_capacity, uint32_t completion_capacity)
{
	if (!is_power_of_two(submission_capacity) || submission_capacity < 2 ||
		 submission_capacity > MAX_SUBMISSION_CAPACITY)
		bridge_error_set("dpubridge_create: submission capacity %u is not a power of two from 2 to %u",
				 submission_capacity, MAX_SUBMISSION_CAPACITY);
	else if (!is_power_of_two(completion_capacity) || completion_capacity < 2 * submission_capacity ||
		 completion_capacity > MAX_COMPLETION_CAPACITY)
		bridge_error_set("dpubridge_create: completion capacity %u is not a power of two from %u to %u",
				 completion_capacity, 2 * submission_capacity, MAX_COMPLETION_CAPACITY);
	else
		return true;
	return false;
}

static bool are_cells_valid(uint32_t message_cells, uint32_t message_bytes)
{
	if (message_cells == 0)
		return true;
	if (!is_power_of_two(message_cells) || message_cells > MAX_MESSAGE_CELLS)
		bridge_error_set("dpubridge_create: number of message cells %u is not a power of two up to %u", message_cells,
				 MAX_MESSAGE_CELLS);
	else if (message_bytes == 0 || message_bytes % 64 != 0 || message_bytes > MAX_MESSAGE_BYTES)
		bridge_error_set("dpubridge_create: message cells of %u bytes: not a multiple of 64 up to %u", message_bytes,
				 MAX_MESSAGE_BYTES);
	else
		return true;
	return false;
}

static bool are_arguments_valid(const void *pe, const struct dpubridge_header *wanted)
{
	if (pe == NULL) {
		bridge_error_set("dpubridge_create: no progress engine");
		return false;
	}
	if (!bridge_load_is_done()) {
		bridge_error_set("dpubridge_create: no DOCA library loaded, call dpubridge_load first");
		return false;
	}
	return are_capacities_valid(wanted->submission_capacity, wanted->completion_capacity) &&
	       are_cells_valid(wanted->message_cells, wanted->message_bytes);
}

static bool map_memory(struct dpubridge *bridge, const struct dpubridge_header *wanted)
{
	uint64_t entries_bytes = (uint64_t)wanted->submission_capacity * sizeof(struct dpubridge_entry);
	uint64_t records_bytes = (uint64_t)wanted->completion_capacity * sizeof(struct dpubridge_record);
	uint64_t cells_bytes = (uint64_t)wanted->message_cells * wanted->message_bytes;
	uint8_t *memory;

	bridge->memory_bytes = BRIDGE_HEADER_BYTES + entries_bytes + records_bytes + cells_bytes;
	memory = mmap(NULL, bridge->memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		bridge_error_set("dpubridge_create: no memory for %llu bytes of rings and cells",
				 (unsigned long long)bridge->memory_bytes);
		return false;
	}
	bridge->header = (struct dpubridge_header *)memory;
	bridge->entries = (struct dpubridge_entry *)(memory + BRIDGE_HEADER_BYTES);
	bridge->records = (struct dpubridge_record *)(memory + BRIDGE_HEADER_BYTES + entries_bytes);
	bridge->cells = memory + BRIDGE_HEADER_BYTES + entries_bytes + records_bytes;
	*bridge->header = *wanted;
	bridge->task_room = wanted->completion_capacity - wanted->completion_capacity / 4;
	return true;
}

static bool open_descriptors(struct dpubridge *bridge)
{
	int status = bridge_doca.pe_get_notification_handle(bridge->pe, &bridge->pe_fd);

	if (status != DOCA_SUCCESS) {
		bridge_error_set("dpubridge_create: doca_pe_get_notification_handle: %s", bridge_doca.error_get_name(status));
		return false;
	}
	bridge->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (bridge->wake_fd < 0) {
		bridge_error_set("dpubridge_create: eventfd: %m");
		return false;
	}
	return true;
}

static void take_ownership(struct dpubridge *bridge)
{
	bridge->owner = bridge_thread();
	bridge->owner_tid = gettid();
	pthread_getname_np(pthread_self(), bridge->owner_name, sizeof(bridge->owner_name));
}

struct dpubridge *dpubridge_create(void *pe, uint32_t submission_capacity, uint32_t completion_capacity,
				   uint32_t message_cells, uint32_t message_bytes)
{
	const struct dpubridge_header wanted = {
		.layout_version = DPUBRIDGE_LAYOUT_VERSION,
		.submission_capacity = submission_capacity,
		.completion_capacity = completion_capacity,
		.message_cells = message_cells,
		.message_bytes = message_cells == 0 ? 0 : message_bytes,
	};
	struct dpubridge *bridge;

	if (!are_arguments_valid(pe, &wanted))
		return NULL;
	bridge = aligned_alloc(alignof(struct dpubridge), sizeof(*bridge));
	if (bridge == NULL) {
		bridge_error_set("dpubridge_create: no memory");
		return NULL;
	}
	memset(bridge, 0, sizeof(*bridge));
	bridge->pe = pe;
	take_ownership(bridge);
	if (!map_memory(bridge, &wanted)) {
		free(bridge);
		return NULL;
	}
	if (!open_descriptors(bridge)) {
		munmap(bridge->header, bridge->memory_bytes);
		free(bridge);
		return NULL;
	}
	bridge_overflow_init(bridge);
	bridge_load_hold();
	return bridge;
}

int dpubridge_destroy(struct dpubridge *bridge)
{
	if (bridge == NULL)
		return 0;
	if (!bridge_require_owner(bridge, "dpubridge_destroy"))
		return -1;
	if (bridge->contexts.num_attached != 0) {
		bridge_error_set("dpubridge_destroy: %u contexts are still attached", bridge->contexts.num_attached);
		return -1;
	}
	bridge_overflow_fini(bridge);
	bridge_contexts_fini(bridge);
	bridge_connections_fini(bridge);
	close(bridge->wake_fd);
	munmap(bridge->header, bridge->memory_bytes);
	free(bridge);
	bridge_load_release();
	return 0;
}
