/*
 * The card's side exports as well, and the host's side copies in both directions. No capability announces this, but programs
 * use it without a query. Exports to the same side are refused.
 */
#include "dma.h"

enum { LEN = 50000 };

static uint8_t there[LEN], here[LEN];
static struct doca_dev *dpu, *host;
static struct dma dma;

static struct doca_mmap *start_map(struct doca_dev *dev, uint8_t *memory, uint32_t permissions)
{
	struct doca_mmap *map;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, LEN));
	CHECK_OK(doca_mmap_set_permissions(map, permissions));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
	return map;
}

static struct doca_mmap *import(struct doca_mmap *exported)
{
	struct doca_mmap *map;
	const void *desc;
	size_t len;

	CHECK_OK(doca_mmap_export_pci(exported, dpu, &desc, &len));
	CHECK_ERROR(doca_mmap_create_from_export(NULL, desc, len, dpu, &map), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, host, &map));
	return map;
}

int main(void)
{
	struct doca_mmap *exported, *imported, *local;

	dpu = rig_open_device("03:00.0");
	host = rig_open_device("81:00.0");
	dma_fill(there, LEN, 1);
	dma_open(&dma, host, 1);
	CHECK_OK(doca_ctx_start(dma.ctx));
	local = start_map(host, here, DOCA_ACCESS_FLAG_PCI_READ_WRITE);

	exported = start_map(dpu, there, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	imported = import(exported);
	CHECK_OK(dma_copy(&dma, dma_source(&dma, imported, there, LEN), dma_room(&dma, local, here, LEN)));
	CHECK(memcmp(here, there, LEN) == 0);
	CHECK_OK(doca_mmap_destroy(imported));
	CHECK_OK(doca_mmap_destroy(exported));

	exported = start_map(dpu, there, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	imported = import(exported);
	dma_fill(here, LEN, 2);
	CHECK_OK(dma_copy(&dma, dma_source(&dma, local, here, LEN), dma_room(&dma, imported, there, LEN)));
	CHECK(memcmp(here, there, LEN) == 0);
	CHECK_OK(doca_mmap_destroy(imported));
	CHECK_OK(doca_mmap_destroy(exported));

	CHECK_OK(doca_mmap_destroy(local));
	dma_close(&dma);
	CHECK_OK(doca_dev_close(dpu));
	CHECK_OK(doca_dev_close(host));
	rig_check_nothing_is_left();
	return 0;
}
