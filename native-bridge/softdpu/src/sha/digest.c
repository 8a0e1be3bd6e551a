/* Steps of a hash with libcrypto, and the state of an executing thread. */
#include <openssl/crypto.h>
#include <stdlib.h>

#include "sd_sha.h"

static const struct sd_sha_algorithm algorithms[SD_SHA_ALGORITHMS] = {
	[DOCA_SHA_ALGORITHM_SHA1] = { .name = "SHA1", .digest_len = 20, .block_len = 64 },
	[DOCA_SHA_ALGORITHM_SHA256] = { .name = "SHA2-256", .digest_len = 32, .block_len = 64 },
	[DOCA_SHA_ALGORITHM_SHA512] = { .name = "SHA2-512", .digest_len = 64, .block_len = 128 },
};

const struct sd_sha_algorithm *sd_sha_find(enum doca_sha_algorithm algorithm)
{
	return (unsigned int)algorithm < SD_SHA_ALGORITHMS ? &algorithms[algorithm] : NULL;
}

static void destroy_unit(void *state)
{
	struct sd_sha_unit *unit = state;

	for (int i = 0; i < SD_SHA_ALGORITHMS; i++)
		EVP_MD_free(unit->digests[i]);
	EVP_MD_CTX_free(unit->context);
	free(unit);
}

static void *create_unit(void)
{
	struct sd_sha_unit *unit = calloc(1, sizeof(*unit));
	uint8_t is_complete;

	/*
	 * At exit, hardware threads may still execute tasks. These tasks need libcrypto's tables, so its exit handler must not
	 * run.
	 */
	if (unit == NULL || !OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL)) {
		free(unit);
		return NULL;
	}
	unit->context = EVP_MD_CTX_new();
	is_complete = unit->context != NULL;
	for (int i = 0; i < SD_SHA_ALGORITHMS; i++) {
		unit->digests[i] = EVP_MD_fetch(NULL, algorithms[i].name, NULL);
		is_complete = is_complete && unit->digests[i] != NULL;
	}
	if (is_complete)
		return unit;
	destroy_unit(unit);
	return NULL;
}

const struct sd_unit_type sd_sha_unit_type = {
	.create = create_unit,
	.destroy = destroy_unit,
};

doca_error_t sd_sha_begin(EVP_MD_CTX *context, const struct sd_sha_unit *unit, const struct sd_sha_task *task)
{
	return EVP_DigestInit_ex2(context, unit->digests[task->algorithm], NULL) ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

doca_error_t sd_sha_update(EVP_MD_CTX *context, const struct sd_sha_task *task)
{
	const struct sd_latch *in = &task->base.in;

	for (uint32_t i = 0; i < in->count; i++) {
		if (!EVP_DigestUpdate(context, in->segments[i].addr, in->segments[i].len))
			return DOCA_ERROR_IO_FAILED;
	}
	return DOCA_SUCCESS;
}

doca_error_t sd_sha_finish(EVP_MD_CTX *context, struct sd_sha_task *task)
{
	uint8_t digest[EVP_MAX_MD_SIZE];
	unsigned int len;

	if (!EVP_DigestFinal_ex(context, digest, &len))
		return DOCA_ERROR_IO_FAILED;
	sd_latch_write(&task->base.out, 0, digest, len);
	task->base.produced = len;
	return DOCA_SUCCESS;
}
