/* Faults of plans, for both kinds of SHA tasks: failed, slow, refused, damaged, lost device. A failed part can be repeated. */
#include "sha.h"

enum { LEN = 1000 };

static void fails(struct hasher *hasher)
{
	struct doca_buf *dst = rig_room(&hasher->rig, SHA_AT, 64);

	CHECK_OK(softdpu_faults_set("sha-hash:fail=TIME_OUT:nth=2"));
	CHECK_OK(sha_hash(hasher, DOCA_SHA_ALGORITHM_SHA1, rig_source(&hasher->rig, 0, LEN), dst));
	CHECK_EQ(sha_hash(hasher, DOCA_SHA_ALGORITHM_SHA1, rig_source(&hasher->rig, 0, LEN), dst), DOCA_ERROR_TIME_OUT);
	CHECK_EQ(rig_data_len(dst), 20);
	CHECK_OK(sha_hash(hasher, DOCA_SHA_ALGORITHM_SHA1, rig_source(&hasher->rig, 0, LEN), dst)); /* appends */
	CHECK_EQ(rig_data_len(dst), 40);
	CHECK(memcmp(hasher->rig.memory + SHA_AT, hasher->rig.memory + SHA_AT + 20, 20) == 0);
	rig_drop(dst);
}

/* Every second submission fails, and is repeated: the first part, a middle part and the final part. */
static void parts_are_repeated(struct hasher *hasher)
{
	struct doca_buf *src = rig_source(&hasher->rig, 0, 64), *dst = rig_room(&hasher->rig, SHA_AT + 64, 32);
	struct doca_sha_task_partial_hash *task = sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA256, src, dst);
	uint8_t digest[SHA_MAX_DIGEST];

	sha_digest(hasher, DOCA_SHA_ALGORITHM_SHA256, 0, 3 * 64, digest);
	CHECK_OK(softdpu_faults_set("sha-partial-hash:fail:nth=1; sha-partial-hash:fail:nth=3; sha-partial-hash:fail:nth=5"));
	for (size_t part = 0; part < 3; part++) {
		if (part == 2)
			CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
		CHECK_EQ(sha_step(hasher, task, 64 * part, 64), DOCA_ERROR_IO_FAILED);
		CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
		CHECK_OK(sha_step(hasher, task, 64 * part, 64));
	}
	CHECK(memcmp(hasher->rig.memory + SHA_AT + 64, digest, 32) == 0);
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
	rig_drop(src);
	rig_drop(dst);
}

static void is_slow(struct hasher *hasher)
{
	uint64_t before = softdpu_clock_now();
	uint8_t digest[SHA_MAX_DIGEST];

	CHECK_OK(softdpu_faults_set("sha-hash:delay=20ms"));
	sha_digest(hasher, DOCA_SHA_ALGORITHM_SHA512, 0, LEN, digest);
	CHECK(softdpu_clock_now() - before >= 20000000);
}

static void is_refused(struct hasher *hasher)
{
	struct doca_buf *src = rig_source(&hasher->rig, 0, 64), *dst = rig_room(&hasher->rig, SHA_AT, 32);
	struct doca_sha_task_partial_hash *task = sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA256, src, dst);
	struct doca_task *base = doca_sha_task_partial_hash_as_task(task);

	CHECK_OK(softdpu_faults_set("sha-partial-hash:again=3:nth=1"));
	for (int i = 0; i < 3; i++)
		CHECK_ERROR(doca_task_submit(base), DOCA_ERROR_AGAIN);
	CHECK_EQ(codec_wait(&hasher->rig, base), DOCA_SUCCESS);
	doca_task_free(base);
	rig_drop(src);
	rig_drop(dst);
}

static void is_damaged(struct hasher *hasher)
{
	uint8_t right[SHA_MAX_DIGEST], damaged[SHA_MAX_DIGEST];
	int wrong = 0;

	softdpu_faults_clear();
	sha_digest(hasher, DOCA_SHA_ALGORITHM_SHA256, 0, LEN, right);
	CHECK_OK(softdpu_faults_set("sha-hash:corrupt"));
	sha_digest(hasher, DOCA_SHA_ALGORITHM_SHA256, 0, LEN, damaged);
	for (int i = 0; i < 32; i++)
		wrong += __builtin_popcount(right[i] ^ damaged[i]);
	CHECK_EQ(wrong, 1);
}

static void is_lost(struct hasher *hasher)
{
	struct doca_buf *dst = rig_room(&hasher->rig, SHA_AT, 64);

	CHECK_OK(softdpu_faults_set("sha-hash:lost"));
	CHECK_EQ(sha_hash(hasher, DOCA_SHA_ALGORITHM_SHA1, rig_source(&hasher->rig, 0, LEN), dst), DOCA_ERROR_IO_FAILED);
	RIG_PROGRESS_UNTIL(hasher->rig.pe, rig_state(&hasher->rig) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(doca_ctx_start(hasher->rig.ctx), DOCA_ERROR_INITIALIZATION);
	rig_drop(dst);
}

static void test(struct hasher *hasher)
{
	fails(hasher);
	parts_are_repeated(hasher);
	is_slow(hasher);
	is_refused(hasher);
	is_damaged(hasher);
	is_lost(hasher);
}

int main(void)
{
	sha_in_both_modes(test, 0);
	return 0;
}
