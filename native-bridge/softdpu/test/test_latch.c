/* A latch records the state of buffers, keeps their maps from stopping, and never uses a returned buffer. */
#include "objects.h"
#include "sd_memory.h"

static uint8_t memory[1000];
static struct doca_dev *dev, *other;
static struct doca_mmap *map;

static void check_segment(const struct sd_latch *latch, uint32_t index, size_t offset, size_t len)
{
	CHECK(index < latch->count);
	CHECK(latch->segments[index].addr == memory + offset);
	CHECK_EQ(latch->segments[index].len, len);
}

/* Returns a list of num buffers of 100 bytes each, with 10 bytes of content from their third byte. */
static struct doca_buf *make_list(struct doca_buf_inventory *inventory, struct doca_mmap *of, size_t num)
{
	struct doca_buf *head = NULL, *buf;
	size_t i;

	for (i = 0; i < num; i++) {
		uint8_t *at = memory + 100 * i;

		CHECK_OK(doca_buf_inventory_buf_get_by_args(inventory, of, at, 100, at + 2, 10, &buf));
		if (head == NULL)
			head = buf;
		else
			CHECK_OK(doca_buf_chain_list(head, buf));
	}
	return head;
}

static size_t data_len(struct doca_buf *buf)
{
	size_t len;

	CHECK_OK(doca_buf_get_data_len(buf, &len));
	return len;
}

