/* A SHA context on an engine, and single hashes through it. Sources and digests are in the memory of the rig. */
#ifndef SHA_H
#define SHA_H

#include "codec.h"
#include "doca_sha.h"

enum { SHA_AT = 3 << 20, SHA_MAX_DIGEST = 64, SHA_ALGORITHMS = 3 };

struct hasher {
	struct rig rig;
	struct doca_sha *sha;
};

#define SHA_CALLBACK(kind, name) ((doca_sha_task_##kind##_completion_cb_t)(void (*)(void))(name))
#define SHA_CONFIGURE(hasher, kind, log_num_tasks)                                                             \
	doca_sha_task_##kind##_set_conf((hasher)->sha, SHA_CALLBACK(kind, rig_completed), SHA_CALLBACK(kind, rig_failed), \
					log_num_tasks)

/* Opens everything except the start, without tasks. */
RIG void sha_create(struct hasher *hasher)
{
	rig_open(&hasher->rig, 0);
	CHECK_OK(doca_sha_create(hasher->rig.dev, &hasher->sha));
	rig_replace_context(&hasher->rig, doca_sha_as_ctx(hasher->sha));
}

/* Opens and starts a context with 2^log_num_tasks tasks of each kind. */
RIG void sha_open(struct hasher *hasher, uint8_t log_num_tasks)
{
	sha_create(hasher);
	CHECK_OK(SHA_CONFIGURE(hasher, hash, log_num_tasks));
	CHECK_OK(SHA_CONFIGURE(hasher, partial_hash, log_num_tasks));
	CHECK_OK(doca_ctx_start(hasher->rig.ctx));
}

RIG void sha_close(struct hasher *hasher)
{
	rig_stop(&hasher->rig);
	CHECK_OK(doca_sha_destroy(hasher->sha));
	rig_close_rest(&hasher->rig);
}

RIG uint32_t sha_digest_len(struct hasher *hasher, enum doca_sha_algorithm algorithm)
{
	uint32_t len;

	CHECK_OK(doca_sha_cap_get_min_dst_buf_size(doca_dev_as_devinfo(hasher->rig.dev), algorithm, &len));
	return len;
}

RIG uint32_t sha_block_len(struct hasher *hasher, enum doca_sha_algorithm algorithm)
{
	uint32_t len;

	CHECK_OK(doca_sha_cap_get_partial_hash_block_size(doca_dev_as_devinfo(hasher->rig.dev), algorithm, &len));
	return len;
}

/* Runs one hash task, and releases the source. */
RIG doca_error_t sha_hash(struct hasher *hasher, enum doca_sha_algorithm algorithm, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_sha_task_hash *task;
	union doca_data none = { 0 };
	doca_error_t status;

	CHECK_OK(doca_sha_task_hash_alloc_init(hasher->sha, algorithm, src, dst, none, &task));
	CHECK(doca_sha_task_hash_get_src(task) == src && doca_sha_task_hash_get_dst(task) == dst);
	CHECK_EQ(doca_sha_task_hash_get_algorithm(task), algorithm);
	status = codec_wait(&hasher->rig, doca_sha_task_hash_as_task(task));
	doca_task_free(doca_sha_task_hash_as_task(task));
	rig_drop(src);
	return status;
}

/* Hashes [offset, offset + len) of the memory. */
RIG void sha_digest(struct hasher *hasher, enum doca_sha_algorithm algorithm, size_t offset, size_t len, uint8_t *digest)
{
	struct doca_buf *dst = rig_room(&hasher->rig, SHA_AT, SHA_MAX_DIGEST);

	CHECK_OK(sha_hash(hasher, algorithm, rig_source(&hasher->rig, offset, len), dst));
	CHECK_EQ(rig_data_len(dst), sha_digest_len(hasher, algorithm));
	memcpy(digest, hasher->rig.memory + SHA_AT, rig_data_len(dst));
	rig_drop(dst);
}

/* Allocates a partial hash task with its first source; the caller releases both buffers. */
RIG struct doca_sha_task_partial_hash *sha_alloc_partial(struct hasher *hasher, enum doca_sha_algorithm algorithm,
							  struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_sha_task_partial_hash *task;
	union doca_data none = { 0 };

	CHECK_OK(doca_sha_task_partial_hash_alloc_init(hasher->sha, algorithm, src, dst, none, &task));
	CHECK(doca_sha_task_partial_hash_get_src(task) == src && doca_sha_task_partial_hash_get_dst(task) == dst);
	CHECK_EQ(doca_sha_task_partial_hash_get_algorithm(task), algorithm);
	CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
	CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
	return task;
}

/* Submits [offset, offset + len) of the memory as the next source of a partial hash. */
RIG doca_error_t sha_step(struct hasher *hasher, struct doca_sha_task_partial_hash *task, size_t offset, size_t len)
{
	struct doca_buf *src = rig_source(&hasher->rig, offset, len);
	doca_error_t status;

	CHECK_OK(doca_sha_task_partial_hash_set_src(task, src));
	status = codec_wait(&hasher->rig, doca_sha_task_partial_hash_as_task(task));
	rig_drop(src);
	return status;
}

/* Runs a test with hardware threads, then in inline execution. */
RIG void sha_in_both_modes(void (*test)(struct hasher *hasher), uint8_t log_num_tasks)
{
	static const enum softdpu_execution modes[] = { SOFTDPU_EXECUTION_THREADS, SOFTDPU_EXECUTION_INLINE };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct hasher hasher;

		CHECK_OK(softdpu_set_execution(modes[i]));
		sha_open(&hasher, log_num_tasks);
		test(&hasher);
		softdpu_faults_clear();
		sha_close(&hasher);
	}
}

#endif
