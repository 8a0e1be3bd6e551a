/* Asks the library of RDMA connections about an access. Thread: any. */
#include <stdatomic.h>
#include <stddef.h>

#include "export.h"
#include "sd_memory.h"

static uint8_t (*_Atomic connection_permits)(uint64_t via, uint32_t permission);

void sd_memory_ask_connections(uint8_t (*permits)(uint64_t via, uint32_t permission))
{
	atomic_store(&connection_permits, permits);
}

uint8_t export_connection_permits(uint64_t via, uint32_t permission)
{
	uint8_t (*permits)(uint64_t via, uint32_t permission) = atomic_load(&connection_permits);

	return permits != NULL && permits(via, permission);
}
