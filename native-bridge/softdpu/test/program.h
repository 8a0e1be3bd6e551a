/* Common functions of the plain DOCA programs, which use only the SDK. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdio.h>
#include <stdlib.h>

#include <doca_dev.h>
#include <doca_error.h>

#define MUST(call)                                                                                  \
	do {                                                                                        \
		doca_error_t must = (call);                                                         \
		if (must != DOCA_SUCCESS) {                                                         \
			fprintf(stderr, "%s: %s\n", #call, doca_error_get_descr(must));             \
			exit(EXIT_FAILURE);                                                         \
		}                                                                                   \
	} while (0)

/* Opens the first device with this address that suits; NULL: any address, any device. */
static struct doca_dev *open_device(const char *address, doca_error_t (*suits)(const struct doca_devinfo *))
{
	struct doca_devinfo **list;
	struct doca_dev *opened = NULL;
	uint32_t num, i;
	uint8_t is_equal = 1;

	MUST(doca_devinfo_create_list(&list, &num));
	for (i = 0; i < num && opened == NULL; i++) {
		if (address != NULL)
			MUST(doca_devinfo_is_equal_pci_addr(list[i], address, &is_equal));
		if (is_equal && (suits == NULL || suits(list[i]) == DOCA_SUCCESS))
			MUST(doca_dev_open(list[i], &opened));
	}
	MUST(doca_devinfo_destroy_list(list));
	if (opened == NULL) {
		fprintf(stderr, "no suitable device\n");
		exit(EXIT_FAILURE);
	}
	return opened;
}

#endif
