/* Devices, for the rest of the software DPU. Thread: any. */
#ifndef SD_DEV_H
#define SD_DEV_H

#include <stdint.h>

#include "doca_dev.h"
#include "sd_profile.h"

/** Returns the profile of the card that a device belongs to; never NULL. */
const struct sd_profile *sd_devinfo_profile(const struct doca_devinfo *devinfo);

/** Returns true for a device on the DPU side of the card, false for the host side. */
uint8_t sd_devinfo_is_dpu_side(const struct doca_devinfo *devinfo);

/** Holds an opened device for a context or a map: doca_dev_close() returns IN_USE until sd_dev_release(). */
void sd_dev_hold(struct doca_dev *dev);
void sd_dev_release(struct doca_dev *dev);

#endif
