/* A typical program for an installed SDK: open a device, deflate a buffer on it, inflate the result, compare. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_build_config.h>
#include <doca_compress.h>
#include <doca_config.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_version.h>

#if defined(EXPECT_dpu) && !defined(DOCA_ARCH_DPU)
#error the DPU flavour does not say so
#endif
#if defined(EXPECT_host) && defined(DOCA_ARCH_DPU)
#error the host flavour claims to be a DPU
#endif

DOCA_LOG_REGISTER(OUTSIDE);

enum { TEXT_LEN = 50000, AREA_LEN = 3 * 65536 };

#define MUST(call)                                                                                \
	do {                                                                                      \
		doca_error_t must = (call);                                                       \
		if (must != DOCA_SUCCESS) {                                                       \
			DOCA_LOG_ERR("%s: %s", #call, doca_error_get_descr(must));                \
			exit(EXIT_FAILURE);                                                       \
		}                                                                                 \
	} while (0)

static int num_done;

static void compressed(struct doca_compress_task_compress_deflate *task, union doca_data task_user_data,
		       union doca_data ctx_user_data)
{
	(void)ctx_user_data;
	MUST(doca_task_get_status(doca_compress_task_compress_deflate_as_task(task)));
	*(uint32_t *)task_user_data.ptr = doca_compress_task_compress_deflate_get_crc_cs(task);
	doca_task_free(doca_compress_task_compress_deflate_as_task(task));
	num_done++;
}

static void decompressed(struct doca_compress_task_decompress_deflate *task, union doca_data task_user_data,
			 union doca_data ctx_user_data)
{
	(void)ctx_user_data;
	MUST(doca_task_get_status(doca_compress_task_decompress_deflate_as_task(task)));
	*(uint32_t *)task_user_data.ptr = doca_compress_task_decompress_deflate_get_crc_cs(task);
	doca_task_free(doca_compress_task_decompress_deflate_as_task(task));
	num_done++;
}

/* Opens the first device that supports deflate in both directions. */
static struct doca_dev *open_device(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;

	MUST(doca_devinfo_create_list(&list, &count));
	for (i = 0; i < count && dev == NULL; i++)
		if (doca_compress_cap_task_compress_deflate_is_supported(list[i]) == DOCA_SUCCESS &&
		    doca_compress_cap_task_decompress_deflate_is_supported(list[i]) == DOCA_SUCCESS)
			MUST(doca_dev_open(list[i], &dev));
	MUST(doca_devinfo_destroy_list(list));
	if (dev == NULL)
		exit(EXIT_FAILURE);
	return dev;
}

static void wait_for(struct doca_pe *pe, int num)
{
	long turns;

	for (turns = 0; num_done < num && turns < 2000000000L; turns++)
		(void)doca_pe_progress(pe);
	if (num_done != num)
		exit(EXIT_FAILURE);
}

int main(void)
{
	static char area[AREA_LEN];
	struct doca_compress_task_compress_deflate *compress_task;
	struct doca_compress_task_decompress_deflate *decompress_task;
	struct doca_buf *text, *packed, *copy;
	struct doca_buf_inventory *inventory;
	struct doca_compress *compress;
	struct doca_log_backend *sdk_log;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct doca_pe *pe;
	uint32_t crc_in = 1, crc_out = 2;
	union doca_data data;
	size_t len, i;

	MUST(doca_log_backend_create_standard());
	MUST(doca_log_backend_create_with_file_sdk(stderr, &sdk_log));
	MUST(doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING));
	for (i = 0; i < TEXT_LEN; i++)
		area[i] = (char)('a' + i % 17 * (i % 5));

	dev = open_device();
	MUST(doca_mmap_create(&mmap));
	MUST(doca_mmap_set_memrange(mmap, area, sizeof(area)));
	MUST(doca_mmap_add_dev(mmap, dev));
	MUST(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	MUST(doca_mmap_start(mmap));
	MUST(doca_buf_inventory_create(3, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap, area, TEXT_LEN, &text));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + 65536, 65536, &packed));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + 2 * 65536, 65536, &copy));

	MUST(doca_pe_create(&pe));
	MUST(doca_compress_create(dev, &compress));
	MUST(doca_compress_task_compress_deflate_set_conf(compress, compressed, compressed, 1));
	MUST(doca_compress_task_decompress_deflate_set_conf(compress, decompressed, decompressed, 1));
	MUST(doca_pe_connect_ctx(pe, doca_compress_as_ctx(compress)));
	MUST(doca_ctx_start(doca_compress_as_ctx(compress)));

	data.ptr = &crc_in;
	MUST(doca_compress_task_compress_deflate_alloc_init(compress, text, packed, data, &compress_task));
	MUST(doca_task_submit(doca_compress_task_compress_deflate_as_task(compress_task)));
	wait_for(pe, 1);
	data.ptr = &crc_out;
	MUST(doca_compress_task_decompress_deflate_alloc_init(compress, packed, copy, data, &decompress_task));
	MUST(doca_task_submit(doca_compress_task_decompress_deflate_as_task(decompress_task)));
	wait_for(pe, 2);
	MUST(doca_buf_get_data_len(copy, &len));
	if (len != TEXT_LEN || memcmp(area, area + 2 * 65536, TEXT_LEN) != 0 || crc_in != crc_out)
		return EXIT_FAILURE;

	MUST(doca_ctx_stop(doca_compress_as_ctx(compress)));
	MUST(doca_compress_destroy(compress));
	MUST(doca_pe_destroy(pe));
	MUST(doca_buf_dec_refcount(text, NULL));
	MUST(doca_buf_dec_refcount(packed, NULL));
	MUST(doca_buf_dec_refcount(copy, NULL));
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_mmap_destroy(mmap));
	MUST(doca_dev_close(dev));
	MUST(strcmp(doca_version(), doca_version_runtime()) == 0 ? DOCA_SUCCESS : DOCA_ERROR_UNSUPPORTED_VERSION);
	return EXIT_SUCCESS;
}
