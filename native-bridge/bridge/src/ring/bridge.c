/* The data of a bridge that each part uses: its owner, its losses, its wake-up, its memory. */
#include "ring/bridge.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"

bool bridge_require_owner(const struct dpubridge *bridge, const char *function)
{
	char name[16] = "";

	if (bridge_is_owner(bridge))
		return true;
	pthread_getname_np(pthread_self(), name, sizeof(name));
	bridge_error_set("%s: called by thread '%s' (%d), but the bridge belongs to thread '%s' (%d)", function, name,
			 (int)gettid(), bridge->owner_name, (int)bridge->owner_tid);
	return false;
}

void bridge_lose(struct dpubridge *bridge, const char *reason)
{
	const char *none = NULL;

	atomic_compare_exchange_strong(&bridge->loss, &none, reason);
}

void *dpubridge_memory(struct dpubridge *bridge)
{
	return bridge->header;
}

uint64_t dpubridge_memory_bytes(const struct dpubridge *bridge)
{
	return bridge->memory_bytes;
}

void bridge_signal(struct dpubridge *bridge, uint32_t bit)
{
	/* The result is irrelevant: a full eventfd is readable as well. */
	if (atomic_fetch_or_explicit(&bridge->wake_bits, bit, memory_order_acq_rel) == BRIDGE_ASLEEP)
		(void)eventfd_write(bridge->wake_fd, 1);
}

void dpubridge_wake(struct dpubridge *bridge)
{
	bridge_signal(bridge, BRIDGE_WAKE_CALLED);
}
