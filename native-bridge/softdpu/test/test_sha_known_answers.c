/* Digests of the examples of FIPS 180-4, as one hash, as a partial hash, and from lists of buffers. */
#include <stdio.h>

#include "sha.h"

#define TEXT_448 "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
#define TEXT_896 "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

enum { MILLION = 1000000 };

struct example {
	enum doca_sha_algorithm algorithm;
	const char *text;		/* NULL: a million times 'a' */
	const char *digest;
};

static const struct example examples[] = {
	{ DOCA_SHA_ALGORITHM_SHA1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
	{ DOCA_SHA_ALGORITHM_SHA1, TEXT_448, "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
	{ DOCA_SHA_ALGORITHM_SHA1, NULL, "34aa973cd4c4daa4f61eeb2bdbad27316534016f" },
	{ DOCA_SHA_ALGORITHM_SHA256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ DOCA_SHA_ALGORITHM_SHA256, TEXT_448, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ DOCA_SHA_ALGORITHM_SHA256, NULL, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	{ DOCA_SHA_ALGORITHM_SHA512, "abc",
	  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
	  "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
	{ DOCA_SHA_ALGORITHM_SHA512, TEXT_896,
	  "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
	  "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909" },
	{ DOCA_SHA_ALGORITHM_SHA512, NULL,
	  "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
	  "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b" },
};

static void check_digest(struct hasher *hasher, const struct example *example, struct doca_buf *dst)
{
	char text[2 * SHA_MAX_DIGEST + 1];
	size_t len = rig_data_len(dst);

	CHECK_EQ(len, sha_digest_len(hasher, example->algorithm));
	for (size_t i = 0; i < len; i++)
		snprintf(text + 2 * i, 3, "%02x", hasher->rig.memory[SHA_AT + i]);
	CHECK(strcmp(text, example->digest) == 0);
}

static size_t place(struct rig *rig, const struct example *example)
{
	size_t len = example->text == NULL ? MILLION : strlen(example->text);

	if (example->text == NULL)
		memset(rig->memory, 'a', len);
	else
		memcpy(rig->memory, example->text, len);
	return len;
}

static void whole(struct hasher *hasher, const struct example *example, int pieces)
{
	size_t len = place(&hasher->rig, example);
	struct doca_buf *dst = rig_room(&hasher->rig, SHA_AT, SHA_MAX_DIGEST);

	CHECK_OK(sha_hash(hasher, example->algorithm, codec_list(&hasher->rig, 0, len, pieces, 1), dst));
	check_digest(hasher, example, dst);
	rig_drop(dst);
}

/* Hashes the first source of some blocks, then the rest. */
static void partial(struct hasher *hasher, const struct example *example, size_t blocks)
{
	size_t len = place(&hasher->rig, example), first = blocks * sha_block_len(hasher, example->algorithm);
	struct doca_buf *src, *dst = rig_room(&hasher->rig, SHA_AT, SHA_MAX_DIGEST);
	struct doca_sha_task_partial_hash *task;

	src = rig_source(&hasher->rig, 0, first);
	task = sha_alloc_partial(hasher, example->algorithm, src, dst);
	CHECK_OK(sha_step(hasher, task, 0, first));
	CHECK_EQ(rig_data_len(dst), 0);
	CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
	CHECK_OK(sha_step(hasher, task, first, len - first));
	check_digest(hasher, example, dst);
	CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
	rig_drop(src);
	rig_drop(dst);
}

static void test(struct hasher *hasher)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		whole(hasher, &examples[i], 1);
		whole(hasher, &examples[i], 3);
		if (examples[i].text == NULL) {
			partial(hasher, &examples[i], 1);
			partial(hasher, &examples[i], 7812);
		}
	}
}

int main(void)
{
	sha_in_both_modes(test, 0);
	return 0;
}
