/*
 * Every access to exported memory has a defined result, and none touches a byte outside the range:
 *   {this process's export, another process's} x {read, write} x {permitted, not permitted}
 *   x {in range, across the end, map stopped, map destroyed, exporter dead, exporter another program} x {single, list}
 */
#include "exporter.h"

enum end { STANDS, STOPPED, DESTROYED, DEAD, EXECUTED, ENDS };

enum { PIECES = 5 };

static struct dma dma;
static struct doca_dev *host;
static struct doca_mmap *local;
static uint8_t *memory;

/* An exported range, of this or another process. */
struct range {
	struct exporter exporter;
	uint8_t is_foreign;
	struct exporter_state own;
	struct doca_mmap *imported;
	uint8_t *addr;
};

static void offer(struct range *range, uint8_t is_foreign, uint32_t permissions)
{
	const void *desc = range->exporter.desc;
	size_t len;

	memset(range, 0, sizeof(*range));
	range->is_foreign = is_foreign;
	if (is_foreign) {
		exporter_start(&range->exporter);
		exporter_share(&range->exporter, permissions);
		exporter_command(&range->exporter, EXPORTER_FILL, 1);
		len = range->exporter.desc_len;
		range->addr = range->exporter.addr;
		desc = range->exporter.desc;
	} else {
		struct exporter_message message = { .order = EXPORTER_EXPORT, .permissions = permissions };

		range->own.dev = host;
		exporter_export(&range->own, &message);
		dma_fill(range->own.area + EXPORTER_CANARY, EXPORTER_LEN, 1);
		CHECK_OK(doca_mmap_export_pci(range->own.map, host, &desc, &len));
		range->addr = range->own.area + EXPORTER_CANARY;
	}
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dma.dev, &range->imported));
}

static void end(struct range *range, enum end how)
{
	struct exporter_message message;

	if (how == STANDS)
		return;
	if (!range->is_foreign) {
		CHECK_OK(doca_mmap_stop(range->own.map));
		if (how == STOPPED)
			dma_fill(range->own.area + EXPORTER_CANARY, EXPORTER_LEN, 2);
		else
			exporter_destroy(&range->own);
		return;
	}
	if (how == STOPPED)
		exporter_command(&range->exporter, EXPORTER_STOP, 2);
	else if (how == DESTROYED)
		exporter_command(&range->exporter, EXPORTER_DESTROY, 0);
	else if (how == DEAD)
		exporter_kill(&range->exporter);
	else {
		exporter_send(&range->exporter, EXPORTER_EXEC, 0);
		exporter_receive(range->exporter.socket, &message);
	}
}

/* Returns the number of changed bytes of the exported range; checks the canaries. */
static uint64_t count_changed(struct range *range, enum end how)
{
	struct exporter_message message = { .order = EXPORTER_CHECK, .seed = how == STOPPED ? 2 : 1 };

	if (how > STOPPED)
		return 0;
	if (range->is_foreign)
		return exporter_command(&range->exporter, EXPORTER_CHECK, message.seed);
	exporter_check(&range->own, &message);
	return message.count;
}

static void withdraw(struct range *range, enum end how)
{
	int status;

	CHECK_OK(doca_mmap_destroy(range->imported));
	if (!range->is_foreign) {
		exporter_destroy(&range->own);
	} else if (how == EXECUTED) {
		exporter_send(&range->exporter, EXPORTER_QUIT, 0);
		status = exporter_reap(&range->exporter);
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	} else if (how != DEAD) {
		exporter_quit(&range->exporter);
	}
}

static void read_range(struct range *range, doca_error_t expected, int pieces)
{
	struct doca_buf *src = dma_list(&dma, range->imported, range->addr, EXPORTER_LEN, pieces, 1);
	struct doca_buf *dst = dma_list(&dma, local, memory, EXPORTER_LEN, pieces == 1 ? 1 : pieces - 1, 0);

	memset(memory, 0xee, EXPORTER_LEN);
	CHECK_EQ(dma_copy(&dma, src, dst), expected);
	for (size_t i = 0; i < EXPORTER_LEN; i++)
		CHECK(memory[i] == (expected == DOCA_SUCCESS ? exporter_byte(i, 1) : 0xee));
}

static uint64_t write_range(struct range *range, doca_error_t expected, int pieces, enum end how)
{
	struct doca_buf *src = dma_list(&dma, local, memory, EXPORTER_LEN, pieces == 1 ? 1 : pieces + 1, 1);
	struct doca_buf *dst = dma_list(&dma, range->imported, range->addr, EXPORTER_LEN, pieces, 0);

	memset(memory, 0xee, EXPORTER_LEN);
	CHECK_EQ(dma_copy(&dma, src, dst), expected);
	return count_changed(range, how);
}

