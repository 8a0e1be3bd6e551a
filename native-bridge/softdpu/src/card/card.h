/*
 * The card: its PCI functions on the DPU side and on the host side, all constant. SOFTDPU_ROLE selects the sides that a process
 * sees.
 */
#ifndef CARD_H
#define CARD_H

#include <stddef.h>
#include <stdint.h>

#include "doca_dev.h"
#include "sd_config.h"

struct card_function {
	enum card_side side;
	const char *pci_addr;			/**< with domain */
	enum doca_pci_func_type type;
	const char *ibdev_name;
	const char *iface_name;
	uint16_t vhca_id;
	uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE];
	uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE];	/**< all zero: no address */
	const char *vuid;
	const char *rep_iface_name;		/**< host functions: the interface on the DPU that carries their traffic */
	uint8_t port;				/**< 0 or 1; a port's DPU function has its host representors */
};

/** Returns all functions of the card, DPU side first, and sets their number. */
const struct card_function *card_functions(size_t *count);

enum { CARD_MAX_FUNCTIONS = 8 };

/**
 * Compares the PCI address pci_addr with text, written with or without domain (then domain 0). INVALID_VALUE: not an address.
 */
doca_error_t card_compare_pci_addr(const char *pci_addr, const char *text, uint8_t *is_equal);

/** Rate of a port in bits per second. */
#define CARD_ACTIVE_RATE UINT64_C(200000000000)

#endif
