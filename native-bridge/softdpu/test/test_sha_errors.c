/* Tasks of SHA that cannot succeed, and calls in the wrong state. A plain submit accepts such a task; try_submit refuses it. */
#include "sha.h"

enum { ROOM = 4096 };

#define CHECK_FAILS(task, kind)                                                                                       \
	do {                                                                                                          \
		struct doca_task *base = doca_sha_task_##kind##_as_task(task);                                       \
		CHECK_ERROR(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);                                    \
		CHECK_EQ(codec_wait(&hasher->rig, base), DOCA_ERROR_IO_FAILED);                                       \
		CHECK_EQ(rig_state(&hasher->rig), DOCA_CTX_STATE_RUNNING);                                            \
	} while (0)

static void hash_fails(struct hasher *hasher, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_sha_task_hash *task;
	union doca_data none = { 0 };
	size_t before = codec_list_len(dst);

	CHECK_OK(doca_sha_task_hash_alloc_init(hasher->sha, DOCA_SHA_ALGORITHM_SHA256, src, dst, none, &task));
	CHECK_FAILS(task, hash);
	CHECK_EQ(codec_list_len(dst), before);
	doca_task_free(doca_sha_task_hash_as_task(task));
	rig_drop(src);
	rig_drop(dst);
}

static void bad_buffers(struct hasher *hasher)
{
	struct rig *rig = &hasher->rig;
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(rig->dev);
	uint32_t list_len;

	CHECK_OK(doca_sha_cap_get_max_list_buf_num_elem(devinfo, &list_len));
	hash_fails(hasher, rig_room(rig, 0, ROOM), rig_room(rig, SHA_AT, 32)); /* empty */
	hash_fails(hasher, rig_source(rig, 0, ROOM), rig_room(rig, SHA_AT, 31));
	hash_fails(hasher, rig_source(rig, 0, ROOM), codec_list(rig, SHA_AT, 31, 4, 0));
	hash_fails(hasher, rig_source(rig, 0, ROOM), rig_source(rig, SHA_AT, 32)); /* full */
	hash_fails(hasher, codec_list(rig, 0, ROOM, (int)list_len + 1, 1), rig_room(rig, SHA_AT, 32));
	hash_fails(hasher, rig_source(rig, 0, ROOM), codec_list(rig, SHA_AT, ROOM, (int)list_len + 1, 0));
}

/* The longest lists work, and the digest is written over several elements, after their content. */
static void longest_lists(struct hasher *hasher)
{
	struct rig *rig = &hasher->rig;
	struct doca_buf *dst = rig_room(rig, SHA_AT + 100, 20), *second = rig_room(rig, SHA_AT + 200, 20);
	uint8_t digest[SHA_MAX_DIGEST];
	uint32_t list_len;

	CHECK_OK(doca_sha_cap_get_max_list_buf_num_elem(doca_dev_as_devinfo(rig->dev), &list_len));
	sha_digest(hasher, DOCA_SHA_ALGORITHM_SHA256, 0, 100000, digest);
	CHECK_OK(doca_buf_set_data_len(dst, 5));
	CHECK_OK(doca_buf_chain_list(dst, second));
	CHECK_OK(sha_hash(hasher, DOCA_SHA_ALGORITHM_SHA256, codec_list(rig, 0, 100000, (int)list_len, 1), dst));
	CHECK_EQ(rig_data_len(dst), 20);
	CHECK_EQ(rig_data_len(second), 17);
	CHECK(memcmp(rig->memory + SHA_AT + 105, digest, 15) == 0);
	CHECK(memcmp(rig->memory + SHA_AT + 200, digest + 15, 17) == 0);
	rig_drop(dst);
}

/* An illegal part fails, and the hash continues as if it had not been submitted. */
static void illegal_part(struct hasher *hasher)
{
	struct rig *rig = &hasher->rig;
	struct doca_buf *src = rig_source(rig, 0, 64), *dst = rig_room(rig, SHA_AT, 32), *odd = rig_source(rig, 64, 65);
	struct doca_sha_task_partial_hash *task = sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA256, odd, dst);
	uint8_t digest[SHA_MAX_DIGEST];

	CHECK_FAILS(task, partial_hash);
	CHECK_ERROR(doca_sha_task_partial_hash_set_is_final_buf(task), DOCA_ERROR_BAD_STATE); /* never on the first one */
	CHECK_OK(sha_step(hasher, task, 0, 64));
	CHECK_OK(doca_sha_task_partial_hash_set_src(task, odd));
	CHECK_FAILS(task, partial_hash);
	CHECK_ERROR(doca_sha_task_partial_hash_set_dst(task, dst), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA1), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
	CHECK_OK(sha_step(hasher, task, 64, 65));
	sha_digest(hasher, DOCA_SHA_ALGORITHM_SHA256, 0, 64 + 65, digest);
	CHECK_EQ(rig_data_len(dst), 32);
	CHECK_FAILS(task, partial_hash); /* the hash has ended */
	CHECK_EQ(rig_data_len(dst), 32);
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
	rig_drop(src);
	rig_drop(dst);
	rig_drop(odd);
}

