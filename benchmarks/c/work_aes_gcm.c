#include <doca_aes_gcm.h>

#include "work_kind.h"

enum { KEY_BYTES = 32, IV_BYTES = 12, TAG_BYTES = 16 };

/* The key and the IV are public and fixed: the program measures, and discards the ciphertext. */
static const uint8_t raw_key[KEY_BYTES] = { 1 }, iv[IV_BYTES] = { 1 };

static doca_error_t create_key(void *object, void **operand)
{
	return doca_aes_gcm_key_create(object, raw_key, DOCA_AES_GCM_KEY_256, (struct doca_aes_gcm_key **)operand);
}

static doca_error_t destroy_key(void *operand)
{
	return doca_aes_gcm_key_destroy(operand);
}

static doca_error_t alloc_task(void *object, void *operand, const struct work_buffers *buffers, union doca_data user_data,
			       struct doca_aes_gcm_task_encrypt **task)
{
	return doca_aes_gcm_task_encrypt_alloc_init(object, buffers->src, buffers->dst, operand, iv, IV_BYTES, TAG_BYTES, 0,
						    user_data, task);
}

static bool suits(const struct doca_devinfo *info)
{
	return doca_aes_gcm_cap_task_encrypt_is_supported(info) == DOCA_SUCCESS &&
	       doca_aes_gcm_cap_task_encrypt_is_key_type_supported(info, DOCA_AES_GCM_KEY_256) == DOCA_SUCCESS;
}

static size_t dst_len(size_t src_len)
{
	return src_len + TAG_BYTES;
}

WORK_KIND(doca_aes_gcm, encrypt, src, dst, WORK_SAME, WORK_NO_RESULT)

const struct work_kind work_aes_gcm = { .name = "aes-gcm", .wanted = "a device that encrypts with AES-256-GCM", .suits = suits,
					.dst_len = dst_len, .create_operand = create_key, .destroy_operand = destroy_key, WORK_ROW };