/* Buffers beyond the range are refused before they reach the device. The device refuses a content beyond the window. */
static void across_the_end(struct range *range, int pieces)
{
	struct doca_buf *buf, *dst;

	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, range->imported, range->addr, EXPORTER_LEN + 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, range->imported, range->addr - 1, 2, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, range->imported, range->addr + EXPORTER_LEN, 1, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, range->imported, range->addr + 1, SIZE_MAX, &buf),
		    DOCA_ERROR_INVALID_VALUE);
	/* An address of this process is invalid in the other process, unless both happen to use the same one. */
	if (memory < range->addr || memory >= range->addr + EXPORTER_LEN)
		CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, range->imported, memory, 1, &buf),
			    DOCA_ERROR_INVALID_VALUE);
	buf = dma_list(&dma, range->imported, range->addr + EXPORTER_LEN - 1000, 1000, pieces, 1);
	CHECK_OK(doca_buf_set_data_len(buf, 1001));
	memset(memory, 0xee, EXPORTER_LEN);
	CHECK_EQ(dma_copy(&dma, buf, dma_room(&dma, local, memory, EXPORTER_LEN)), DOCA_ERROR_IO_FAILED);
	for (size_t i = 0; i < EXPORTER_LEN; i++)
		CHECK(memory[i] == 0xee);
	dst = dma_list(&dma, range->imported, range->addr + EXPORTER_LEN - 1000, 1000, pieces, 0);
	CHECK_EQ(dma_copy(&dma, dma_source(&dma, local, memory, 1001), dst), DOCA_ERROR_IO_FAILED);
	dst = dma_room(&dma, range->imported, range->addr + EXPORTER_LEN - 1000, 1000);
	CHECK_OK(doca_buf_set_data(dst, range->addr + EXPORTER_LEN, 100));
	CHECK_EQ(dma_copy(&dma, dma_source(&dma, local, memory, 100), dst), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(count_changed(range, STANDS), 0);
}

static void row(uint8_t is_foreign, uint32_t permissions, enum end how, int pieces)
{
	uint8_t may_write = (permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0;
	doca_error_t can_read = how == STANDS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
	doca_error_t can_write = how == STANDS && may_write ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
	uint64_t num_changed;
	struct range range;

	offer(&range, is_foreign, permissions);
	across_the_end(&range, pieces);
	end(&range, how);
	read_range(&range, can_read, pieces);
	num_changed = write_range(&range, can_write, pieces, how);
	CHECK(can_write == DOCA_SUCCESS ? num_changed > EXPORTER_LEN / 2 : num_changed == 0);
	withdraw(&range, how);
}

/* Single bytes at both ends, and copies between ranges. */
static void corners(uint8_t is_foreign)
{
	struct range from, to;

	offer(&from, is_foreign, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	offer(&to, 1, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	CHECK_OK(dma_copy(&dma, dma_source(&dma, from.imported, from.addr, 1), dma_room(&dma, local, memory, 1)));
	CHECK(memory[0] == exporter_byte(0, 1));
	CHECK_OK(dma_copy(&dma, dma_source(&dma, from.imported, from.addr + EXPORTER_LEN - 1, 1), dma_room(&dma, local, memory, 1)));
	CHECK(memory[0] == exporter_byte(EXPORTER_LEN - 1, 1));
	memset(memory, 0xee, EXPORTER_LEN);
	CHECK_OK(dma_copy(&dma, dma_source(&dma, local, memory, EXPORTER_LEN), dma_room(&dma, to.imported, to.addr, EXPORTER_LEN)));
	CHECK(count_changed(&to, STANDS) > 0);
	CHECK_OK(dma_copy(&dma, dma_list(&dma, from.imported, from.addr, EXPORTER_LEN, 3, 1),
			  dma_list(&dma, to.imported, to.addr, EXPORTER_LEN, 4, 0)));
	CHECK_EQ(count_changed(&to, STANDS), 0);
	withdraw(&from, STANDS);
	withdraw(&to, STANDS);
}

int main(int argc, char **argv)
{
	static const uint32_t permissions[] = { DOCA_ACCESS_FLAG_PCI_READ_ONLY, DOCA_ACCESS_FLAG_PCI_READ_WRITE,
						DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE };
	struct doca_dev *dev;

	exporter_main(argc, argv);
	exporter_folder();
	dev = rig_open_device("03:00.0");
	host = rig_open_device("81:00.0");
	dma_open(&dma, dev, 8);
	memory = dma_guarded(EXPORTER_LEN, 1);
	CHECK_OK(doca_mmap_create(&local));
	CHECK_OK(doca_mmap_set_memrange(local, memory, EXPORTER_LEN));
	CHECK_OK(doca_mmap_set_permissions(local, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(local, dev));
	CHECK_OK(doca_mmap_start(local));
	for (int p = 0; p < 3; p++) {
		for (enum end how = STANDS; how < ENDS; how++) {
			row(1, permissions[p], how, 1);
			row(1, permissions[p], how, PIECES);
			if (how < DEAD) {
				row(0, permissions[p], how, 1);
				row(0, permissions[p], how, PIECES);
			}
		}
	}
	corners(0);
	corners(1);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(local));
	CHECK_OK(doca_dev_close(dev));
	CHECK_OK(doca_dev_close(host));
	dma_unguard(memory, EXPORTER_LEN);
	rig_check_nothing_is_left();
	exporter_remove_folder(1);
	exporter_again_without_process_vm(argv);
	return 0;
}
