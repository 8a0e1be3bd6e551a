/*
 * With ordered completions, tasks are reported in the order of submission, also if some take longer, fail, or are flushed.
 * Without, they are reported in the device's order.
 */
#include "dma.h"

enum { TASKS = 64, LEN = 64 };

static uint8_t memory[2 * TASKS * LEN];
static struct doca_mmap *map;

static void submit_all(struct dma *dma, int count)
{
	for (int i = 0; i < count; i++) {
		struct doca_buf *src = dma_source(dma, map, memory + i * LEN, LEN);
		struct doca_buf *dst = dma_room(dma, map, memory + (TASKS + i) * LEN, LEN);

		CHECK_OK(doca_task_submit(dma_alloc(dma, src, dst, (uint64_t)i)));
		rig_drop(src);
		rig_drop(dst);
	}
}

static int count_disorder(const struct dma *dma, int count)
{
	int disorder = 0;

	for (int i = 0; i < count; i++)
		disorder += dma->order[i] != (uint64_t)i;
	return disorder;
}

static int run(struct doca_dev *dev, uint8_t is_ordered, const char *faults)
{
	static struct dma dma;
	int disorder;

	dma_open(&dma, dev, TASKS);
	CHECK_OK(doca_dma_set_ordered_completions(dma.dma, is_ordered));
	CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_OK(softdpu_faults_set(faults));
	submit_all(&dma, TASKS);
	RIG_PROGRESS_UNTIL(dma.pe, dma.completed == TASKS);
	disorder = count_disorder(&dma, TASKS);
	CHECK_ERROR(doca_dma_set_ordered_completions(dma.dma, is_ordered), DOCA_ERROR_BAD_STATE);
	dma_close(&dma);
	softdpu_faults_clear();
	return disorder;
}

/* The first is slow, the third fails and the rest is flushed: 0, 1, 2, then the flushed ones in order. */
static void failure_in_between(struct doca_dev *dev)
{
	static struct dma dma;

	dma_open(&dma, dev, TASKS);
	CHECK_OK(doca_dma_set_ordered_completions(dma.dma, 1));
	CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_OK(softdpu_faults_set("dma-memcpy:delay=5ms:nth=1; dma-memcpy:fail:nth=3"));
	submit_all(&dma, 20);
	RIG_PROGRESS_UNTIL(dma.pe, dma.completed + dma.failed == 20);
	CHECK_EQ(count_disorder(&dma, 20), 0);
	CHECK(dma.failed >= 1);
	dma_wait_idle(&dma);
	softdpu_faults_clear();
	dma_close(&dma);
}

static void stop_in_between(struct doca_dev *dev)
{
	static struct dma dma;

	dma_open(&dma, dev, TASKS);
	CHECK_OK(doca_dma_set_ordered_completions(dma.dma, 1));
	CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_OK(softdpu_faults_set("dma-memcpy:delay=5ms:every=3"));
	submit_all(&dma, TASKS);
	CHECK_ERROR(doca_ctx_stop(dma.ctx), DOCA_ERROR_IN_PROGRESS);
	dma_wait_idle(&dma);
	CHECK_EQ(dma.completed + dma.failed, TASKS);
	CHECK_EQ(count_disorder(&dma, TASKS), 0);
	softdpu_faults_clear();
	dma_close(&dma);
}

int main(void)
{
	static const char *const slow = "dma-memcpy:delay=3ms:every=7; dma-memcpy:delay=1ms:every=5";
	struct doca_dev *dev = rig_open_device("03:00.0");

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
	CHECK_EQ(run(dev, 1, slow), 0);
	CHECK(run(dev, 0, slow) > 0);
	failure_in_between(dev);
	stop_in_between(dev);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	for (uint64_t seed = 1; seed <= 50; seed++) {
		CHECK_OK(softdpu_set_seed(seed));
		CHECK_EQ(run(dev, 1, slow), 0);
		CHECK_OK(softdpu_set_seed(seed));
		CHECK(run(dev, 0, "") > 0);
		failure_in_between(dev);
		stop_in_between(dev);
	}
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
