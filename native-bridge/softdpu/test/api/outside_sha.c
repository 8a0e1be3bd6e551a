/* A typical program for an installed SDK: hashes a text as a whole, then block by block with one task, and compares the digests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_sha.h>

DOCA_LOG_REGISTER(OUTSIDE_SHA);

enum { TEXT_LEN = 1000, WHOLE = 2048, PARTS = 2560, AREA_LEN = 4096 };

#define MUST(call)                                                                                \
	do {                                                                                      \
		doca_error_t must = (call);                                                       \
		if (must != DOCA_SUCCESS) {                                                       \
			DOCA_LOG_ERR("%s: %s", #call, doca_error_get_descr(must));                \
			exit(EXIT_FAILURE);                                                       \
		}                                                                                 \
	} while (0)

static int num_done;

static void hashed(struct doca_sha_task_hash *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	MUST(doca_task_get_status(doca_sha_task_hash_as_task(task)));
	doca_task_free(doca_sha_task_hash_as_task(task));
	num_done++;
}

static void part_hashed(struct doca_sha_task_partial_hash *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	MUST(doca_task_get_status(doca_sha_task_partial_hash_as_task(task)));
	num_done++;
}

/* Opens the first device that supports both kinds of hashes. */
static struct doca_dev *open_device(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;

	MUST(doca_devinfo_create_list(&list, &count));
	for (i = 0; i < count && dev == NULL; i++)
		if (doca_sha_cap_task_hash_get_supported(list[i], DOCA_SHA_ALGORITHM_SHA256) == DOCA_SUCCESS &&
		    doca_sha_cap_task_partial_hash_get_supported(list[i], DOCA_SHA_ALGORITHM_SHA256) == DOCA_SUCCESS)
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

/* Submits the text block by block. */
static void hash_parts(struct doca_pe *pe, struct doca_sha_task_partial_hash *task, struct doca_buf *src, char *text,
		       uint32_t block_len)
{
	size_t offset = 0, len = block_len;

	while (doca_sha_task_partial_hash_get_has_result(task) == 0) {
		if (TEXT_LEN - offset <= block_len) {
			len = TEXT_LEN - offset;
			MUST(doca_sha_task_partial_hash_set_is_final_buf(task));
		}
		MUST(doca_buf_set_data(src, text + offset, len));
		MUST(doca_sha_task_partial_hash_set_src(task, src));
		MUST(doca_task_submit(doca_sha_task_partial_hash_as_task(task)));
		wait_for(pe, num_done + 1);
		offset += len;
	}
}

int main(void)
{
	static char area[AREA_LEN];
	struct doca_sha_task_partial_hash *partial_task;
	struct doca_buf *text, *whole, *parts;
	struct doca_sha_task_hash *hash_task;
	struct doca_buf_inventory *inventory;
	union doca_data none = { 0 };
	struct doca_mmap *mmap;
	struct doca_sha *sha;
	struct doca_dev *dev;
	struct doca_pe *pe;
	uint32_t block_len;
	size_t len, i;

	MUST(doca_log_backend_create_standard());
	for (i = 0; i < TEXT_LEN; i++)
		area[i] = (char)('a' + i % 23);

	dev = open_device();
	MUST(doca_sha_cap_get_partial_hash_block_size(doca_dev_as_devinfo(dev), DOCA_SHA_ALGORITHM_SHA256, &block_len));
	MUST(doca_mmap_create(&mmap));
	MUST(doca_mmap_set_memrange(mmap, area, sizeof(area)));
	MUST(doca_mmap_add_dev(mmap, dev));
	MUST(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	MUST(doca_mmap_start(mmap));
	MUST(doca_buf_inventory_create(3, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap, area, TEXT_LEN, &text));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + WHOLE, 64, &whole));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + PARTS, 64, &parts));

	MUST(doca_pe_create(&pe));
	MUST(doca_sha_create(dev, &sha));
	MUST(doca_sha_task_hash_set_conf(sha, hashed, hashed, 0));
	MUST(doca_sha_task_partial_hash_set_conf(sha, part_hashed, part_hashed, 0));
	MUST(doca_pe_connect_ctx(pe, doca_sha_as_ctx(sha)));
	MUST(doca_ctx_start(doca_sha_as_ctx(sha)));

	MUST(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, text, whole, none, &hash_task));
	MUST(doca_task_submit(doca_sha_task_hash_as_task(hash_task)));
	wait_for(pe, 1);
	MUST(doca_sha_task_partial_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, text, parts, none, &partial_task));
	hash_parts(pe, partial_task, text, area, block_len);
	MUST(doca_buf_get_data_len(parts, &len));
	if (len != 32 || memcmp(area + WHOLE, area + PARTS, len) != 0)
		return EXIT_FAILURE;

	doca_task_free(doca_sha_task_partial_hash_as_task(partial_task));
	MUST(doca_ctx_stop(doca_sha_as_ctx(sha)));
	MUST(doca_sha_destroy(sha));
	MUST(doca_pe_destroy(pe));
	MUST(doca_buf_dec_refcount(text, NULL));
	MUST(doca_buf_dec_refcount(whole, NULL));
	MUST(doca_buf_dec_refcount(parts, NULL));
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_mmap_destroy(mmap));
	MUST(doca_dev_close(dev));
	return EXIT_SUCCESS;
}
