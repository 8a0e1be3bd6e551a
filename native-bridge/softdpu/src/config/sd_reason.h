#ifndef SD_REASON_H
#define SD_REASON_H

/** Size in bytes of a text that says why a value is invalid, with the final NUL. */
enum { SD_REASON_SIZE = 256 };

#endif
