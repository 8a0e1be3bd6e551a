#ifndef SD_REASON_H
#define SD_REASON_H

/** Size in bytes of the reason for an invalid value, with the final NUL. */
enum { SD_REASON_SIZE = 256 };

#endif
