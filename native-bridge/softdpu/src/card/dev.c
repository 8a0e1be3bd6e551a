/* Opens and closes devices. All threads share the devices; one lock is enough, because calls are rare. */
#include "dev.h"

#include <assert.h>
#include <pthread.h>

#include "sd_census.h"
#include "sd_config.h"
#include "sd_log.h"
#include "sd_dev.h"
#include "sd_quirk.h"
#include "sd_shape.h"

enum { MAX_DISTINCT = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_dev devices[CARD_MAX_FUNCTIONS];
static struct doca_dev distinct[MAX_DISTINCT]; /* quirk Q9 */

/* The lock must be held. Returns NULL at the limit of devices. */
static struct doca_dev *find_device(const struct card_function *function)
{
	size_t count;

	if (!sd_quirk_is_on(SD_QUIRK_DISTINCT_OPENS))
		return &devices[function - card_functions(&count)];
	for (int i = 0; i < MAX_DISTINCT; i++) {
		if (distinct[i].num_opens == 0)
			return &distinct[i];
	}
	return NULL;
}

doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
	struct doca_dev *d;

	if (devinfo == NULL || dev == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	sd_config(); /* loads the quirks of the environment */
	pthread_mutex_lock(&lock);
	d = find_device(devinfo->function);
	if (d != NULL) {
		d->info.function = devinfo->function;
		d->num_opens++;
	}
	pthread_mutex_unlock(&lock);
	if (d == NULL)
		return DOCA_ERROR_NO_MEMORY;
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
		return DOCA_SUCCESS;
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

SD_ABSENT(doca_dev_accelerate_resource_reclaim, struct doca_dev)

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
