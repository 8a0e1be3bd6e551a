/* Opened devices. All opens of a function share one device. */
#ifndef DEV_H
#define DEV_H

#include "devinfo.h"

struct doca_dev {
	struct doca_devinfo info;
	uint32_t num_opens;	/**< opens without doca_dev_close() */
	uint32_t num_holds;	/**< contexts and memory maps that use the device */
};

/** Returns whether the device is open. */
uint8_t dev_is_open(const struct doca_dev *dev);

#endif
