/*
 * A hundred thousand small copies, local and from another process: each is correct, memory and descriptors do not grow. A long
 * run has a million copies, a run with a sanitizer ten thousand.
 */
#include "exporter.h"
#include "flat.h"

enum { COPIES = 100000, SLOT = 64, WINDOW = 32, WARM_UP = 5000 };

static struct dma dma;
static struct doca_mmap *local;
static uint8_t *memory;
static struct exporter exporter;

static void submit(struct doca_mmap *map, uint8_t *from, int number)
{
	size_t offset = (size_t)number * SLOT % (EXPORTER_LEN / 2 / SLOT * SLOT), len = 1 + (size_t)number % SLOT;
	struct doca_buf *src = dma_source(&dma, map, (void *)((uintptr_t)from + offset), len);
	struct doca_buf *dst = dma_room(&dma, local, memory + EXPORTER_LEN + (size_t)(number % WINDOW) * SLOT, len);

	CHECK_OK(doca_task_submit(dma_alloc(&dma, src, dst, (uint64_t)number)));
	rig_drop(src);
	rig_drop(dst);
}

static void check(int number)
{
	size_t offset = (size_t)number * SLOT % (EXPORTER_LEN / 2 / SLOT * SLOT);

	for (size_t i = 0; i < 1 + (size_t)number % SLOT; i++)
		CHECK(memory[EXPORTER_LEN + (size_t)(number % WINDOW) * SLOT + i] == exporter_byte(offset + i, 1));
}

/* Runs waves of WINDOW copies, so each result is checked before its place is reused. */
static void run(struct doca_mmap *map, uint8_t *from, int copies)
{
	for (int first = 0; first < copies; first += WINDOW) {
		dma.completed = 0;
		for (int i = 0; i < WINDOW; i++)
			submit(map, from, first + i);
		RIG_PROGRESS_UNTIL(dma.pe, dma.completed + dma.failed == WINDOW);
		for (int i = 0; i < WINDOW; i++)
			check(first + i);
	}
	CHECK_EQ(dma.failed, 0);
}

static void measure(struct doca_mmap *map, uint8_t *from)
{
	struct flat before;

	run(map, from, WARM_UP);
	before = flat_now();
	run(map, from, flat_rounds(COPIES));
	flat_check(before);
}

int main(int argc, char **argv)
{
	struct doca_mmap *imported;
	struct doca_dev *dev;

	exporter_main(argc, argv);
	exporter_folder();
	dev = rig_open_device("03:00.0");
	dma_open(&dma, dev, WINDOW);
	memory = malloc(2 * EXPORTER_LEN);
	CHECK(memory != NULL);
	dma_fill(memory, EXPORTER_LEN, 1);
	CHECK_OK(doca_mmap_create(&local));
	CHECK_OK(doca_mmap_set_memrange(local, memory, 2 * EXPORTER_LEN));
	CHECK_OK(doca_mmap_set_permissions(local, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(local, dev));
	CHECK_OK(doca_mmap_start(local));
	CHECK_OK(doca_ctx_start(dma.ctx));
	measure(local, memory);
	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	exporter_command(&exporter, EXPORTER_FILL, 1);
	CHECK_OK(doca_mmap_create_from_export(NULL, exporter.desc, exporter.desc_len, dev, &imported));
	measure(imported, exporter.addr);
	CHECK_OK(doca_mmap_destroy(imported));
	exporter_quit(&exporter);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(local));
	CHECK_OK(doca_dev_close(dev));
	free(memory);
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	return 0;
}
