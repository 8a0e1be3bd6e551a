/*
 * Deflates a text on the first device that can. PKG_CONFIG_PATH and LD_LIBRARY_PATH name the SDK, as docs/software-dpu.md shows.
 *
 * build: cc -DDOCA_ALLOW_EXPERIMENTAL_API -o deflate deflate.c $(pkg-config --cflags --libs doca-common doca-compress)
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_compress.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

enum { HALF = 4096 };

static void must(doca_error_t status, const char *operation)
{
	if (status == DOCA_SUCCESS)
		return;
	fprintf(stderr, "%s: %s\n", operation, doca_error_get_descr(status));
	exit(EXIT_FAILURE);
}

static struct doca_dev *open_device(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;

	must(doca_devinfo_create_list(&list, &count), "doca_devinfo_create_list");
	for (i = 0; i < count && dev == NULL; i++)
		if (doca_compress_cap_task_compress_deflate_is_supported(list[i]) == DOCA_SUCCESS)
			must(doca_dev_open(list[i], &dev), "doca_dev_open");
	must(doca_devinfo_destroy_list(list), "doca_devinfo_destroy_list");
	if (dev == NULL)
		must(DOCA_ERROR_NOT_FOUND, "a device that deflates");
	return dev;
}

static void ended(struct doca_compress_task_compress_deflate *task, union doca_data is_over, union doca_data unused)
{
	(void)unused;
	must(doca_task_get_status(doca_compress_task_compress_deflate_as_task(task)), "deflate task");
	printf("crc32 %08x\n", doca_compress_task_compress_deflate_get_crc_cs(task));
	doca_task_free(doca_compress_task_compress_deflate_as_task(task));
	*(bool *)is_over.ptr = true;
}

/* Submits one task and polls the device until it has ended. */
static void deflate(struct doca_pe *pe, struct doca_compress *compress, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_compress_task_compress_deflate *task;
	bool is_over = false;

	must(doca_compress_task_compress_deflate_alloc_init(compress, src, dst, (union doca_data){ .ptr = &is_over }, &task),
	     "doca_compress_task_compress_deflate_alloc_init");
	must(doca_task_submit(doca_compress_task_compress_deflate_as_task(task)), "doca_task_submit");
	while (!is_over)
		doca_pe_progress(pe);
}

int main(void)
{
	static char memory[2 * HALF];
	struct doca_dev *dev = open_device();
	struct doca_buf_inventory *inventory;
	struct doca_compress *compress;
	struct doca_buf *src, *dst;
	struct doca_mmap *mmap;
	struct doca_pe *pe;
	size_t length = 0, deflated;

	while (length < 1200)
		length += (size_t)sprintf(memory + length, "hello, DPU! ");
	must(doca_mmap_create(&mmap), "doca_mmap_create");
	must(doca_mmap_set_memrange(mmap, memory, sizeof(memory)), "doca_mmap_set_memrange");
	must(doca_mmap_add_dev(mmap, dev), "doca_mmap_add_dev");
	must(doca_mmap_start(mmap), "doca_mmap_start");
	must(doca_buf_inventory_create(2, &inventory), "doca_buf_inventory_create");
	must(doca_buf_inventory_start(inventory), "doca_buf_inventory_start");
	must(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, length, &src), "source");
	must(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + HALF, HALF, &dst), "destination");
	must(doca_pe_create(&pe), "doca_pe_create");
	must(doca_compress_create(dev, &compress), "doca_compress_create");
	must(doca_compress_task_compress_deflate_set_conf(compress, ended, ended, 1), "set_conf");
	must(doca_pe_connect_ctx(pe, doca_compress_as_ctx(compress)), "doca_pe_connect_ctx");
	must(doca_ctx_start(doca_compress_as_ctx(compress)), "doca_ctx_start");

	deflate(pe, compress, src, dst);
	must(doca_buf_get_data_len(dst, &deflated), "doca_buf_get_data_len");
	printf("%zu -> %zu bytes\n", length, deflated);

	must(doca_ctx_stop(doca_compress_as_ctx(compress)), "doca_ctx_stop");
	must(doca_compress_destroy(compress), "doca_compress_destroy");
	must(doca_pe_destroy(pe), "doca_pe_destroy");
	must(doca_buf_dec_refcount(src, NULL), "source");
	must(doca_buf_dec_refcount(dst, NULL), "destination");
	must(doca_buf_inventory_destroy(inventory), "doca_buf_inventory_destroy");
	must(doca_mmap_destroy(mmap), "doca_mmap_destroy");
	must(doca_dev_close(dev), "doca_dev_close");
	return EXIT_SUCCESS;
}
