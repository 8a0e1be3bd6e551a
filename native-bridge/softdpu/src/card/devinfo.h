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

/** Defines a function that copies a string of the function behind a description. */
#define DEVINFO_STRING(name, info_type, member, least)                                  \
	doca_error_t name(const struct info_type *info, char *text, uint32_t size)      \
	{                                                                               \
		if (info == NULL || text == NULL)                                       \
			return DOCA_ERROR_INVALID_VALUE;                                \
		return devinfo_copy_string(info->function->member, text, size, least);  \
	}

/** Defines the functions that return and compare the PCI address behind a description. */
#define DEVINFO_PCI_ADDR(prefix, info_type, size)                                                                   \
	doca_error_t prefix##_get_pci_addr_str(const struct info_type *info, char *text)                            \
	{                                                                                                           \
		if (info == NULL || text == NULL)                                                                   \
			return DOCA_ERROR_INVALID_VALUE;                                                            \
		return devinfo_copy_string(info->function->pci_addr, text, size, size);                             \
	}                                                                                                           \
	doca_error_t prefix##_is_equal_pci_addr(const struct info_type *info, const char *text, uint8_t *is_equal)  \
	{                                                                                                           \
		if (info == NULL || text == NULL || is_equal == NULL)                                               \
			return DOCA_ERROR_INVALID_VALUE;                                                            \
		return card_compare_pci_addr(info->function->pci_addr, text, is_equal);                             \
	}

#endif
