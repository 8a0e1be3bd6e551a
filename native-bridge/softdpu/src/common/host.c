#include "sd_host.h"

static __thread uint32_t current;

uint32_t sd_host_enter(uint32_t host)
{
	uint32_t previous = current;

	current = host;
	return previous;
}

uint32_t sd_host_current(void)
{
	return current;
}
