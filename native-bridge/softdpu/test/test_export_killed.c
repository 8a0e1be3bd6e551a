/*
 * An exporter is killed during transfers: every task ends, the context stops in order, and this process continues, with and
 * without a new exporter.
 */
#include "exporter.h"

enum { ROUNDS = 20, WINDOW = 8 };

static struct dma dma;
static struct doca_mmap *local, *imported;
static uint8_t *memory;
static struct exporter exporter;

static void submit_one(int is_write)
{
	struct doca_buf *there, *here;
	struct doca_task *task;

	if (is_write) {
		here = dma_source(&dma, local, memory, EXPORTER_LEN);
		there = dma_room(&dma, imported, exporter.addr, EXPORTER_LEN);
		task = dma_alloc(&dma, here, there, 0);
	} else {
		here = dma_room(&dma, local, memory, EXPORTER_LEN);
		there = dma_source(&dma, imported, exporter.addr, EXPORTER_LEN);
		task = dma_alloc(&dma, there, here, 0);
	}
	CHECK_OK(doca_task_submit(task));
	rig_drop(here);
	rig_drop(there);
}

static void round_of(int is_write, int copies_before)
{
	int submitted = 0;

	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	CHECK_OK(doca_mmap_create_from_export(NULL, exporter.desc, exporter.desc_len, dma.dev, &imported));
	dma.completed = dma.failed = 0;
	CHECK_OK(doca_ctx_start(dma.ctx));
	RIG_PROGRESS_UNTIL(dma.pe, ({
				   while (dma_state(&dma) == DOCA_CTX_STATE_RUNNING && submitted < dma.completed + dma.failed + WINDOW) {
					   submit_one(is_write);
					   submitted++;
				   }
				   if (dma.completed >= copies_before && exporter.pid > 0) {
					   CHECK(kill(exporter.pid, SIGKILL) == 0); /* eight copies are in flight */
					   exporter.pid = -exporter.pid;
				   }
				   dma_state(&dma) == DOCA_CTX_STATE_IDLE;
			   }));
	CHECK_EQ(dma.completed + dma.failed, submitted);
	CHECK(dma.completed >= copies_before && dma.failed > 0);
	CHECK_EQ(dma.last_error, DOCA_ERROR_IO_FAILED);
	exporter.pid = -exporter.pid;
	CHECK(WIFSIGNALED(exporter_reap(&exporter)));
	CHECK_OK(doca_mmap_destroy(imported));
}

int main(int argc, char **argv)
{
	struct doca_dev *dev;

	exporter_main(argc, argv);
	exporter_folder();
	dev = rig_open_device("03:00.0");
	dma_open(&dma, dev, WINDOW);
	memory = dma_guarded(EXPORTER_LEN, 1);
	CHECK_OK(doca_mmap_create(&local));
	CHECK_OK(doca_mmap_set_memrange(local, memory, EXPORTER_LEN));
	CHECK_OK(doca_mmap_set_permissions(local, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(local, dev));
	CHECK_OK(doca_mmap_start(local));
	for (int i = 0; i < ROUNDS; i++)
		round_of(i % 2, i * 3);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(local));
	CHECK_OK(doca_dev_close(dev));
	dma_unguard(memory, EXPORTER_LEN);
	rig_check_nothing_is_left();
	exporter_remove_folder(1);
	exporter_again_without_process_vm(argv);
	return 0;
}
