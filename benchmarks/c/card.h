/* Devices and representors, selected by PCI address or as the first suitable one. */
#ifndef CARD_H
#define CARD_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>

/** Returns whether a device has the required capability. */
typedef bool card_suits_t(const struct doca_devinfo *info);

card_suits_t card_serves;	/* comch server */
card_suits_t card_connects;	/* comch client */

/**
 * Opens the device with this address, or the first suitable one if address is NULL. On failure prints an error that names the
 * wanted capability, and returns NULL.
 */
struct doca_dev *card_open(const char *address, card_suits_t *suits, const char *wanted);
/** Returns whether the device deflates sources and destinations of this size; otherwise prints an error. */
bool card_deflates_bytes(const struct doca_dev *dev, uint64_t len);
/**
 * Opens the representor with this address, or the device's first one if address is NULL. On failure prints an error and returns
 * NULL.
 */
struct doca_dev_rep *card_open_representor(struct doca_dev *dev, const char *address);
/** Closes a device; NULL is allowed. On failure prints an error and returns false. */
bool card_close(struct doca_dev *dev);
bool card_close_representor(struct doca_dev_rep *rep);

#endif
