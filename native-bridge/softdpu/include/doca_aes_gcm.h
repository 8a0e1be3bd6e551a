/*
 * Authenticated encryption by the device: AES-GCM (NIST SP 800-38D) with keys of 128 or 256 bits.
 *
 *             source                                    appended to the destination's content
 *   encrypt   additional data | plaintext               additional data | ciphertext | tag
 *   decrypt   additional data | ciphertext | tag        additional data | plaintext
 *
 * The first aad_size bytes of the source are additional data: authenticated, not encrypted. The tag has 12 or 16 bytes. An
 * initialization vector (IV) has 1 to 12 bytes; it must never be used twice with one key.
 *
 * A task fails with IO_FAILED for a wrong tag, an empty or short source, a small destination, or a destroyed key. After a wrong
 * tag, the destination has zeroes instead of the plaintext. A failed task does not change the length of the destination's
 * content.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. For a NULL argument, a function
 * returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_AES_GCM_H_
#define DOCA_AES_GCM_H_

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_aes_gcm;
struct doca_aes_gcm_key;
struct doca_aes_gcm_task_decrypt;
struct doca_aes_gcm_task_encrypt;
struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_task;

/** @name The context */
/** @{ */
/**
 * Creates a context on an opened device. The device stays in use until the context is destroyed. NO_MEMORY; NOT_SUPPORTED: the
 * device can neither encrypt nor decrypt.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_create(struct doca_dev *dev, struct doca_aes_gcm **aes_gcm);
/** Destroys the context. IN_USE: not IDLE, or tasks or keys exist. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_destroy(struct doca_aes_gcm *aes_gcm);
/** Returns the generic context, which has the lifetime of aes_gcm. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_aes_gcm_as_ctx(struct doca_aes_gcm *aes_gcm);
/** Returns the limit for the sum of num_tasks over both kinds. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_get_max_num_tasks(struct doca_aes_gcm *aes_gcm, uint32_t *max_num_tasks);
/** @} */

/** @name Keys */
/** @{ */
enum doca_aes_gcm_key_type {
	DOCA_AES_GCM_KEY_128 = 1,	/**< 16 bytes */
	DOCA_AES_GCM_KEY_256 = 2,	/**< 32 bytes */
};

/**
 * Creates a key of the context from 16 or 32 bytes, in any state of the context. The key is a copy, which core dumps do not
 * contain. INVALID_VALUE: unknown type; NOT_SUPPORTED: the device lacks the type; NO_MEMORY.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_key_create(struct doca_aes_gcm *aes_gcm, const void *raw_key, enum doca_aes_gcm_key_type raw_key_type,
				     struct doca_aes_gcm_key **key);
/**
 * Overwrites the copy and destroys the key. DRIVER: a task in flight uses the key; INVALID_VALUE: the key was destroyed. Tasks may
 * still refer to a destroyed key; their submissions fail.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_key_destroy(struct doca_aes_gcm_key *key);
/** @} */

