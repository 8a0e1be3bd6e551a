/* Network addresses of the devices of the card, on both of its sides. Thread: any. */
#ifndef SD_ADDRESS_H
#define SD_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

enum { SD_ADDRESS_LEN = 16 };

/**
 * Finds the devices with an IPv6 address or GID; IPv4 addresses are mapped (::ffff:a.b.c.d). A loopback address, and the
 * address of the settings for TCP, name all devices. Writes at most max VHCA ids and returns their number.
 */
size_t sd_address_find(const uint8_t address[SD_ADDRESS_LEN], uint16_t *vhca_ids, size_t max);

/** Writes the address of a device of the card: that of the settings for TCP, else the mapped IPv4 address, else the GID. */
void sd_address_of(uint16_t vhca_id, uint8_t address[SD_ADDRESS_LEN]);

#endif
