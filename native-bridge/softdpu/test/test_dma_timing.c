/*
 * The timing model shows how many tasks keep a card busy (quirk Q20): 4 on a BlueField-2, 32 on a BlueField-3; more are no faster,
 * fewer are slower. On the virtual clock, hence to the nanosecond.
 */
#include "dma.h"

enum { COPIES = 256, BLOCK = 1 << 20 };

static uint8_t *memory;

struct window {
	struct dma *dma;
	struct doca_mmap *map;
	int submitted;
};

static void submit(struct window *window)
{
	struct doca_buf *src = dma_source(window->dma, window->map, memory, BLOCK);
	struct doca_buf *dst = dma_room(window->dma, window->map, memory + BLOCK, BLOCK);

	CHECK_OK(doca_task_submit(dma_alloc(window->dma, src, dst, 0)));
	rig_drop(src);
	rig_drop(dst);
	window->submitted++;
}

/* Nanoseconds for COPIES blocks, never more than in_flight of them at once. */
static uint64_t measure(const char *profile, int in_flight)
{
	struct doca_dev *dev = rig_open_device("03:00.0");
	static struct dma dma;
	struct window window = { .dma = &dma };
	uint64_t before, after;

	CHECK_OK(softdpu_set_profile(profile));
	CHECK_OK(softdpu_set_seed(1));
	CHECK_OK(doca_mmap_create(&window.map));
	CHECK_OK(doca_mmap_set_memrange(window.map, memory, 2 * BLOCK));
	CHECK_OK(doca_mmap_set_permissions(window.map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(window.map, dev));
	CHECK_OK(doca_mmap_start(window.map));
	dma_open(&dma, dev, 64);
	CHECK_OK(doca_ctx_start(dma.ctx));
	before = softdpu_clock_now();
	while (dma.completed < COPIES) {
		while (window.submitted < COPIES && window.submitted - dma.completed < in_flight)
			submit(&window);
		CHECK_EQ(doca_pe_progress(dma.pe), 1);
	}
	after = softdpu_clock_now();
	CHECK_EQ(dma.failed, 0);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(window.map));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return after - before;
}

/* Twice the tasks in flight, half the time, up to the number of channels. */
static void saturates_at(const char *profile, int channels)
{
	uint64_t one = measure(profile, 1), all = measure(profile, channels);

	for (int n = 1; n <= channels; n *= 2)
		CHECK_EQ(measure(profile, n), one / (uint64_t)n);
	CHECK_EQ(measure(profile, 2 * channels), all);
	CHECK_EQ(all * (uint64_t)channels, one);
}

/* Real time: as slow as the model says at least, and the first task is not kept for longer than its time. */
static void in_real_time(void)
{
	uint64_t ns;

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	ns = measure("bluefield2", 4);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	{
		struct doca_dev *dev = rig_open_device("03:00.0");
		static struct dma dma;
		struct window window = { .dma = &dma };
		uint64_t before;

		CHECK_OK(doca_mmap_create(&window.map));
		CHECK_OK(doca_mmap_set_memrange(window.map, memory, 2 * BLOCK));
		CHECK_OK(doca_mmap_set_permissions(window.map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
		CHECK_OK(doca_mmap_add_dev(window.map, dev));
		CHECK_OK(doca_mmap_start(window.map));
		dma_open(&dma, dev, 64);
		CHECK_OK(doca_ctx_start(dma.ctx));
		before = softdpu_clock_now();
		while (window.submitted < 64)
			submit(&window);
		RIG_PROGRESS_UNTIL(dma.pe, dma.completed == 64);
		CHECK(softdpu_clock_now() - before >= ns / (COPIES / 64));
		dma_close(&dma);
		CHECK_OK(doca_mmap_destroy(window.map));
		CHECK_OK(doca_dev_close(dev));
	}
}

int main(void)
{
	uint64_t untimed;

	memory = calloc(2, BLOCK);
	CHECK(memory != NULL);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	CHECK_EQ(softdpu_get_timing(), 0);
	untimed = measure("bluefield2", 1);
	CHECK_OK(softdpu_set_timing(1));
	CHECK_EQ(softdpu_get_timing(), 1);
	CHECK(measure("bluefield2", 1) > untimed);
	saturates_at("bluefield2", 4);
	saturates_at("bluefield3", 32);
	in_real_time();
	free(memory);
	return 0;
}
