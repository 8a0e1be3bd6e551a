/* Public functions of AES-GCM, except keys. */
#include <string.h>

#include "doca_dev.h"
#include "sd_aes_gcm.h"

static const struct sd_context_ops aes_gcm_ops = {
	.name = "aes_gcm",
};

doca_error_t doca_aes_gcm_create(struct doca_dev *dev, struct doca_aes_gcm **aes_gcm)
{
	doca_error_t result;

	if (dev == NULL || aes_gcm == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_transform_is_supported(doca_dev_as_devinfo(dev), &sd_aes_gcm_encrypt);
	if (result != DOCA_SUCCESS)
		return result;
	return sd_transform_create(&aes_gcm_ops, sizeof(struct doca_aes_gcm), dev, (struct sd_transform **)aes_gcm);
}

doca_error_t doca_aes_gcm_destroy(struct doca_aes_gcm *aes_gcm)
{
	doca_error_t result;

	if (sd_calls_refuse(__func__, aes_gcm))
		return DOCA_ERROR_BAD_STATE;
	if (aes_gcm == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&aes_gcm->base.ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_IN_USE;
	result = sd_aes_gcm_free_keys(aes_gcm);
	return result == DOCA_SUCCESS ? sd_transform_destroy(&aes_gcm->base) : result;
}

SD_TRANSFORM_CONTEXT(doca_aes_gcm)

static doca_error_t check_key_type(const struct doca_devinfo *devinfo, enum doca_aes_gcm_key_type type)
{
	return sd_aes_gcm_key_len(type) == 0 ? DOCA_ERROR_INVALID_VALUE : sd_transform_is_supported(devinfo, &sd_aes_gcm_encrypt);
}

static doca_error_t get_max_iv_len(const struct doca_devinfo *devinfo, uint32_t *len)
{
	doca_error_t result = len == NULL ? DOCA_ERROR_INVALID_VALUE : sd_transform_is_supported(devinfo, &sd_aes_gcm_encrypt);

	if (result == DOCA_SUCCESS)
		*len = SD_AES_GCM_MAX_IV_LEN;
	return result;
}

/* Copies an IV; a length without an IV counts as 0. */
static void set_iv(struct sd_aes_gcm_settings *settings, const uint8_t *iv, uint32_t len)
{
	settings->iv_len = iv == NULL ? 0 : len;
	if (iv != NULL && len <= SD_AES_GCM_MAX_IV_LEN)
		memcpy(settings->iv, iv, len);
}

static doca_error_t alloc(struct doca_aes_gcm *aes_gcm, const struct sd_transform_kind *kind, const struct doca_buf *src,
			  struct doca_buf *dst, const struct sd_aes_gcm_settings *settings, union doca_data user_data,
			  struct sd_aes_gcm_task **task)
{
	doca_error_t result;

	if (aes_gcm == NULL || !sd_aes_gcm_has_key(aes_gcm, settings->key) || settings->iv_len > SD_AES_GCM_MAX_IV_LEN ||
	    !sd_aes_gcm_is_tag_size(settings->tag_size))
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_transform_alloc(&aes_gcm->base, kind, src, dst, user_data, (struct doca_task **)task);
	if (result == DOCA_SUCCESS)
		(*task)->settings = *settings;
	return result;
}

/* Defines setter and getter of a setting. */
#define AES_GCM_SETTING(name, type, setting)                                                                                \
	SD_SETTER(doca_aes_gcm_task_##name##_set_##setting, struct doca_aes_gcm_task_##name, type, task.settings.setting)   \
	SD_PROPERTY(doca_aes_gcm_task_##name##_get_##setting, const struct doca_aes_gcm_task_##name, type, 0,               \
		object->task.settings.setting)

/* Defines the public functions of a kind. */
#define AES_GCM_KIND(name, kind)                                                                                          \
	SD_TRANSFORM_CAPABILITIES(doca_aes_gcm_cap_task_##name, kind, get_max_list_buf_num_elem)                          \
	SD_TRANSFORM_SET_CONF(doca_aes_gcm_task_##name, doca_aes_gcm, kind)                                               \
	SD_TRANSFORM_BUFFERS(doca_aes_gcm_task_##name)                                                                    \
	AES_GCM_SETTING(name, struct doca_aes_gcm_key *, key)                                                             \
	AES_GCM_SETTING(name, uint32_t, tag_size)                                                                         \
	AES_GCM_SETTING(name, uint32_t, aad_size)                                                                         \
	doca_error_t doca_aes_gcm_cap_task_##name##_get_max_iv_len(const struct doca_devinfo *devinfo, uint32_t *max_iv_len) \
	{                                                                                                                 \
		return get_max_iv_len(devinfo, max_iv_len);                                                               \
	}                                                                                                                 \
	doca_error_t doca_aes_gcm_cap_task_##name##_is_tag_96_supported(const struct doca_devinfo *devinfo)               \
	{                                                                                                                 \
		return sd_transform_is_supported(devinfo, kind);                                                          \
	}                                                                                                                 \
	doca_error_t doca_aes_gcm_cap_task_##name##_is_tag_128_supported(const struct doca_devinfo *devinfo)              \
	{                                                                                                                 \
		return sd_transform_is_supported(devinfo, kind);                                                          \
	}                                                                                                                 \
	doca_error_t doca_aes_gcm_cap_task_##name##_is_key_type_supported(const struct doca_devinfo *devinfo,             \
									  enum doca_aes_gcm_key_type key_type)            \
	{                                                                                                                 \
		return check_key_type(devinfo, key_type);                                                                 \
	}                                                                                                                 \
	doca_error_t doca_aes_gcm_task_##name##_alloc_init(                                                               \
		struct doca_aes_gcm *aes_gcm, const struct doca_buf *src_buff, struct doca_buf *dst_buff,                 \
		struct doca_aes_gcm_key *key, const uint8_t *iv, uint32_t iv_length, uint32_t tag_size, uint32_t aad_size, \
		union doca_data user_data, struct doca_aes_gcm_task_##name **task)                                        \
	{                                                                                                                 \
		struct sd_aes_gcm_settings settings = { .key = key, .tag_size = tag_size, .aad_size = aad_size };         \
                                                                                                                          \
		if (iv == NULL && iv_length > 0)                                                                          \
			return DOCA_ERROR_INVALID_VALUE;                                                                  \
		set_iv(&settings, iv, iv_length);                                                                         \
		return alloc(aes_gcm, kind, src_buff, dst_buff, &settings, user_data, (struct sd_aes_gcm_task **)task);   \
	}                                                                                                                 \
	void doca_aes_gcm_task_##name##_set_iv(struct doca_aes_gcm_task_##name *task, const uint8_t *iv, uint32_t iv_length) \
	{                                                                                                                 \
		if (task != NULL)                                                                                         \
			set_iv(&task->task.settings, iv, iv_length);                                                      \
	}                                                                                                                 \
	const uint8_t *doca_aes_gcm_task_##name##_get_iv(const struct doca_aes_gcm_task_##name *task, uint32_t *iv_length) \
	{                                                                                                                 \
		if (task == NULL || iv_length == NULL)                                                                    \
			return NULL;                                                                                      \
		*iv_length = task->task.settings.iv_len;                                                                  \
		return task->task.settings.iv;                                                                            \
	}

AES_GCM_KIND(encrypt, &sd_aes_gcm_encrypt)
AES_GCM_KIND(decrypt, &sd_aes_gcm_decrypt)
