/*
 * Exported memory that never becomes readable (userfaultfd), so that the kernel waits inside the copy. Such memory delays the
 * copies of this memory, and other copies for 2 s at most.
 */
#include "doca_log.h"
#include "exporter.h"
#include "unreadable.h"

enum { LEN = 1 << 20, TASKS = 8, TAKEOVER_MS = 2000, SLACK_MS = 3000, QUICK_MS = 1500, LIFE_S = 90 };

static struct dma dma;
static struct doca_mmap *local, *imported;
static uint8_t memory[4 * LEN];
static struct exporter exporter;

/* The second process. The description is empty if it cannot use userfaultfd. */
static int be_unreadable(void)
{
	uint8_t *range = unreadable_memory(LEN);
	struct exporter_message message;
	struct doca_mmap *map;
	const void *desc;

	exporter_receive(EXPORTER_SOCKET, &message);
	message.desc_len = 0;
	if (range != NULL) {
		struct doca_dev *dev = rig_open_device("81:00.0");

		CHECK_OK(doca_mmap_create(&map));
		CHECK_OK(doca_mmap_set_memrange(map, range, LEN));
		CHECK_OK(doca_mmap_set_permissions(map, message.permissions));
		CHECK_OK(doca_mmap_add_dev(map, dev));
		CHECK_OK(doca_mmap_start(map));
		CHECK_OK(doca_mmap_export_pci(map, dev, &desc, &message.desc_len));
		memcpy(message.desc, desc, message.desc_len);
		message.addr = (uintptr_t)range;
	}
	CHECK(send(EXPORTER_SOCKET, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message));
	for (;;)
		pause();
}

static void copy(struct doca_mmap *map, uint8_t *from, uint8_t *to)
{
	struct doca_buf *src = dma_source(&dma, map, from, LEN), *dst = dma_room(&dma, local, to, LEN);

	CHECK_OK(doca_task_submit(dma_alloc(&dma, src, dst, 0)));
	rig_drop(src);
	rig_drop(dst);
}

static void copy_here_within(uint64_t bound_ms)
{
	uint64_t begin_ms = rig_now_ms(), took;
	int completed = dma.completed;

	copy(local, memory, memory + LEN);
	RIG_PROGRESS_UNTIL(dma.pe, dma.completed == completed + 1);
	took = rig_now_ms() - begin_ms;
	if (took > bound_ms)
		fprintf(stderr, "took %llu ms\n", (unsigned long long)took);
	CHECK(took <= bound_ms || getenv("SLOW_MACHINE") != NULL);
}

static void open_all(void)
{
	CHECK_OK(softdpu_set_threads(1));
	dma_open(&dma, rig_open_device("03:00.0"), TASKS);
	CHECK_OK(doca_mmap_create(&local));
	CHECK_OK(doca_mmap_set_memrange(local, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_add_dev(local, dma.dev));
	CHECK_OK(doca_mmap_set_permissions(local, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_start(local));
}

static void close_all(void)
{
	struct doca_dev *dev = dma.dev;

	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(local));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	exporter_remove_folder(1);
}

static void copy_unreadable_memory(void)
{
	CHECK_OK(doca_mmap_create_from_export(NULL, exporter.desc, exporter.desc_len, dma.dev, &imported));
	CHECK_OK(doca_ctx_start(dma.ctx));
	copy_here_within(QUICK_MS);
	copy(imported, exporter.addr, memory + 2 * LEN);
	copy(imported, exporter.addr, memory + 3 * LEN); /* the copy stays in the queue */
	copy_here_within(TAKEOVER_MS + SLACK_MS);
	copy_here_within(QUICK_MS);
	CHECK_EQ(dma.completed + dma.failed, 3);
	exporter_kill(&exporter);
	RIG_PROGRESS_UNTIL(dma.pe, dma.completed + dma.failed == 5);
	CHECK(dma.failed > 0);
	dma_wait_idle(&dma);
	CHECK_OK(doca_mmap_destroy(imported));
}

int main(int argc, char **argv)
{
	uint8_t has_userfaultfd;

	(void)argv;
	alarm(LIFE_S);
	if (argc > 1)
		return be_unreadable();
	exporter_folder();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* the takeover logs a warning */
	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	has_userfaultfd = exporter.desc_len > 0;
	open_all();
	if (has_userfaultfd)
		copy_unreadable_memory();
	else
		exporter_kill(&exporter);
	close_all();
	if (!has_userfaultfd)
		SKIP("no userfaultfd for this process");
	return 0;
}
