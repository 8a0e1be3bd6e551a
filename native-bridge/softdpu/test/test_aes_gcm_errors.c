/*
 * AES-GCM tasks that fail: damaged or truncated input, too little room, illegal settings, a destroyed key. A plain submit accepts
 * such a task; try_submit refuses it if the device need not decrypt to find out.
 */
#include "aes_gcm.h"

enum { LEN = 5000, TAG = 16, SEALED = LEN + TAG };

static const uint8_t key_bytes[AES_KEY_256] = "a key that tests have, and other";
static const uint8_t iv[AES_IV] = "an iv of 12.";
static struct aes_settings settings;

/* Encrypts [0, LEN) of the memory to AES_AT. */
static void seal(struct sealer *sealer)
{
	struct doca_buf *dst = rig_room(&sealer->rig, AES_AT, SEALED);

	CHECK_OK(aes_encrypt(sealer, rig_source(&sealer->rig, 0, LEN), dst, &settings));
	rig_drop(dst);
}

/* Decrypts [AES_AT, AES_AT + len), which must fail and leave no text. */
static void check_not_authentic(struct sealer *sealer, size_t len, const struct aes_settings *with)
{
	struct rig *rig = &sealer->rig;
	struct doca_buf *dst = codec_list(rig, AES_BACK, LEN + 100, 3, 0);

	memset(rig->memory + AES_BACK, 0x5a, LEN + 100);
	CHECK_EQ(aes_decrypt(sealer, rig_source(rig, AES_AT, len), dst, with), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(codec_list_len(dst), 0);
	for (size_t i = 0; i < LEN + 100; i++)
		CHECK(rig->memory[AES_BACK + i] == (i < len - with->tag_size ? 0 : 0x5a));
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_RUNNING);
	rig_drop(dst);
}

static void damaged(struct sealer *sealer)
{
	static const size_t places[] = { 0, 19, 20, LEN / 2, LEN - 1, LEN, LEN + TAG - 1 }; /* additional data, text, tag */
	struct aes_settings other = settings;
	uint8_t other_bytes[AES_IV] = "an iv of 12!";

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		sealer->rig.memory[AES_AT + places[i]] ^= 0x10;
		check_not_authentic(sealer, SEALED, &settings);
		sealer->rig.memory[AES_AT + places[i]] ^= 0x10;
	}
	check_not_authentic(sealer, SEALED - 1, &settings);
	check_not_authentic(sealer, 100, &settings);
	other.aad_size = 19;
	check_not_authentic(sealer, SEALED, &other);
	other = settings;
	other.iv = other_bytes;
	check_not_authentic(sealer, SEALED, &other);
	other = settings;
	other.iv_len = 11;
	check_not_authentic(sealer, SEALED, &other);
	other = settings;
	other.key = aes_key(sealer, key_bytes, AES_KEY_128); /* the same first bytes */
	check_not_authentic(sealer, SEALED, &other);
	CHECK_OK(doca_aes_gcm_key_destroy(other.key));
}

#define CHECK_REFUSED(task, kind)                                                                      \
	do {                                                                                           \
		struct doca_task *refused = doca_aes_gcm_task_##kind##_as_task(task);                  \
		CHECK_ERROR(doca_task_try_submit(refused), DOCA_ERROR_INVALID_VALUE);                  \
		CHECK_EQ(codec_wait(&sealer->rig, refused), DOCA_ERROR_IO_FAILED);                     \
	} while (0)

static void encrypt_fails(struct sealer *sealer, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_aes_gcm_task_encrypt *task = aes_alloc_encrypt(sealer, src, dst, &settings);
	size_t before = codec_list_len(dst);

	CHECK_REFUSED(task, encrypt);
	CHECK_EQ(codec_list_len(dst), before);
	doca_task_free(doca_aes_gcm_task_encrypt_as_task(task));
	rig_drop(src);
	rig_drop(dst);
}

static void decrypt_fails(struct sealer *sealer, struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_aes_gcm_task_decrypt *task = aes_alloc_decrypt(sealer, src, dst, &settings);

	CHECK_REFUSED(task, decrypt);
	CHECK_EQ(codec_list_len(dst), 0);
	doca_task_free(doca_aes_gcm_task_decrypt_as_task(task));
	rig_drop(src);
	rig_drop(dst);
}

static void bad_buffers(struct sealer *sealer)
{
	struct rig *rig = &sealer->rig;
	uint32_t list_len;

	CHECK_OK(doca_aes_gcm_cap_task_encrypt_get_max_list_buf_num_elem(doca_dev_as_devinfo(rig->dev), &list_len));
	encrypt_fails(sealer, rig_room(rig, 0, LEN), rig_room(rig, AES_AT, SEALED)); /* empty */
	encrypt_fails(sealer, rig_source(rig, 0, 19), rig_room(rig, AES_AT, SEALED)); /* shorter than the additional data */
	encrypt_fails(sealer, rig_source(rig, 0, LEN), rig_room(rig, AES_BACK, SEALED - 1));
	encrypt_fails(sealer, rig_source(rig, 0, LEN), codec_list(rig, AES_BACK, SEALED - 1, 4, 0));
	encrypt_fails(sealer, codec_list(rig, 0, LEN, (int)list_len + 1, 1), rig_room(rig, AES_BACK, SEALED));
	encrypt_fails(sealer, rig_source(rig, 0, LEN), codec_list(rig, AES_BACK, SEALED, (int)list_len + 1, 0));
	decrypt_fails(sealer, rig_source(rig, AES_AT, 20 + TAG - 1), rig_room(rig, AES_BACK, LEN)); /* shorter than the frame */
	decrypt_fails(sealer, rig_source(rig, AES_AT, SEALED), rig_room(rig, AES_BACK, LEN - 1));
}

