/*
 * Opening and closing. One lock for all devices: they are shared by all threads, and this is no hot path.
 */
#include "dev.h"

#include <assert.h>
#include <pthread.h>

#include "sd_census.h"
#include "sd_log.h"
#include "sd_memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_dev devices[CARD_MAX_FUNCTIONS];

doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
	struct doca_dev *d;
	size_t count;

	if (devinfo == NULL || dev == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	d = &devices[devinfo->function - card_functions(&count)];
	pthread_mutex_lock(&lock);
	d->info.function = devinfo->function;
	d->num_opens++;
	pthread_mutex_unlock(&lock);
	sd_census_add(SD_CENSUS_DEVICES, 1);
	*dev = d;
	return DOCA_SUCCESS;
}

static doca_error_t close_locked(struct doca_dev *dev)
{
	if (dev->num_opens == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (dev->num_opens == 1 && dev->num_holds > 0)
		return DOCA_ERROR_IN_USE;
	dev->num_opens--;
	return DOCA_SUCCESS;
}

doca_error_t doca_dev_close(struct doca_dev *dev)
{
	doca_error_t result;

	if (dev == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	result = close_locked(dev);
	pthread_mutex_unlock(&lock);
	if (result == DOCA_SUCCESS)
		sd_census_add(SD_CENSUS_DEVICES, -1);
	else
		SD_LOG_INFO("device %s stays open: %s", dev->info.function->pci_addr, doca_error_get_descr(result));
	return result;
}

struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
	return dev == NULL ? NULL : (struct doca_devinfo *)&dev->info;
}

doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
	return dev == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

uint8_t dev_is_open(const struct doca_dev *dev)
{
	uint8_t is_open;

	pthread_mutex_lock(&lock);
	is_open = dev->num_opens > 0;
	pthread_mutex_unlock(&lock);
	return is_open;
}

void sd_dev_hold(struct doca_dev *dev)
{
	pthread_mutex_lock(&lock);
	dev->num_holds++;
	pthread_mutex_unlock(&lock);
}

void sd_dev_release(struct doca_dev *dev)
{
	pthread_mutex_lock(&lock);
	assert(dev->num_holds > 0);
	dev->num_holds--;
	pthread_mutex_unlock(&lock);
}
