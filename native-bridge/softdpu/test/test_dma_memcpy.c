/* A copy moves exactly the requested bytes, for all lengths, places and lists; the memory is between inaccessible pages. */
#include "dma.h"

enum { LEN = 10000, AREA = 70001 };

static struct dma dma;
static struct doca_mmap *from_map, *to_map;
static uint8_t *from, *to;

static struct doca_mmap *start_map(uint8_t *memory, uint32_t permissions)
{
	struct doca_mmap *map;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, AREA));
	CHECK_OK(doca_mmap_set_permissions(map, permissions));
	CHECK_OK(doca_mmap_add_dev(map, dma.dev));
	CHECK_OK(doca_mmap_start(map));
	return map;
}

static void check_untouched(size_t begin, size_t end)
{
	for (size_t i = 0; i < AREA; i++)
		CHECK(to[i] == (i >= begin && i < end ? from[i - begin] : 0xee));
}

static void lengths(void)
{
	static const size_t all[] = { 1, 2, 7, 8, 63, 64, 4095, 4096, 4097, AREA };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t len = all[i];

		memset(to, 0xee, AREA);
		CHECK_OK(dma_copy(&dma, dma_source(&dma, from_map, from, len), dma_room(&dma, to_map, to + AREA - len, len)));
		check_untouched(AREA - len, AREA);
	}
}

/* Output is appended to the destination's content, which grows. */
static void appends(void)
{
	struct doca_buf *dst = dma_room(&dma, to_map, to + 5, 100);
	void *data;

	memset(to, 0xee, AREA);
	CHECK_OK(doca_buf_set_data(dst, to + 10, 20));
	CHECK_OK(doca_buf_inc_refcount(dst, NULL));
	CHECK_OK(dma_copy(&dma, dma_source(&dma, from_map, from, 40), dst));
	check_untouched(30, 70);
	CHECK_EQ(rig_data_len(dst), 60);
	CHECK_OK(doca_buf_get_data(dst, &data));
	CHECK(data == to + 10);
	rig_drop(dst);
}

static void lists(void)
{
	static const int cuts[][2] = { { 1, 2 }, { 2, 1 }, { 3, 5 }, { 7, 7 }, { 64, 63 }, { 1, 128 }, { 128, 1 } };

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		struct doca_buf *src = dma_list(&dma, from_map, from, LEN, cuts[i][0], 1);
		struct doca_buf *dst = dma_list(&dma, to_map, to + 3, LEN + 1000, cuts[i][1], 0);
		size_t len = 0;

		memset(to, 0xee, AREA);
		CHECK_OK(doca_buf_inc_refcount(dst, NULL));
		CHECK_OK(dma_copy(&dma, src, dst));
		check_untouched(3, 3 + LEN);
		for (struct doca_buf *buf = dst; buf != NULL; CHECK_OK(doca_buf_get_next_in_list(buf, &buf)))
			len += rig_data_len(buf);
		CHECK_EQ(len, LEN);
		rig_drop(dst);
	}
}

/* Elements without content, or without room, are skipped. */
static void empty_elements(void)
{
	struct doca_buf *src = dma_room(&dma, from_map, from, 10), *dst = dma_room(&dma, to_map, to, 10);

	memset(to, 0xee, AREA);
	CHECK_OK(doca_buf_set_data_len(dst, 10));
	CHECK_OK(doca_buf_chain_list(src, dma_source(&dma, from_map, from, 50)));
	CHECK_OK(doca_buf_chain_list(src, dma_room(&dma, from_map, from, 10)));
	CHECK_OK(doca_buf_chain_list(dst, dma_room(&dma, to_map, to + 100, 60)));
	CHECK_OK(dma_copy(&dma, src, dst));
	check_untouched(100, 150);
}

static void refuse(struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_task *task;
	uint8_t before[AREA];

	memcpy(before, to, AREA);
	if (dma_state(&dma) != DOCA_CTX_STATE_RUNNING)
		CHECK_OK(doca_ctx_start(dma.ctx));
	task = dma_alloc(&dma, src, dst, 0);
	CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	doca_task_free(task);
	CHECK_EQ(dma_copy(&dma, src, dst), DOCA_ERROR_IO_FAILED);
	CHECK(memcmp(before, to, AREA) == 0);
}

static void impossible(void)
{
	struct doca_buf *odd;
	uint32_t most;

	CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(doca_dev_as_devinfo(dma.dev), &most));
	refuse(dma_source(&dma, from_map, from, 0), dma_room(&dma, to_map, to, 10));
	refuse(dma_source(&dma, from_map, from, 11), dma_room(&dma, to_map, to, 10));
	refuse(dma_list(&dma, from_map, from, 5000, (int)most + 1, 1), dma_room(&dma, to_map, to, AREA));
	refuse(dma_source(&dma, from_map, from, 5000), dma_list(&dma, to_map, to, 5000, (int)most + 1, 0));
	refuse(dma_source(&dma, to_map, to, 10), dma_room(&dma, from_map, from, 10)); /* from is not writable */
	odd = dma_source(&dma, from_map, from + AREA - 10, 10);
	CHECK_OK(doca_buf_set_data_len(odd, 11)); /* outside its window */
	refuse(odd, dma_room(&dma, to_map, to, 100));
}

static void overlapping(void)
{
	memset(to, 0xee, AREA);
	dma_fill(to, 1000, 3);
	CHECK_OK(dma_copy(&dma, dma_source(&dma, to_map, to, 1000), dma_room(&dma, to_map, to + 500, 1000)));
	CHECK(to[1500] == 0xee);
}

static void run(int at_the_end)
{
	struct doca_dev *dev = rig_open_device("03:00.0");

	dma_open(&dma, dev, 4);
	from = dma_guarded(AREA, at_the_end);
	to = dma_guarded(AREA, at_the_end);
	dma_fill(from, AREA, 1);
	from_map = start_map(from, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	to_map = start_map(to, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	CHECK_OK(doca_ctx_start(dma.ctx));
	lengths();
	appends();
	lists();
	empty_elements();
	impossible();
	overlapping();
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(from_map));
	CHECK_OK(doca_mmap_destroy(to_map));
	CHECK_OK(doca_dev_close(dev));
	dma_unguard(from, AREA);
	dma_unguard(to, AREA);
	rig_check_nothing_is_left();
}

int main(void)
{
	run(0);
	run(1);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	run(1);
	return 0;
}
