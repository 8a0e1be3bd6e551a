/* A typical program for an installed SDK: hashes a text as a whole, then block by block with one task, and compares the digests. */
#include <doca_sha.h>

#include "outside.h"

enum { TEXT_LEN = 1000, WHOLE = 2048, PARTS = 2560, AREA_LEN = 4096 };

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

static int supports(const struct doca_devinfo *devinfo)
{
	return doca_sha_cap_task_hash_get_supported(devinfo, DOCA_SHA_ALGORITHM_SHA256) == DOCA_SUCCESS &&
	       doca_sha_cap_task_partial_hash_get_supported(devinfo, DOCA_SHA_ALGORITHM_SHA256) == DOCA_SUCCESS;
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
	struct outside out;
	union doca_data none = { 0 };
	struct doca_sha *sha;
	uint32_t block_len;
	size_t len, i;

	for (i = 0; i < TEXT_LEN; i++)
		area[i] = (char)('a' + i % 23);

	open_outside(&out, supports, area, sizeof(area), 3);
	MUST(doca_sha_cap_get_partial_hash_block_size(doca_dev_as_devinfo(out.dev), DOCA_SHA_ALGORITHM_SHA256, &block_len));
	MUST(doca_buf_inventory_buf_get_by_data(out.inventory, out.mmap, area, TEXT_LEN, &text));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + WHOLE, 64, &whole));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + PARTS, 64, &parts));

	MUST(doca_sha_create(out.dev, &sha));
	MUST(doca_sha_task_hash_set_conf(sha, hashed, hashed, 0));
	MUST(doca_sha_task_partial_hash_set_conf(sha, part_hashed, part_hashed, 0));
	MUST(doca_pe_connect_ctx(out.pe, doca_sha_as_ctx(sha)));
	MUST(doca_ctx_start(doca_sha_as_ctx(sha)));

	MUST(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, text, whole, none, &hash_task));
	MUST(doca_task_submit(doca_sha_task_hash_as_task(hash_task)));
	wait_for(out.pe, 1);
	MUST(doca_sha_task_partial_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, text, parts, none, &partial_task));
	hash_parts(out.pe, partial_task, text, area, block_len);
	MUST(doca_buf_get_data_len(parts, &len));
	if (len != 32 || memcmp(area + WHOLE, area + PARTS, len) != 0)
		return EXIT_FAILURE;

	doca_task_free(doca_sha_task_partial_hash_as_task(partial_task));
	MUST(doca_ctx_stop(doca_sha_as_ctx(sha)));
	MUST(doca_sha_destroy(sha));
	MUST(doca_buf_dec_refcount(text, NULL));
	MUST(doca_buf_dec_refcount(whole, NULL));
	MUST(doca_buf_dec_refcount(parts, NULL));
	close_outside(&out);
	return EXIT_SUCCESS;
}
