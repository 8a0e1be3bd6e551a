/*
 * Local memory, every row: with or without permission, inside, across the end, after the stop of the map, as one buffer or as a
 * list. The memory ends at an inaccessible page. (Memory of other processes: test_export_table.c.)
 */
#include "dma.h"

enum { LEN = 10000, PIECES = 3 };

static struct dma dma;
static struct doca_mmap *other_map;
static uint8_t *memory, *other;

/* Keeps the default permissions of a map. */
#define AS_CREATED UINT32_MAX

static struct doca_mmap *start_map(uint8_t *addr, uint32_t permissions)
{
	struct doca_mmap *map;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, addr, LEN));
	if (permissions != AS_CREATED)
		CHECK_OK(doca_mmap_set_permissions(map, permissions));
	CHECK_OK(doca_mmap_add_dev(map, dma.dev));
	CHECK_OK(doca_mmap_start(map));
	return map;
}

static int is_filled(const uint8_t *addr, uint8_t byte)
{
	for (size_t i = 0; i < LEN; i++)
		if (addr[i] != byte)
			return 0;
	return 1;
}

static void fill_both(void)
{
	memset(memory, 0x11, LEN);
	memset(other, 0x22, LEN);
}

static void in_range(struct doca_mmap *map, uint8_t may_write, int pieces)
{
	fill_both();
	CHECK_OK(dma_copy(&dma, dma_list(&dma, map, memory, LEN, pieces, 1), dma_list(&dma, other_map, other, LEN, pieces + 1, 0)));
	CHECK(is_filled(other, 0x11));
	fill_both();
	CHECK_EQ(dma_copy(&dma, dma_list(&dma, other_map, other, LEN, pieces + 1, 1), dma_list(&dma, map, memory, LEN, pieces, 0)),
		 may_write ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
	CHECK(is_filled(memory, may_write ? 0x22 : 0x11));
}

/* A program sets content beyond the end of the last piece, or more content than the destination has room for. */
static void across_the_end(struct doca_mmap *map, int pieces)
{
	struct doca_buf *buf, *last;

	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, map, memory, LEN + 1, &buf), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, map, memory + LEN, 1, &buf), DOCA_ERROR_INVALID_VALUE);
	fill_both();
	buf = dma_list(&dma, map, memory + LEN - 900, 900, pieces, 1);
	CHECK_OK(doca_buf_get_last_in_list(buf, &last));
	CHECK_OK(doca_buf_set_data_len(last, (size_t)(900 / pieces + 1)));
	CHECK_EQ(dma_copy(&dma, buf, dma_room(&dma, other_map, other, LEN)), DOCA_ERROR_IO_FAILED);
	CHECK(is_filled(other, 0x22));
	buf = dma_list(&dma, map, memory + LEN - 900, 900, pieces, 0);
	CHECK_EQ(dma_copy(&dma, dma_source(&dma, other_map, other, 901), buf), DOCA_ERROR_IO_FAILED);
	CHECK(is_filled(memory, 0x11));
}

/* A map with buffers cannot be stopped; a stopped map provides no buffers. */
static void stopped(struct doca_mmap *map, int pieces)
{
	struct doca_buf *buf = dma_list(&dma, map, memory, LEN, pieces, 1);

	CHECK_ERROR(doca_mmap_stop(map), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_destroy(map), DOCA_ERROR_NOT_PERMITTED);
	rig_drop(buf);
	CHECK_OK(doca_mmap_stop(map));
	CHECK(doca_buf_inventory_buf_get_by_addr(dma.inventory, map, memory, 1, &buf) != DOCA_SUCCESS);
	CHECK_OK(doca_mmap_destroy(map));
}

int main(void)
{
	static const uint32_t permissions[] = { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, DOCA_ACCESS_FLAG_PCI_READ_ONLY,
						DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, DOCA_ACCESS_FLAG_PCI_READ_WRITE,
						DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
						AS_CREATED };
	const uint32_t writable = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
	struct doca_dev *dev = rig_open_device("03:00.0");

	dma_open(&dma, dev, 4);
	memory = dma_guarded(LEN, 1);
	other = dma_guarded(LEN, 1);
	other_map = start_map(other, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	for (size_t i = 0; i < sizeof(permissions) / sizeof(permissions[0]); i++) {
		for (int pieces = 1; pieces <= PIECES; pieces += PIECES - 1) {
			struct doca_mmap *map = start_map(memory, permissions[i]);

			in_range(map, (permissions[i] & writable) != 0, pieces);
			across_the_end(map, pieces);
			stopped(map, pieces);
		}
	}
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(other_map));
	CHECK_OK(doca_dev_close(dev));
	dma_unguard(memory, LEN);
	dma_unguard(other, LEN);
	rig_check_nothing_is_left();
	return 0;
}
