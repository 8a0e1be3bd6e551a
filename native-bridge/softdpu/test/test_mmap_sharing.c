/* Exports that a map refuses, and bytes that are not a description; keys are unique per map. */
#include "objects.h"

static uint8_t memory[64];

static void test_export(struct doca_dev *dev, struct doca_dev *other)
{
	struct doca_mmap *mmap = make_map(dev, memory, sizeof(memory), DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	const void *desc;
	size_t len;
	uint8_t answer = 7;

	CHECK_ERROR(doca_mmap_export_pci(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED); /* not started */
	CHECK_OK(doca_mmap_start(mmap));
	CHECK_ERROR(doca_mmap_export_pci(mmap, other, &desc, &len), DOCA_ERROR_NOT_FOUND);
	CHECK_ERROR(doca_mmap_export_rdma(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED); /* no RDMA permission */
	CHECK_ERROR(doca_mmap_export_pci(mmap, dev, NULL, &len), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_export_rdma(NULL, dev, &desc, &len), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_get_exported(mmap, &answer));
	CHECK_EQ(answer, 0);
	CHECK_OK(doca_mmap_get_from_export(mmap, &answer));
	CHECK_EQ(answer, 0);
	CHECK_OK(doca_mmap_destroy(mmap));
}

static void test_import(struct doca_dev *dev)
{
	struct doca_mmap *mmap;

	CHECK_ERROR(doca_mmap_create_from_export(NULL, memory, 8, dev, &mmap), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, NULL, 8, dev, &mmap), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, memory, 0, dev, &mmap), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, memory, 8, NULL, &mmap), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, memory, 8, dev, NULL), DOCA_ERROR_INVALID_VALUE);
}

static void test_keys(struct doca_dev *dev, struct doca_dev *other)
{
	struct doca_mmap *a = make_map(dev, memory, 8, 0), *b = make_map(dev, memory, 8, 0);
	doca_dpa_dev_mmap_t handle;
	uint32_t key_a, key_b;

	CHECK_ERROR(doca_mmap_get_mkey(a, dev, &key_a), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_mmap_start(a));
	CHECK_OK(doca_mmap_start(b));
	CHECK_OK(doca_mmap_get_mkey(a, dev, &key_a));
	CHECK_OK(doca_mmap_get_mkey(b, dev, &key_b));
	CHECK(key_a != key_b);
	CHECK_ERROR(doca_mmap_get_mkey(a, other, &key_a), DOCA_ERROR_NOT_FOUND);
	CHECK_ERROR(doca_mmap_get_mkey(a, dev, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_dev_get_dpa_handle(a, other, &handle), DOCA_ERROR_NOT_FOUND);
	CHECK_ERROR(doca_mmap_dev_get_dpa_handle(a, dev, &handle), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_mmap_destroy(a));
	CHECK_OK(doca_mmap_destroy(b));
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0"), *other = open_device("03:00.1");

	test_export(dev, other);
	test_import(dev);
	test_keys(dev, other);
	CHECK_OK(doca_dev_close(dev));
	CHECK_OK(doca_dev_close(other));
	check_census_empty();
	return 0;
}
