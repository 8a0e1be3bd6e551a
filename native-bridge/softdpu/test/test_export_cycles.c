/*
 * Ten thousand cycles of export, import, copy and release in one process, and a thousand between two processes. A long run has
 * ten times as many, a run with a sanitizer a tenth. Memory and descriptors do not grow.
 */
#include "exporter.h"
#include "flat.h"

enum { CYCLES = 10000, WARM_UP = 500, FOREIGN_CYCLES = 1000 };

static struct dma dma;
static struct doca_dev *host;
static struct doca_mmap *local;
static uint8_t memory[8192];

/* One map, exported and imported by this process. */
static void own_cycle(void)
{
	struct doca_mmap *map, *imported;
	const void *desc;
	size_t len;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, 4096));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	CHECK_OK(doca_mmap_add_dev(map, host));
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_export_pci(map, host, &desc, &len));
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dma.dev, &imported));
	CHECK_OK(dma_copy(&dma, dma_source(&dma, imported, memory, 64), dma_room(&dma, local, memory + 4096, 64)));
	CHECK_OK(doca_mmap_destroy(imported));
	CHECK_OK(doca_mmap_destroy(map));
}

/* The same with the memory of another process, which checks its census at the end: its descriptors do not grow either. */
static void foreign_cycle(struct exporter *exporter)
{
	struct doca_mmap *imported;

	exporter_share(exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	CHECK_OK(doca_mmap_create_from_export(NULL, exporter->desc, exporter->desc_len, dma.dev, &imported));
	CHECK_OK(dma_copy(&dma, dma_source(&dma, imported, exporter->addr, 64), dma_room(&dma, local, memory + 4096, 64)));
	CHECK_OK(doca_mmap_destroy(imported));
	exporter_command(exporter, EXPORTER_DESTROY, 0);
}

static int count_foreign_descriptors(const struct exporter *exporter)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)exporter->pid);
	return count_entries(path);
}

int main(int argc, char **argv)
{
	struct exporter exporter;
	struct flat before;
	int foreign;

	exporter_main(argc, argv);
	exporter_folder();
	dma_open(&dma, rig_open_device("03:00.0"), 1);
	host = rig_open_device("81:00.0");
	CHECK_OK(doca_mmap_create(&local));
	CHECK_OK(doca_mmap_set_memrange(local, memory + 4096, 4096));
	CHECK_OK(doca_mmap_set_permissions(local, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(local, dma.dev));
	CHECK_OK(doca_mmap_start(local));
	for (int i = 0; i < flat_rounds(WARM_UP); i++)
		own_cycle();
	before = flat_now();
	for (int i = 0; i < flat_rounds(CYCLES); i++)
		own_cycle();
	flat_check(before);

	exporter_start(&exporter);
	for (int i = 0; i < flat_rounds(WARM_UP); i++)
		foreign_cycle(&exporter);
	before = flat_now();
	foreign = count_foreign_descriptors(&exporter);
	for (int i = 0; i < flat_rounds(FOREIGN_CYCLES); i++)
		foreign_cycle(&exporter);
	flat_check(before);
	CHECK_EQ(count_foreign_descriptors(&exporter), foreign);
	exporter_quit(&exporter);
	dma_stop(&dma);
	CHECK_OK(doca_mmap_destroy(local));
	CHECK_OK(doca_dev_close(host));
	dma_close(&dma);
	CHECK_OK(doca_dev_close(dma.dev));
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	return 0;
}
