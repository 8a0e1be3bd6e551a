#include "doca_abi.h"
#include "dpubridge.h"

/* The caller's arguments stay where the calling convention puts them; nobody reads them. */
int32_t dpubridge_absent(void)
{
	return DOCA_ERROR_NOT_SUPPORTED;
}
