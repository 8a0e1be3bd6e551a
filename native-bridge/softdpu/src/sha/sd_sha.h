/*
 * Hash tasks: transforms of two kinds, with the digests of libcrypto. A hash task uses a digest context of the executing thread. A
 * partial hash task owns a digest context, because its state lasts over several submissions.
 */
#ifndef SD_SHA_H
#define SD_SHA_H

#include <openssl/evp.h>

#include "doca_sha.h"
#include "sd_transform.h"

struct doca_sha {
	struct sd_transform base;
};

/** The part that both kinds of tasks share. */
struct sd_sha_task {
	struct sd_transform_task base;
	enum doca_sha_algorithm algorithm;
	uint8_t is_under_way;			/**< partial: a submission has succeeded since alloc_init or reset */
};

struct doca_sha_task_hash {
	struct sd_sha_task task;
};

struct doca_sha_task_partial_hash {
	struct sd_sha_task task;
	EVP_MD_CTX *session;			/**< state of the hash; the executing thread's while in flight */
	uint8_t is_final;
	uint8_t has_result;
	uint8_t is_reset_wanted;		/**< reset in flight */
};

enum { SD_SHA_ALGORITHMS = 3 };

/** Properties of an algorithm, in bytes. */
struct sd_sha_algorithm {
	const char *name;			/**< of libcrypto */
	uint32_t digest_len;
	uint32_t block_len;
};

/** Returns the properties of an algorithm; NULL: unknown. Thread: any. */
const struct sd_sha_algorithm *sd_sha_find(enum doca_sha_algorithm algorithm);

/** State of an executing thread. */
struct sd_sha_unit {
	EVP_MD *digests[SD_SHA_ALGORITHMS];
	EVP_MD_CTX *context;
};

extern const struct sd_unit_type sd_sha_unit_type;

/** @name Steps of a hash. IO_FAILED: libcrypto failed. Thread: hardware thread. */
/** @{ */
doca_error_t sd_sha_begin(EVP_MD_CTX *context, const struct sd_sha_unit *unit, const struct sd_sha_task *task);
/** Adds the whole source. */
doca_error_t sd_sha_update(EVP_MD_CTX *context, const struct sd_sha_task *task);
/** Writes the digest to the destination, which has the room, and sets produced. */
doca_error_t sd_sha_finish(EVP_MD_CTX *context, struct sd_sha_task *task);
/** @} */

extern const struct sd_transform_kind sd_sha_hash;
extern const struct sd_transform_kind sd_sha_partial_hash;

#endif
