#include "doca_abi.h"
#include "dpubridge.h"

/* Declares no parameters: the calling convention leaves the caller's arguments in place, and this function reads none. */
int32_t dpubridge_absent(void)
{
	return DOCA_ERROR_NOT_SUPPORTED;
}
