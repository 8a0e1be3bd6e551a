/*
 * Devices and representors, by PCI address or the first that suits.
 */
#ifndef CARD_H
#define CARD_H

#include <stdbool.h>

#include <doca_dev.h>

/** Whether a device can do what it is wanted for. */
typedef bool card_suits_t(const struct doca_devinfo *info);

card_suits_t card_serves;	/* comch server */
card_suits_t card_connects;	/* comch client */
card_suits_t card_deflates;	/* compress context, deflate tasks */
card_suits_t card_copies;	/* DMA context */

/** The device with this address; without one the first that suits. NULL on failure, which was printed with what was wanted. */
struct doca_dev *card_open(const char *address, card_suits_t *suits, const char *wanted);
/** The representor with this address; without one the device's first. NULL on failure; printed. */
struct doca_dev_rep *card_open_representor(struct doca_dev *dev, const char *address);
/** NULL is allowed. False when it would not go; printed. */
bool card_close(struct doca_dev *dev);
bool card_close_representor(struct doca_dev_rep *rep);

#endif
