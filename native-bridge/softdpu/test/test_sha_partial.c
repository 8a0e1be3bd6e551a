/*
 * A partial hash has the digest of the whole data, however they are split. The state belongs to the task: it does not change
 * with other tasks, ends with a reset, and starts new after an allocation.
 */
#include "sha.h"

enum { SESSIONS = 8, ROUNDS = 24, MAX_LEN = 60000 };

struct session {
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *dst;
	enum doca_sha_algorithm algorithm;
	size_t begin, len, done;
};

static uint64_t random_state = 7;

static size_t draw(size_t from, size_t to)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return from + (size_t)((random_state >> 33) % (to - from + 1));
}

static void begin(struct hasher *hasher, struct session *session, size_t slot)
{
	struct doca_buf *src;

	session->algorithm = (enum doca_sha_algorithm)draw(0, SHA_ALGORITHMS - 1);
	session->begin = draw(0, 1 << 20);
	session->len = draw(sha_block_len(hasher, session->algorithm) + 1, MAX_LEN);
	session->done = 0;
	session->dst = rig_room(&hasher->rig, SHA_AT + (slot + 1) * SHA_MAX_DIGEST, SHA_MAX_DIGEST);
	src = rig_source(&hasher->rig, session->begin, 1);
	session->task = sha_alloc_partial(hasher, session->algorithm, src, session->dst);
	rig_drop(src);
}

/* Submits a random part of the rest; returns whether the digest is complete. */
static int step(struct hasher *hasher, struct session *session)
{
	size_t block = sha_block_len(hasher, session->algorithm), left = session->len - session->done;
	size_t part = session->done == 0 ? block : draw(1, 20) * block; /* the first part is never the last one */
	int is_final = part >= left;

	if (is_final) {
		CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(session->task));
		part = left;
	}
	CHECK_OK(sha_step(hasher, session->task, session->begin + session->done, part));
	session->done += part;
	CHECK_EQ(doca_sha_task_partial_hash_get_has_result(session->task), is_final);
	return is_final;
}

static void finish(struct hasher *hasher, struct session *session)
{
	uint8_t whole[SHA_MAX_DIGEST];
	void *digest;

	sha_digest(hasher, session->algorithm, session->begin, session->len, whole);
	CHECK_EQ(rig_data_len(session->dst), sha_digest_len(hasher, session->algorithm));
	CHECK_OK(doca_buf_get_data(session->dst, &digest));
	CHECK(memcmp(digest, whole, rig_data_len(session->dst)) == 0);
	doca_task_free(doca_sha_task_partial_hash_as_task(session->task));
	rig_drop(session->dst);
}

/* Several hashes advance in turns, with random splits; each ended one makes room for a new one. */
static void random_splits(struct hasher *hasher)
{
	struct session sessions[SESSIONS];
	int ended = 0;

	for (size_t i = 0; i < SESSIONS; i++)
		begin(hasher, &sessions[i], i);
	while (ended < ROUNDS) {
		size_t i = draw(0, SESSIONS - 1);

		if (!step(hasher, &sessions[i]))
			continue;
		finish(hasher, &sessions[i]);
		begin(hasher, &sessions[i], i);
		ended++;
	}
	for (size_t i = 0; i < SESSIONS; i++) { /* free in the middle of a hash */
		doca_task_free(doca_sha_task_partial_hash_as_task(sessions[i].task));
		rig_drop(sessions[i].dst);
	}
}

/* A reset discards the state, and the marks of the end. Destination and algorithm can then change. */
static void reset(struct hasher *hasher)
{
	struct doca_buf *src = rig_source(&hasher->rig, 0, 64), *dst = rig_room(&hasher->rig, SHA_AT + 64, SHA_MAX_DIGEST);
	struct doca_buf *other = rig_room(&hasher->rig, SHA_AT + 128, SHA_MAX_DIGEST);
	struct doca_sha_task_partial_hash *task = sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA1, src, dst);
	uint8_t whole[SHA_MAX_DIGEST];

	for (int round = 0; round < 2; round++) {
		CHECK_OK(sha_step(hasher, task, 0, 64));
		CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
		CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), 1);
		if (round == 1)
			CHECK_OK(sha_step(hasher, task, 64, 10));
		CHECK_OK(doca_sha_task_partial_hash_reset(task));
		CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
		CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
	}
	CHECK_OK(doca_sha_task_partial_hash_set_dst(task, other));
	CHECK_OK(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA512));
	CHECK_OK(sha_step(hasher, task, 1000, 256));
	CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
	CHECK_OK(sha_step(hasher, task, 1256, 77));
	sha_digest(hasher, DOCA_SHA_ALGORITHM_SHA512, 1000, 256 + 77, whole);
	CHECK(memcmp(hasher->rig.memory + SHA_AT + 128, whole, SHA_MAX_DIGEST) == 0);
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
	rig_drop(src);
	rig_drop(dst);
	rig_drop(other);
}

/* A reset in flight takes effect at the end of the submission. */
static void reset_in_flight(struct hasher *hasher)
{
	struct doca_buf *src = rig_source(&hasher->rig, 0, 128), *dst = rig_room(&hasher->rig, SHA_AT + 64, SHA_MAX_DIGEST);
	struct doca_sha_task_partial_hash *task = sha_alloc_partial(hasher, DOCA_SHA_ALGORITHM_SHA256, src, dst);
	struct doca_task *base = doca_sha_task_partial_hash_as_task(task);

	hasher->rig.keep_tasks = 1;
	CHECK_OK(doca_task_submit(base));
	CHECK_ERROR(doca_sha_task_partial_hash_set_is_final_buf(task), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_sha_task_partial_hash_set_dst(task, dst), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_sha_task_partial_hash_reset(task));
	RIG_PROGRESS_UNTIL(hasher->rig.pe, rig_in_flight(&hasher->rig) == 0);
	CHECK_OK(doca_task_get_status(base));
	CHECK_ERROR(doca_sha_task_partial_hash_set_is_final_buf(task), DOCA_ERROR_BAD_STATE); /* a new hash: none succeeded yet */
	doca_task_free(base);
	rig_drop(src);
	rig_drop(dst);
}

static void test(struct hasher *hasher)
{
	random_splits(hasher);
	reset(hasher);
	reset_in_flight(hasher);
}

int main(void)
{
	sha_in_both_modes(test, 3);
	return 0;
}