static void bad_settings(struct sealer *sealer)
{
	struct doca_buf *src = rig_source(&sealer->rig, 0, LEN), *dst = rig_room(&sealer->rig, AES_BACK, SEALED);
	struct doca_aes_gcm_task_encrypt *task = aes_alloc_encrypt(sealer, src, dst, &settings);
	const uint8_t *copy;
	uint32_t len;

	doca_aes_gcm_task_encrypt_set_tag_size(task, 13);
	CHECK_EQ(doca_aes_gcm_task_encrypt_get_tag_size(task), 13);
	CHECK_REFUSED(task, encrypt);
	doca_aes_gcm_task_encrypt_set_tag_size(task, 12);
	doca_aes_gcm_task_encrypt_set_iv(task, key_bytes, 13);
	CHECK_REFUSED(task, encrypt);
	doca_aes_gcm_task_encrypt_set_iv(task, iv, 0);
	CHECK_REFUSED(task, encrypt);
	doca_aes_gcm_task_encrypt_set_iv(task, NULL, 12);
	CHECK_REFUSED(task, encrypt);
	doca_aes_gcm_task_encrypt_set_iv(task, iv, 12);
	copy = doca_aes_gcm_task_encrypt_get_iv(task, &len);
	CHECK(copy != iv && len == 12 && memcmp(copy, iv, 12) == 0);
	doca_aes_gcm_task_encrypt_set_aad_size(task, LEN + 1);
	CHECK_EQ(doca_aes_gcm_task_encrypt_get_aad_size(task), LEN + 1);
	CHECK_REFUSED(task, encrypt);
	doca_aes_gcm_task_encrypt_set_aad_size(task, UINT32_MAX);
	CHECK_REFUSED(task, encrypt);
	doca_aes_gcm_task_encrypt_set_aad_size(task, 0);
	doca_aes_gcm_task_encrypt_set_key(task, NULL);
	CHECK_REFUSED(task, encrypt);
	doca_aes_gcm_task_encrypt_set_key(task, settings.key);
	CHECK(doca_aes_gcm_task_encrypt_get_key(task) == settings.key);
	CHECK_EQ(codec_wait(&sealer->rig, doca_aes_gcm_task_encrypt_as_task(task)), DOCA_SUCCESS);
	CHECK_EQ(rig_data_len(dst), LEN + 12);
	doca_task_free(doca_aes_gcm_task_encrypt_as_task(task));
	rig_drop(src);
	rig_drop(dst);
}

static void bad_arguments(struct sealer *sealer)
{
	struct doca_buf *src = rig_source(&sealer->rig, 0, LEN), *dst = rig_room(&sealer->rig, AES_BACK, SEALED);
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(sealer->rig.dev);
	struct doca_aes_gcm_task_decrypt *task, *second;
	union doca_data none = { 0 };

#define ALLOC(out, iv, iv_len, tag_size)                                                                                   \
	doca_aes_gcm_task_decrypt_alloc_init(sealer->aes, src, dst, settings.key, iv, iv_len, tag_size, 0, none, out)
	CHECK_ERROR(ALLOC(&task, iv, 13, 16), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(ALLOC(&task, NULL, 12, 16), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(ALLOC(&task, iv, 12, 15), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(ALLOC(&task, iv, 12, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(ALLOC(&task, NULL, 0, 12)); /* set_iv follows */
	CHECK_ERROR(ALLOC(&second, iv, 12, 12), DOCA_ERROR_NO_MEMORY);
	doca_task_free(doca_aes_gcm_task_decrypt_as_task(task));
	CHECK_ERROR(doca_aes_gcm_cap_task_decrypt_is_key_type_supported(devinfo, (enum doca_aes_gcm_key_type)0),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_aes_gcm_cap_task_encrypt_is_key_type_supported(devinfo, (enum doca_aes_gcm_key_type)3),
		    DOCA_ERROR_INVALID_VALUE);
	rig_drop(src);
	rig_drop(dst);
}

static void test(struct sealer *sealer)
{
	settings = (struct aes_settings){ aes_key(sealer, key_bytes, AES_KEY_256), iv, AES_IV, TAG, 20 };
	seal(sealer);
	damaged(sealer);
	bad_buffers(sealer);
	bad_settings(sealer);
	bad_arguments(sealer);
	CHECK_OK(doca_aes_gcm_key_destroy(settings.key));
}

/* The sum over both kinds is limited. */
static void numbers(void)
{
	struct sealer sealer;
	uint32_t most;

	aes_create(&sealer);
	CHECK_OK(doca_aes_gcm_cap_get_max_num_tasks(sealer.aes, &most));
	CHECK_OK(AES_CONFIGURE(&sealer, encrypt, most - 1));
	CHECK_ERROR(AES_CONFIGURE(&sealer, decrypt, 2), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(AES_CONFIGURE(&sealer, decrypt, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(AES_CONFIGURE(&sealer, decrypt, 1));
	CHECK_OK(doca_ctx_start(sealer.rig.ctx));
	CHECK_ERROR(AES_CONFIGURE(&sealer, decrypt, 1), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_aes_gcm_destroy(sealer.aes), DOCA_ERROR_IN_USE);
	aes_close(&sealer);
}

int main(void)
{
	aes_in_both_modes(test, 1);
	numbers();
	return 0;
}
