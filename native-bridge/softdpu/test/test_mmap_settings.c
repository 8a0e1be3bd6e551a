/* A memory map is configured before it is started, and each setting checks its value. */
#include "objects.h"

static uint8_t memory[4096];

static void test_memrange(void)
{
	struct doca_mmap *mmap;
	void *addr;
	size_t len;

	CHECK_OK(doca_mmap_create(&mmap));
	CHECK_ERROR(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_mmap_set_memrange(mmap, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_memrange(mmap, memory, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_memrange(mmap, memory, SIZE_MAX), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_memrange(NULL, memory, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_dmabuf_memrange(mmap, 3, memory, 0, sizeof(memory)), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_mmap_set_dmabuf_memrange(mmap, -1, memory, 0, sizeof(memory)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_dmabuf_memrange(mmap, 3, memory, SIZE_MAX, sizeof(memory)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_dpa_memrange(mmap, NULL, 4096, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_dpa_memrange(mmap, (struct doca_dpa *)memory, UINT64_MAX, 2), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_dpa_memrange(mmap, (struct doca_dpa *)memory, 4096, 1), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_mmap_set_memrange(mmap, memory + 3, 17)); /* any alignment */
	CHECK_ERROR(doca_mmap_set_memrange(mmap, memory, 1), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_set_dmabuf_memrange(mmap, 3, memory, 0, 1), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(doca_mmap_get_memrange(mmap, &addr, &len));
	CHECK(addr == memory + 3 && len == 17);
	CHECK_OK(doca_mmap_destroy(mmap));
}

static void test_permissions(void)
{
	struct doca_mmap *mmap;

	CHECK_OK(doca_mmap_create(&mmap));
	CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
	CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
							 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC |
							 DOCA_ACCESS_FLAG_PCI_READ_WRITE |
							 DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING));
	CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	CHECK_ERROR(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_permissions(mmap, 1 << 7), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_set_permissions(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_destroy(mmap));
}

static void test_devices(struct doca_dev *a, struct doca_dev *b, struct doca_dev *c)
{
	struct doca_mmap *mmap;
	uint32_t max;

	CHECK_OK(doca_mmap_create(&mmap));
	CHECK_OK(doca_mmap_get_max_num_devices(mmap, &max));
	CHECK(max >= 2);
	CHECK_ERROR(doca_mmap_set_max_num_devices(mmap, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_set_max_num_devices(mmap, 2));
	CHECK_OK(doca_mmap_add_dev(mmap, a));
	CHECK_ERROR(doca_mmap_add_dev(mmap, a), DOCA_ERROR_ALREADY_EXIST);
	CHECK_OK(doca_mmap_add_dev(mmap, b));
	CHECK_ERROR(doca_mmap_add_dev(mmap, c), DOCA_ERROR_NO_MEMORY);
	CHECK_ERROR(doca_mmap_set_max_num_devices(mmap, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_dev_close(a), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_mmap_rm_dev(mmap, c), DOCA_ERROR_NOT_FOUND);
	CHECK_OK(doca_mmap_rm_dev(mmap, a));
	CHECK_ERROR(doca_mmap_rm_dev(mmap, a), DOCA_ERROR_NOT_FOUND);
	CHECK_OK(doca_mmap_add_dev(mmap, c));
	CHECK_ERROR(doca_mmap_add_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_rm_dev(NULL, a), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_destroy(mmap));
}

int main(void)
{
	struct doca_dev *a = open_device("03:00.0"), *b = open_device("03:00.1"), *c = open_device("81:00.0");

	CHECK_ERROR(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
	test_memrange();
	test_permissions();
	test_devices(a, b, c);
	CHECK_OK(doca_dev_close(a));
	CHECK_OK(doca_dev_close(b));
	CHECK_OK(doca_dev_close(c));
	check_census_empty();
	return 0;
}
