/* Objects that most tests need. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <string.h>

#include "check.h"
#include "doca_buf_inventory.h"
#include "doca_dev.h"
#include "doca_mmap.h"
#include "softdpu.h"

/** Opens the device with this PCI address. */
__attribute__((unused)) static struct doca_dev *open_device(const char *pci_addr)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;
	uint8_t is_equal;

	CHECK_OK(doca_devinfo_create_list(&list, &count));
	for (i = 0; i < count && dev == NULL; i++) {
		CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal));
		if (is_equal)
			CHECK_OK(doca_dev_open(list[i], &dev));
	}
	CHECK_OK(doca_devinfo_destroy_list(list));
	CHECK(dev != NULL);
	return dev;
}

/** Creates a map of this memory for dev, with these permissions; not started. */
__attribute__((unused)) static struct doca_mmap *make_map(struct doca_dev *dev, void *addr, size_t len,
							   uint32_t permissions)
{
	struct doca_mmap *mmap;

	CHECK_OK(doca_mmap_create(&mmap));
	CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
	CHECK_OK(doca_mmap_add_dev(mmap, dev));
	CHECK_OK(doca_mmap_set_permissions(mmap, permissions));
	return mmap;
}

__attribute__((unused)) static struct doca_mmap *start_map(struct doca_dev *dev, void *addr, size_t len)
{
	struct doca_mmap *mmap = make_map(dev, addr, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);

	CHECK_OK(doca_mmap_start(mmap));
	return mmap;
}

__attribute__((unused)) static struct doca_buf_inventory *start_inventory(size_t num_elements)
{
	struct doca_buf_inventory *inventory;

	CHECK_OK(doca_buf_inventory_create(num_elements, &inventory));
	CHECK_OK(doca_buf_inventory_start(inventory));
	return inventory;
}

/** Checks that no object exists any more. */
__attribute__((unused)) static void check_census_empty(void)
{
	static const struct softdpu_census empty;
	struct softdpu_census census;

	softdpu_census(&census);
	CHECK(memcmp(&census, &empty, sizeof(empty)) == 0);
}

#endif
