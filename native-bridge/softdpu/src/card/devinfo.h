/*
 * Descriptions of devices and representors.
 */
#ifndef DEVINFO_H
#define DEVINFO_H

#include "card.h"

/** Part of a list, or of an opened device. */
struct doca_devinfo {
	const struct card_function *function;
};

/** Part of a list, or of an opened representor; describes a function of the host. */
struct doca_devinfo_rep {
	const struct card_function *function;
};

/** Copies a string into a buffer of the program. INVALID_VALUE: a pointer is NULL, or size is below least. */
doca_error_t devinfo_copy_string(const char *string, char *out, uint32_t size, uint32_t least);

#endif