static void test_segments(size_t num)
{
	struct doca_buf_inventory *inventory = start_inventory(num);
	struct doca_buf *list = make_list(inventory, map, num);
	struct sd_latch source = { 0 }, destination = { 0 };
	uint32_t i;

	CHECK_OK(sd_latch_source(&source, list, dev));
	CHECK_OK(sd_latch_destination(&destination, list, dev));
	CHECK_EQ(source.count, num);
	CHECK_EQ(source.total, 10 * num);
	CHECK_EQ(destination.total, 88 * num);
	for (i = 0; i < num; i++) {
		check_segment(&source, i, 100 * i + 2, 10);
		check_segment(&destination, i, 100 * i + 12, 88);
	}
	sd_latch_release(&source);
	sd_latch_release(&source);
	sd_latch_release(&destination);
	CHECK_OK(doca_buf_dec_refcount(list, NULL));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void test_commit(void)
{
	struct doca_buf_inventory *inventory = start_inventory(3);
	struct doca_buf *list = make_list(inventory, map, 3), *second, *third;
	struct sd_latch latch = { 0 };

	CHECK_OK(doca_buf_get_next_in_list(list, &second));
	CHECK_OK(doca_buf_get_next_in_list(second, &third));
	CHECK_OK(sd_latch_destination(&latch, list, dev));
	sd_latch_commit(&latch, 90);
	CHECK_EQ(data_len(list), 98);
	CHECK_EQ(data_len(second), 12);
	CHECK_EQ(data_len(third), 10);
	sd_latch_release(&latch);

	/* An empty latch, and the latch of a source, ignore a commit. */
	sd_latch_commit(&latch, 5);
	CHECK_OK(sd_latch_source(&latch, list, dev));
	sd_latch_commit(&latch, 5);
	CHECK_EQ(data_len(list), 98);
	sd_latch_release(&latch);
	CHECK_OK(doca_buf_dec_refcount(list, NULL));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* The program releases its buffer while the task is in flight (Q22); the inventory waits for the task. */
static void test_released_while_latched(void)
{
	struct doca_buf_inventory *inventory = start_inventory(1);
	struct doca_buf *buf = make_list(inventory, map, 1), *again;
	struct sd_latch latch = { 0 };

	CHECK_OK(sd_latch_destination(&latch, buf, dev));
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	again = make_list(inventory, map, 1);
	CHECK(again == buf);
	sd_latch_commit(&latch, 5);
	CHECK_EQ(data_len(again), 10); /* output of another buffer */
	sd_latch_release(&latch);

	CHECK_OK(sd_latch_destination(&latch, again, dev));
	CHECK_OK(doca_buf_inventory_buf_reuse_by_addr(again, memory, 50));
	sd_latch_commit(&latch, 5);
	CHECK_EQ(data_len(again), 0);
	sd_latch_release(&latch);

	CHECK_OK(sd_latch_destination(&latch, again, dev));
	CHECK_OK(doca_buf_dec_refcount(again, NULL));
	CHECK_ERROR(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
	check_segment(&latch, 0, 0, 50);
	sd_latch_commit(&latch, 5);
	sd_latch_release(&latch);
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* Registered memory stays as long as a task in flight uses it (Q23). */
static void test_map_stays(void)
{
	struct doca_buf_inventory *inventory = start_inventory(3);
	struct doca_mmap *mmap = start_map(dev, memory, sizeof(memory));
	struct doca_buf *list = make_list(inventory, mmap, 3);
	struct sd_latch source = { 0 }, destination = { 0 };

	CHECK_OK(sd_latch_source(&source, list, dev));
	CHECK_OK(sd_latch_destination(&destination, list, dev));
	CHECK_OK(doca_buf_dec_refcount(list, NULL));
	CHECK_ERROR(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	sd_latch_release(&source);
	CHECK_ERROR(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	sd_latch_release(&destination);
	CHECK_OK(doca_mmap_stop(mmap));
	CHECK_OK(doca_mmap_destroy(mmap));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void test_refusals(void)
{
	struct doca_buf_inventory *inventory = start_inventory(3);
	struct doca_mmap *readable = make_map(dev, memory, sizeof(memory), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	struct sd_latch latch = { 0 };
	struct doca_buf *list;

	CHECK_OK(doca_mmap_start(readable));
	CHECK_ERROR(sd_latch_source(&latch, NULL, dev), DOCA_ERROR_INVALID_VALUE);
	list = make_list(inventory, readable, 3);
	CHECK_ERROR(sd_latch_source(&latch, list, other), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(sd_latch_destination(&latch, list, dev), DOCA_ERROR_NOT_PERMITTED);
	CHECK_OK(sd_latch_source(&latch, list, dev)); /* local reads are always permitted */
	sd_latch_release(&latch);

	CHECK_OK(doca_buf_set_data_len(list, 99)); /* one byte outside the window */
	CHECK_ERROR(sd_latch_source(&latch, list, dev), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_set_data(list, memory + 500, 0));
	CHECK_ERROR(sd_latch_source(&latch, list, dev), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_set_data(list, memory + 1, SIZE_MAX));
	CHECK_ERROR(sd_latch_source(&latch, list, dev), DOCA_ERROR_INVALID_VALUE);
	sd_latch_release(&latch); /* after a refusal: nothing to release */
	CHECK_OK(doca_buf_dec_refcount(list, NULL));
	CHECK_ERROR(sd_latch_source(&latch, list, dev), DOCA_ERROR_INVALID_VALUE); /* returned */
	CHECK_OK(doca_mmap_destroy(readable));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void test_empty(void)
{
	struct doca_buf_inventory *inventory = start_inventory(1);
	struct sd_latch latch = { 0 };
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, 100, &buf));
	CHECK_OK(sd_latch_source(&latch, buf, dev));
	CHECK_EQ(latch.total, 0);
	sd_latch_release(&latch);
	CHECK_OK(doca_buf_set_data_len(buf, 100));
	CHECK_OK(sd_latch_destination(&latch, buf, dev));
	CHECK_EQ(latch.total, 0);
	sd_latch_release(&latch);
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
}

int main(void)
{
	dev = open_device("03:00.0");
	other = open_device("03:00.1");
	map = start_map(dev, memory, sizeof(memory));
	test_segments(1);
	test_segments(SD_LATCH_INLINE_SEGMENTS);
	test_segments(SD_LATCH_INLINE_SEGMENTS + 1);
	test_segments(10);
	test_commit();
	test_released_while_latched();
	test_map_stays();
	test_refusals();
	test_empty();
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	CHECK_OK(doca_dev_close(other));
	check_census_empty();
	return 0;
}
