/*
 * Opened devices. A function is one device, however often it is opened.
 */
#ifndef DEV_H
#define DEV_H

#include "devinfo.h"

struct doca_dev {
	struct doca_devinfo info;
	uint32_t num_opens;	/**< doca_dev_open() without doca_dev_close() */
	uint32_t num_holds;	/**< contexts and memory maps */
};

/** Whether the device is open. */
uint8_t dev_is_open(const struct doca_dev *dev);

#endif
