/* Descriptions of maps for RDMA peers: conditions, damage, forgery, and the properties of the imported map. */
#include <stddef.h>
#include <unistd.h>

#include "doca_dev.h"
#include "rdma.h"
#include "remote_desc.h"

static struct rdma_side side;

static void refuse(const void *desc, size_t len, doca_error_t expected)
{
	struct doca_mmap *imported;

	CHECK_ERROR(doca_mmap_create_from_export(NULL, desc, len, side.dev, &imported), expected);
}

static void damaged(const void *desc, size_t len)
{
	uint8_t copy[256];

	for (size_t i = 0; i < len; i++) {
		for (int change = 1; change < 256; change++) {
			memcpy(copy, desc, len);
			copy[i] ^= (uint8_t)change;
			refuse(copy, len, DOCA_ERROR_INVALID_VALUE);
		}
	}
	memcpy(copy, desc, len);
	for (size_t wrong = 1; wrong < sizeof(copy); wrong++) {
		if (wrong != len)
			refuse(copy, wrong, DOCA_ERROR_INVALID_VALUE);
	}
}

static void sign(struct remote_desc *desc)
{
	const uint8_t *bytes = (const uint8_t *)desc;

	desc->check = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < offsetof(struct remote_desc, check); i++)
		desc->check = (desc->check ^ bytes[i]) * UINT64_C(0x100000001b3);
}

#define FORGE(bytes, change, expected)                              \
	do {                                                        \
		struct remote_desc forged;                          \
		memcpy(&forged, bytes, sizeof(forged));             \
		forged.change;                                      \
		sign(&forged);                                      \
		refuse(&forged, sizeof(forged), expected);          \
	} while (0)

static void forged(const void *desc)
{
	FORGE(desc, key += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, addr -= 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, len += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, generation += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, slot += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, slot = UINT32_MAX, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, permissions |= DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, version += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, size += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, pid = (uint32_t)getppid(), DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, pid = 0, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, start_time += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, cookie += 1, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, key = 0, DOCA_ERROR_INVALID_VALUE);
	FORGE(desc, magic = REMOTE_DESC_EVENT, DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
	struct doca_mmap *imported;
	const void *desc, *again;
	size_t len, range_len;
	uint8_t copy[256];
	void *addr;

	rdma_side_open(&side, "03:00.0", 0);
	CHECK_ERROR(doca_mmap_export_rdma(side.map, side.dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
	rdma_side_close(&side);

	rdma_side_open(&side, "03:00.0", DOCA_ACCESS_FLAG_RDMA_READ);
	CHECK_OK(doca_mmap_export_rdma(side.map, side.dev, &desc, &len));
	CHECK_OK(doca_mmap_export_rdma(side.map, side.dev, &again, &len));
	CHECK(again == desc);
	CHECK_EQ(len, 120);
	CHECK_ERROR(doca_mmap_export_pci(side.map, side.dev, &again, &range_len), DOCA_ERROR_NOT_PERMITTED);
	damaged(desc, len);
	forged(desc);
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, side.dev, &imported));
	CHECK_OK(doca_mmap_get_memrange(imported, &addr, &range_len));
	CHECK(addr == side.memory && range_len == RDMA_MEMORY);
	CHECK_ERROR(doca_mmap_export_rdma(imported, side.dev, &again, &range_len), DOCA_ERROR_NOT_PERMITTED);
	memcpy(copy, desc, len);
	CHECK_OK(doca_mmap_stop(side.map));
	refuse(copy, len, DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_start(side.map));
	CHECK_OK(doca_mmap_export_rdma(side.map, side.dev, &desc, &len));
	CHECK(memcmp(copy, desc, len) != 0); /* another key */
	refuse(copy, len, DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_destroy(imported));
	rdma_side_close(&side);
	rig_check_nothing_is_left();
	return 0;
}