/* The final part needs room for the digest; the other parts need none. */
static void final_without_room(struct hasher *hasher)
{
	struct doca_buf *src = rig_source(&hasher->rig, 0, 128), *dst = rig_room(&hasher->rig, SHA_AT, 63);
	struct doca_sha_task_partial_hash *task = sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA512, src, dst);

	CHECK_OK(sha_step(hasher, task, 0, 128));
	CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
	CHECK_OK(doca_sha_task_partial_hash_set_src(task, src));
	CHECK_FAILS(task, partial_hash);
	CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
	rig_drop(src);
	rig_drop(dst);
}

static void bad_arguments(struct hasher *hasher)
{
	enum doca_sha_algorithm unknown = (enum doca_sha_algorithm)SHA_ALGORITHMS;
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(hasher->rig.dev);
	struct doca_buf *src = rig_source(&hasher->rig, 0, 64), *dst = rig_room(&hasher->rig, SHA_AT, 64);
	struct doca_sha_task_partial_hash *partial, *second;
	struct doca_sha_task_hash *task;
	union doca_data none = { 0 };
	uint32_t len;

	CHECK_ERROR(doca_sha_task_hash_alloc_init(hasher->sha, unknown, src, dst, none, &task), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sha_task_partial_hash_alloc_init(hasher->sha, unknown, src, dst, none, &partial), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sha_cap_task_hash_get_supported(devinfo, unknown), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sha_cap_task_partial_hash_get_supported(devinfo, unknown), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sha_cap_get_min_dst_buf_size(devinfo, unknown, &len), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_sha_cap_get_partial_hash_block_size(devinfo, unknown, &len), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_sha_task_hash_alloc_init(hasher->sha, DOCA_SHA_ALGORITHM_SHA1, src, dst, none, &task));
	CHECK_ERROR(doca_sha_task_hash_set_algorithm(task, unknown), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_sha_task_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA512));
	CHECK_EQ(codec_wait(&hasher->rig, doca_sha_task_hash_as_task(task)), DOCA_SUCCESS);
	CHECK_EQ(rig_data_len(dst), 64);
	doca_task_free(doca_sha_task_hash_as_task(task));
	partial = sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA1, src, dst);
	CHECK_ERROR(doca_sha_task_partial_hash_alloc_init(hasher->sha, DOCA_SHA_ALGORITHM_SHA1, src, dst, none, &second),
		    DOCA_ERROR_NO_MEMORY);
	CHECK_ERROR(doca_sha_task_partial_hash_set_algorithm(partial, unknown), DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_sha_task_partial_hash_as_task(partial));
	rig_drop(src);
	rig_drop(dst);
}

static void test(struct hasher *hasher)
{
	bad_buffers(hasher);
	longest_lists(hasher);
	illegal_part(hasher);
	final_without_room(hasher);
	bad_arguments(hasher);
}

/* The sum over both kinds is limited; the number of tasks is a power of two. */
static void settings(void)
{
	struct hasher hasher;
	struct doca_buf *src, *dst;
	struct doca_sha_task_hash *task;
	union doca_data none = { 0 };
	uint32_t most;

	sha_create(&hasher);
	CHECK_OK(doca_sha_cap_get_max_num_tasks(hasher.sha, &most));
	CHECK_EQ(most, 8192);
	CHECK_OK(SHA_CONFIGURE(&hasher, hash, 13));
	CHECK_ERROR(SHA_CONFIGURE(&hasher, partial_hash, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(SHA_CONFIGURE(&hasher, hash, 14), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(SHA_CONFIGURE(&hasher, hash, 32), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(SHA_CONFIGURE(&hasher, hash, 255), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(SHA_CONFIGURE(&hasher, hash, 12));
	CHECK_OK(SHA_CONFIGURE(&hasher, partial_hash, 12));
	src = rig_source(&hasher.rig, 0, 64);
	dst = rig_room(&hasher.rig, SHA_AT, 64);
	CHECK_ERROR(doca_sha_task_hash_alloc_init(hasher.sha, DOCA_SHA_ALGORITHM_SHA1, src, dst, none, &task), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_ctx_start(hasher.rig.ctx));
	CHECK_ERROR(SHA_CONFIGURE(&hasher, hash, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sha_destroy(hasher.sha), DOCA_ERROR_IN_USE);
	rig_drop(src);
	rig_drop(dst);
	sha_close(&hasher);
}

int main(void)
{
	sha_in_both_modes(test, 0);
	settings();
	return 0;
}
