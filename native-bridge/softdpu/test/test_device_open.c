/*
 * A device can be opened several times and needs as many closes. The description of a device outlives the list; its users keep
 * it open.
 */
#include "objects.h"
#include "sd_memory.h"

int main(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev, *again, *other;
	struct softdpu_census census;
	uint32_t count;
	uint8_t equal;

	CHECK_OK(doca_devinfo_create_list(&list, &count));
	CHECK_ERROR(doca_dev_open(NULL, &dev), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dev_open(list[0], NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dev_open(list[0], &dev));
	CHECK_OK(doca_dev_open(list[0], &again));
	CHECK_OK(doca_dev_open(list[1], &other));
	CHECK(dev == again && dev != other);
	CHECK_OK(doca_devinfo_destroy_list(list));
	softdpu_census(&census);
	CHECK_EQ(census.devices, 3);

	CHECK_OK(doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(dev), "03:00.0", &equal));
	CHECK(equal);
	CHECK(doca_dev_as_devinfo(NULL) == NULL);

	sd_dev_hold(dev);
	CHECK_OK(doca_dev_close(dev));
	CHECK_ERROR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(dev), "03:00.0", &equal));
	sd_dev_release(dev);
	CHECK_OK(doca_dev_close(dev));
	CHECK_ERROR(doca_dev_close(dev), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dev_close(NULL)); /* like free(): programs may close at exit without a check */
	CHECK_ERROR(doca_dev_accelerate_resource_reclaim(other), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_dev_accelerate_resource_reclaim(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_dev_close(other));
	check_census_empty();
	return 0;
}
