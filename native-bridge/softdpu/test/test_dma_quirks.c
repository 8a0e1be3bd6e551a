/* Quirks that affect DMA programs: Q9, Q14, Q15, Q22 and Q23. */
#include "dma.h"

enum { LEN = 4096 };

static uint8_t memory[2 * LEN];

static struct doca_mmap *start_map(struct doca_dev *dev)
{
	struct doca_mmap *map;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
	return map;
}

/* Q9: two opens of one function. */
static void map_of_another_open(const char *quirks, doca_error_t expected)
{
	struct doca_dev *mine, *other;
	struct doca_mmap *map;
	static struct dma dma;

	CHECK_OK(softdpu_quirks_set(quirks));
	mine = rig_open_device("03:00.0");
	other = rig_open_device("03:00.0");
	CHECK_EQ(mine == other, expected == DOCA_SUCCESS);
	map = start_map(other);
	dma_open(&dma, mine, 1);
	CHECK_EQ(dma_copy(&dma, dma_source(&dma, map, memory, LEN), dma_room(&dma, map, memory + LEN, LEN)), expected);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(mine));
	CHECK_OK(doca_dev_close(other));
	rig_check_nothing_is_left();
	CHECK_OK(softdpu_quirks_set(""));
}

/* Q14: the stop is asynchronous without tasks. */
static void stops_later(struct doca_dev *dev)
{
	static struct dma dma;

	dma_open(&dma, dev, 1);
	CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_OK(doca_ctx_stop(dma.ctx));
	CHECK_EQ(dma_state(&dma), DOCA_CTX_STATE_IDLE);
	CHECK_OK(softdpu_quirks_set("Q14"));
	for (int i = 0; i < 3; i++) {
		CHECK_OK(doca_ctx_start(dma.ctx));
		CHECK_ERROR(doca_ctx_stop(dma.ctx), DOCA_ERROR_IN_PROGRESS);
		CHECK_EQ(dma_state(&dma), DOCA_CTX_STATE_STOPPING);
		CHECK_ERROR(doca_dma_destroy(dma.dma), DOCA_ERROR_IN_USE);
		CHECK_EQ(doca_pe_progress(dma.pe), 1);
		CHECK_EQ(dma_state(&dma), DOCA_CTX_STATE_IDLE);
	}
	CHECK_OK(softdpu_quirks_set(""));
	dma_close(&dma);
}

/* Q15: an allocated task that was never submitted keeps the context; Q23: its resources stay until then. */
static void task_keeps_context(struct doca_dev *dev)
{
	struct doca_mmap *map = start_map(dev);
	static struct dma dma;
	struct doca_buf *src, *dst;
	struct doca_task *task;

	dma_open(&dma, dev, 1);
	CHECK_OK(doca_ctx_start(dma.ctx));
	src = dma_source(&dma, map, memory, LEN);
	dst = dma_room(&dma, map, memory + LEN, LEN);
	task = dma_alloc(&dma, src, dst, 0);
	CHECK_ERROR(doca_ctx_stop(dma.ctx), DOCA_ERROR_IN_PROGRESS);
	for (int i = 0; i < 100; i++)
		CHECK_EQ(doca_pe_progress(dma.pe), 0);
	CHECK_ERROR(doca_pe_destroy(dma.pe), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_dev_close(dev), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_mmap_destroy(map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_buf_inventory_destroy(dma.inventory), DOCA_ERROR_IN_USE);
	doca_task_free(task);
	dma_wait_idle(&dma);
	rig_drop(src);
	rig_drop(dst);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(map));
}

/* Q22: buffers may be released while their task is in flight; Q23: their map and inventory must stay until it has ended. */
static void buffers_dropped_in_flight(struct doca_dev *dev)
{
	struct doca_mmap *map = start_map(dev);
	struct doca_buf *src, *dst;
	static struct dma dma;

	dma_open(&dma, dev, 1);
	CHECK_OK(doca_ctx_start(dma.ctx));
	dma_fill(memory, LEN, 4);
	memset(memory + LEN, 0, LEN);
	src = dma_source(&dma, map, memory, LEN);
	dst = dma_room(&dma, map, memory + LEN, LEN);
	CHECK_OK(softdpu_faults_set("dma-memcpy:delay=20ms"));
	CHECK_OK(doca_task_submit(dma_alloc(&dma, src, dst, 0)));
	softdpu_faults_clear();
	rig_drop(src);
	rig_drop(dst);
	CHECK_ERROR(doca_mmap_stop(map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_destroy(map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_buf_inventory_destroy(dma.inventory), DOCA_ERROR_IN_USE);
	RIG_PROGRESS_UNTIL(dma.pe, dma.completed == 1);
	CHECK(memcmp(memory, memory + LEN, LEN) == 0);
	CHECK_OK(doca_mmap_stop(map));
	CHECK_OK(doca_mmap_destroy(map));
	dma_close(&dma);
}

int main(void)
{
	struct doca_dev *dev;

	map_of_another_open("", DOCA_SUCCESS);
	map_of_another_open("Q9", DOCA_ERROR_IO_FAILED);
	dev = rig_open_device("03:00.0");
	stops_later(dev);
	task_keeps_context(dev);
	buffers_dropped_in_flight(dev);
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
