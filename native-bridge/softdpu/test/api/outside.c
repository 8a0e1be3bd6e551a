/* A typical program for an installed SDK: open a device, deflate a buffer on it, inflate the result, compare. */
#include <doca_build_config.h>
#include <doca_compress.h>
#include <doca_config.h>
#include <doca_version.h>

#include "outside.h"

#if defined(EXPECT_dpu) && !defined(DOCA_ARCH_DPU)
#error the DPU flavour does not say so
#endif
#if defined(EXPECT_host) && defined(DOCA_ARCH_DPU)
#error the host flavour claims to be a DPU
#endif

enum { TEXT_LEN = 50000, AREA_LEN = 3 * 65536 };

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

static int supports(const struct doca_devinfo *devinfo)
{
	return doca_compress_cap_task_compress_deflate_is_supported(devinfo) == DOCA_SUCCESS &&
	       doca_compress_cap_task_decompress_deflate_is_supported(devinfo) == DOCA_SUCCESS;
}

int main(void)
{
	static char area[AREA_LEN];
	struct doca_compress_task_compress_deflate *compress_task;
	struct doca_compress_task_decompress_deflate *decompress_task;
	struct doca_buf *text, *packed, *copy;
	struct outside out;
	struct doca_compress *compress;
	struct doca_log_backend *sdk_log;
	uint32_t crc_in = 1, crc_out = 2;
	union doca_data data;
	size_t len, i;

	MUST(doca_log_backend_create_with_file_sdk(stderr, &sdk_log));
	MUST(doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING));
	for (i = 0; i < TEXT_LEN; i++)
		area[i] = (char)('a' + i % 17 * (i % 5));

	open_outside(&out, supports, area, sizeof(area), 3);
	MUST(doca_buf_inventory_buf_get_by_data(out.inventory, out.mmap, area, TEXT_LEN, &text));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + 65536, 65536, &packed));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + 2 * 65536, 65536, &copy));

	MUST(doca_compress_create(out.dev, &compress));
	MUST(doca_compress_task_compress_deflate_set_conf(compress, compressed, compressed, 1));
	MUST(doca_compress_task_decompress_deflate_set_conf(compress, decompressed, decompressed, 1));
	MUST(doca_pe_connect_ctx(out.pe, doca_compress_as_ctx(compress)));
	MUST(doca_ctx_start(doca_compress_as_ctx(compress)));

	data.ptr = &crc_in;
	MUST(doca_compress_task_compress_deflate_alloc_init(compress, text, packed, data, &compress_task));
	MUST(doca_task_submit(doca_compress_task_compress_deflate_as_task(compress_task)));
	wait_for(out.pe, 1);
	data.ptr = &crc_out;
	MUST(doca_compress_task_decompress_deflate_alloc_init(compress, packed, copy, data, &decompress_task));
	MUST(doca_task_submit(doca_compress_task_decompress_deflate_as_task(decompress_task)));
	wait_for(out.pe, 2);
	MUST(doca_buf_get_data_len(copy, &len));
	if (len != TEXT_LEN || memcmp(area, area + 2 * 65536, TEXT_LEN) != 0 || crc_in != crc_out)
		return EXIT_FAILURE;

	MUST(doca_ctx_stop(doca_compress_as_ctx(compress)));
	MUST(doca_compress_destroy(compress));
	MUST(doca_buf_dec_refcount(text, NULL));
	MUST(doca_buf_dec_refcount(packed, NULL));
	MUST(doca_buf_dec_refcount(copy, NULL));
	close_outside(&out);
	MUST(strcmp(doca_version(), doca_version_runtime()) == 0 ? DOCA_SUCCESS : DOCA_ERROR_UNSUPPORTED_VERSION);
	return EXIT_SUCCESS;
}