/** @name Encrypt */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_aes_gcm_task_encrypt_completion_cb_t)(struct doca_aes_gcm_task_encrypt *task, union doca_data task_user_data,
							union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest length of an IV in bytes. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_get_max_iv_len(const struct doca_devinfo *devinfo, uint32_t *max_iv_len);
/** Returns SUCCESS if the device supports tags of 12 bytes; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_is_tag_96_supported(const struct doca_devinfo *devinfo);
/** Returns SUCCESS if the device supports tags of 16 bytes; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_is_tag_128_supported(const struct doca_devinfo *devinfo);
/** Returns SUCCESS if the device supports keys of this type. NOT_SUPPORTED; INVALID_VALUE: unknown type. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_is_key_type_supported(const struct doca_devinfo *devinfo,
								 enum doca_aes_gcm_key_type key_type);
/** Returns the largest size of a source in bytes, over all elements of a list. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *max_buffer_size);
/** Returns the largest number of elements of a list; 1: no lists. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_encrypt_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
								     uint32_t *max_list_num_elem);
/** Configures num_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE; NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_encrypt_set_conf(struct doca_aes_gcm *aes_gcm,
						doca_aes_gcm_task_encrypt_completion_cb_t task_completion_cb,
						doca_aes_gcm_task_encrypt_completion_cb_t task_error_cb, uint32_t num_tasks);
/**
 * Allocates a task. The task copies the IV. INVALID_VALUE: iv_length above 12, tag_size neither 12 nor 16, or a key of another
 * context; BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks tasks are allocated.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_encrypt_alloc_init(struct doca_aes_gcm *aes_gcm, const struct doca_buf *src_buff,
						  struct doca_buf *dst_buff, struct doca_aes_gcm_key *key,
						  const uint8_t *iv, uint32_t iv_length, uint32_t tag_size,
						  uint32_t aad_size, union doca_data user_data,
						  struct doca_aes_gcm_task_encrypt **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_aes_gcm_task_encrypt_as_task(struct doca_aes_gcm_task_encrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_src(struct doca_aes_gcm_task_encrypt *task, const struct doca_buf *src_buff);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_aes_gcm_task_encrypt_get_src(const struct doca_aes_gcm_task_encrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_dst(struct doca_aes_gcm_task_encrypt *task, struct doca_buf *dst_buff);
DOCA_EXPERIMENTAL
struct doca_buf *doca_aes_gcm_task_encrypt_get_dst(const struct doca_aes_gcm_task_encrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_key(struct doca_aes_gcm_task_encrypt *task, struct doca_aes_gcm_key *key);
DOCA_EXPERIMENTAL
struct doca_aes_gcm_key *doca_aes_gcm_task_encrypt_get_key(const struct doca_aes_gcm_task_encrypt *task);
/** Copies an IV of 1 to 12 bytes into the task. Another length makes submissions fail. */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_iv(struct doca_aes_gcm_task_encrypt *task, const uint8_t *iv, uint32_t iv_length);
/** Returns the IV, which the task owns, and its length. */
DOCA_EXPERIMENTAL
const uint8_t *doca_aes_gcm_task_encrypt_get_iv(const struct doca_aes_gcm_task_encrypt *task, uint32_t *iv_length);
/** Sets the length of the tag in bytes: 12 or 16. Another length makes submissions fail. */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_tag_size(struct doca_aes_gcm_task_encrypt *task, uint32_t tag_size);
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_encrypt_get_tag_size(const struct doca_aes_gcm_task_encrypt *task);
/** Sets the number of bytes at the begin of the source that are additional data. */
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_encrypt_set_aad_size(struct doca_aes_gcm_task_encrypt *task, uint32_t aad_size);
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_encrypt_get_aad_size(const struct doca_aes_gcm_task_encrypt *task);
/** @} */

/** @name Decrypt; each function is as its counterpart of encrypt */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_aes_gcm_task_decrypt_completion_cb_t)(struct doca_aes_gcm_task_decrypt *task, union doca_data task_user_data,
							union doca_data ctx_user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_is_supported(const struct doca_devinfo *devinfo);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_get_max_iv_len(const struct doca_devinfo *devinfo, uint32_t *max_iv_len);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_is_tag_96_supported(const struct doca_devinfo *devinfo);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_is_tag_128_supported(const struct doca_devinfo *devinfo);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_is_key_type_supported(const struct doca_devinfo *devinfo,
								 enum doca_aes_gcm_key_type key_type);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *max_buffer_size);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_cap_task_decrypt_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
								     uint32_t *max_list_num_elem);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_decrypt_set_conf(struct doca_aes_gcm *aes_gcm,
						doca_aes_gcm_task_decrypt_completion_cb_t task_completion_cb,
						doca_aes_gcm_task_decrypt_completion_cb_t task_error_cb, uint32_t num_tasks);
DOCA_EXPERIMENTAL
doca_error_t doca_aes_gcm_task_decrypt_alloc_init(struct doca_aes_gcm *aes_gcm, const struct doca_buf *src_buff,
						  struct doca_buf *dst_buff, struct doca_aes_gcm_key *key,
						  const uint8_t *iv, uint32_t iv_length, uint32_t tag_size,
						  uint32_t aad_size, union doca_data user_data,
						  struct doca_aes_gcm_task_decrypt **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_aes_gcm_task_decrypt_as_task(struct doca_aes_gcm_task_decrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_src(struct doca_aes_gcm_task_decrypt *task, const struct doca_buf *src_buff);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_aes_gcm_task_decrypt_get_src(const struct doca_aes_gcm_task_decrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_dst(struct doca_aes_gcm_task_decrypt *task, struct doca_buf *dst_buff);
DOCA_EXPERIMENTAL
struct doca_buf *doca_aes_gcm_task_decrypt_get_dst(const struct doca_aes_gcm_task_decrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_key(struct doca_aes_gcm_task_decrypt *task, struct doca_aes_gcm_key *key);
DOCA_EXPERIMENTAL
struct doca_aes_gcm_key *doca_aes_gcm_task_decrypt_get_key(const struct doca_aes_gcm_task_decrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_iv(struct doca_aes_gcm_task_decrypt *task, const uint8_t *iv, uint32_t iv_length);
DOCA_EXPERIMENTAL
const uint8_t *doca_aes_gcm_task_decrypt_get_iv(const struct doca_aes_gcm_task_decrypt *task, uint32_t *iv_length);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_tag_size(struct doca_aes_gcm_task_decrypt *task, uint32_t tag_size);
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_decrypt_get_tag_size(const struct doca_aes_gcm_task_decrypt *task);
DOCA_EXPERIMENTAL
void doca_aes_gcm_task_decrypt_set_aad_size(struct doca_aes_gcm_task_decrypt *task, uint32_t aad_size);
DOCA_EXPERIMENTAL
uint32_t doca_aes_gcm_task_decrypt_get_aad_size(const struct doca_aes_gcm_task_decrypt *task);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
