/*
 * AES-GCM tasks: transforms of two kinds, with the cipher of libcrypto. The bytes of a key are in a page of memory that core dumps
 * leave out. libcrypto's state with the expanded key exists only while a task executes.
 */
#ifndef SD_AES_GCM_H
#define SD_AES_GCM_H

#include <openssl/evp.h>

#include "doca_aes_gcm.h"
#include "sd_transform.h"

enum { SD_AES_GCM_KEY_TYPES = 2, SD_AES_GCM_MAX_IV_LEN = 12, SD_AES_GCM_TAG_96 = 12, SD_AES_GCM_TAG_128 = 16 };

struct doca_aes_gcm {
	struct sd_transform base;
	struct doca_aes_gcm_key *keys;		/**< all records of keys, singly linked */
};

/**
 * Record of a key. The context keeps the record of a destroyed key for the next key. A task that still refers to the destroyed
 * key fails until then, and uses the next key afterwards. Thread: program's; hardware threads read the bytes of a held key.
 */
struct doca_aes_gcm_key {
	struct doca_aes_gcm *owner;
	struct doca_aes_gcm_key *next;
	enum doca_aes_gcm_key_type type;
	uint8_t *bytes;				/**< NULL: destroyed */
	uint32_t num_users;			/**< submissions that hold the key */
};

/** Parameters of a submission: everything except its buffer lists. */
struct sd_aes_gcm_settings {
	struct doca_aes_gcm_key *key;
	uint8_t iv[SD_AES_GCM_MAX_IV_LEN];
	uint32_t iv_len;			/**< bytes, as the program set it: may be illegal */
	uint32_t tag_size;			/**< bytes, may be illegal */
	uint32_t aad_size;			/**< bytes */
};

/** The part that both kinds of tasks share. */
struct sd_aes_gcm_task {
	struct sd_transform_task base;
	struct sd_aes_gcm_settings settings;	/**< the program's */
	struct sd_aes_gcm_settings latched;	/**< copy at submission, for the execution */
	uint8_t is_key_held;
};

struct doca_aes_gcm_task_encrypt {
	struct sd_aes_gcm_task task;
};

struct doca_aes_gcm_task_decrypt {
	struct sd_aes_gcm_task task;
};

extern const struct sd_transform_kind sd_aes_gcm_encrypt;
extern const struct sd_transform_kind sd_aes_gcm_decrypt;

/** Returns the length of a key in bytes; 0: unknown type. Thread: any. */
size_t sd_aes_gcm_key_len(enum doca_aes_gcm_key_type type);

/** Returns whether a key exists and belongs to the context. */
uint8_t sd_aes_gcm_has_key(const struct doca_aes_gcm *aes_gcm, const struct doca_aes_gcm_key *key);

/** Returns whether a length of a tag in bytes is legal. Thread: any. */
uint8_t sd_aes_gcm_is_tag_size(uint32_t tag_size);

/** Frees the records of the context's keys. IN_USE: a key exists; nothing is freed. */
doca_error_t sd_aes_gcm_free_keys(struct doca_aes_gcm *aes_gcm);

#endif
