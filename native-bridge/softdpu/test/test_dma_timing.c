/*
 * The timing model shows the number of tasks that keep a card busy (quirk Q20): 4 on a BlueField-2, 32 on a BlueField-3. More
 * tasks are not faster, fewer are slower. The test uses the virtual clock and is exact to the nanosecond.
 */
#include "dma.h"

enum { COPIES = 256, BLOCK = 1 << 20, SMALL_COPIES = 64, SMALL_BLOCK = 64 << 10, AREA = SMALL_COPIES * SMALL_BLOCK };

static uint8_t *memory;			/* a block as source, then AREA as destination */

struct load {
	const char *profile;
	int copies, in_flight;
	size_t len;
};

struct window {
	struct dma *dma;
	struct doca_mmap *map;
	int submitted;
};

static void submit(struct window *window, size_t len)
{
	size_t offset = (size_t)window->submitted++ * len % AREA;
	struct doca_buf *src = dma_source(window->dma, window->map, memory, len);
	struct doca_buf *dst = dma_room(window->dma, window->map, memory + BLOCK + offset, len);

	CHECK_OK(doca_task_submit(dma_alloc(window->dma, src, dst, 0)));
	rig_drop(src);
	rig_drop(dst);
}

/* Returns the nanoseconds on the device's clock for all copies, with a limited number in flight. */
static uint64_t measure(const struct load *load)
{
	struct doca_dev *dev = rig_open_device("03:00.0");
	static struct dma dma;
	struct window window = { .dma = &dma };
	uint64_t elapsed;

	CHECK_OK(softdpu_set_profile(load->profile));
	CHECK_OK(softdpu_set_seed(1));
	CHECK_OK(doca_mmap_create(&window.map));
	CHECK_OK(doca_mmap_set_memrange(window.map, memory, BLOCK + AREA));
	CHECK_OK(doca_mmap_set_permissions(window.map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(window.map, dev));
	CHECK_OK(doca_mmap_start(window.map));
	dma_open(&dma, dev, SMALL_COPIES);
	CHECK_OK(doca_ctx_start(dma.ctx));
	elapsed = softdpu_clock_now();
	while (dma.completed < load->copies) {
		int before = dma.completed;

		while (window.submitted < load->copies && window.submitted - before < load->in_flight)
			submit(&window, load->len);
		RIG_PROGRESS_UNTIL(dma.pe, dma.completed > before);
	}
	elapsed = softdpu_clock_now() - elapsed;
	CHECK_EQ(dma.failed, 0);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(window.map));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return elapsed;
}

static uint64_t measure_blocks(const char *profile, int in_flight)
{
	const struct load load = { .profile = profile, .copies = COPIES, .in_flight = in_flight, .len = BLOCK };

	return measure(&load);
}

/* Doubling the tasks in flight halves the time, up to the number of channels. */
static void saturates_at(const char *profile, int channels)
{
	uint64_t one = measure_blocks(profile, 1), all = measure_blocks(profile, channels);

	for (int n = 1; n <= channels; n *= 2)
		CHECK_EQ(measure_blocks(profile, n), one / (uint64_t)n);
	CHECK_EQ(measure_blocks(profile, 2 * channels), all);
	CHECK_EQ(all * (uint64_t)channels, one);
}

/* In real time the copies take at least as long. */
static void in_real_time(void)
{
	const struct load load = { .profile = "bluefield2", .copies = SMALL_COPIES, .in_flight = SMALL_COPIES, .len = SMALL_BLOCK };
	uint64_t ns = measure(&load);

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	CHECK(measure(&load) >= ns);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
}

int main(void)
{
	uint64_t untimed;

	memory = calloc(1, BLOCK + AREA);
	CHECK(memory != NULL);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	CHECK_EQ(softdpu_get_timing(), 0);
	untimed = measure_blocks("bluefield2", 1);
	CHECK_OK(softdpu_set_timing(1));
	CHECK_EQ(softdpu_get_timing(), 1);
	CHECK(measure_blocks("bluefield2", 1) > untimed);
	saturates_at("bluefield2", 4);
	saturates_at("bluefield3", 32);
	in_real_time();
	free(memory);
	return 0;
}
