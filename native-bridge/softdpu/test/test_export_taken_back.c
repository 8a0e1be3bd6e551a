/*
 * After the stop of a map has returned, writes of an importer never reach its memory. The exporting program needs no progress
 * for accesses to its memory.
 */
#define EXPORTER_LEN (4 << 20) /* one write lasts long enough that the stop interrupts it */
#include "exporter.h"

enum { ROUNDS = 30, WINDOW = 4 };

static struct dma dma;
static struct doca_mmap *local, *imported;
static uint8_t *memory;
static struct exporter exporter;

static void submit_one(void)
{
	struct doca_buf *here = dma_source(&dma, local, memory, EXPORTER_LEN);
	struct doca_buf *there = dma_room(&dma, imported, exporter.addr, EXPORTER_LEN);

	CHECK_OK(doca_task_submit(dma_alloc(&dma, here, there, 0)));
	rig_drop(here);
	rig_drop(there);
}

static void keep_writing(int *submitted)
{
	while (dma_state(&dma) == DOCA_CTX_STATE_RUNNING && *submitted < dma.completed + dma.failed + WINDOW) {
		submit_one();
		++*submitted;
	}
}

static uint8_t has_answer(void)
{
	struct pollfd answer = { .fd = exporter.socket, .events = POLLIN };

	return poll(&answer, 1, 0) == 1;
}

/* Writes at full speed; the exporter stops its map during a write and then fills the range. */
static void round_of(int copies_before)
{
	uint64_t seed = 100 + (uint64_t)copies_before;
	struct exporter_message message;
	int submitted = 0, has_byte = 0;

	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	CHECK_OK(doca_mmap_create_from_export(NULL, exporter.desc, exporter.desc_len, dma.dev, &imported));
	dma.completed = dma.failed = 0;
	CHECK_OK(doca_ctx_start(dma.ctx));
	RIG_PROGRESS_UNTIL(dma.pe, ({
				   keep_writing(&submitted);
				   if (!has_byte && dma.completed >= copies_before) {
					   exporter_send(&exporter, EXPORTER_STOP, seed);
					   has_byte = 1;
				   }
				   has_byte && dma_state(&dma) == DOCA_CTX_STATE_IDLE && has_answer();
			   }));
	exporter_receive(exporter.socket, &message);
	CHECK_EQ(dma.completed + dma.failed, submitted);
	CHECK(dma.failed > 0);
	CHECK_EQ(exporter_command(&exporter, EXPORTER_CHECK, seed), 0);
	CHECK_OK(doca_mmap_destroy(imported));
	exporter_command(&exporter, EXPORTER_DESTROY, 0);
}

int main(int argc, char **argv)
{
	struct doca_dev *dev;

	exporter_main(argc, argv);
	exporter_folder();
	dev = rig_open_device("03:00.0");
	dma_open(&dma, dev, WINDOW);
	memory = malloc(EXPORTER_LEN);
	CHECK(memory != NULL);
	memset(memory, 0x11, EXPORTER_LEN);
	CHECK_OK(doca_mmap_create(&local));
	CHECK_OK(doca_mmap_set_memrange(local, memory, EXPORTER_LEN));
	CHECK_OK(doca_mmap_add_dev(local, dev));
	CHECK_OK(doca_mmap_start(local));
	exporter_start(&exporter);
	for (int i = 0; i < ROUNDS; i++)
		round_of(i);
	exporter_quit(&exporter);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(local));
	CHECK_OK(doca_dev_close(dev));
	free(memory);
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	exporter_again_without_process_vm(argv);
	return 0;
}
