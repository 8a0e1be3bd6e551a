#include "sd_secret.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "sd_log.h"

enum { MAX_DRAWS = 100 };	/* a signal interrupts some draws of a system that has just started */

doca_error_t sd_secret_draw(uint64_t *number)
{
	int cause = EIO;

	for (int i = 0; i < MAX_DRAWS; i++) {
		ssize_t len = getrandom(number, sizeof(*number), 0);

		if (len == sizeof(*number) && *number != 0)
			return DOCA_SUCCESS;
		cause = len < 0 ? errno : EIO;
		if (len < 0 && cause != EINTR)
			break;
	}
	SD_LOG_ERROR("getrandom: %s (%d)", strerror(cause), cause);
	return DOCA_ERROR_DRIVER;
}
