/* Execution of AES-GCM tasks with libcrypto, which also compares the tags, in constant time. */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>

#include "sd_aes_gcm.h"

/* State of an executing thread. The context is empty between tasks. */
struct unit {
	EVP_CIPHER *ciphers[SD_AES_GCM_KEY_TYPES];
	EVP_CIPHER_CTX *context;
};

static const char *const cipher_names[SD_AES_GCM_KEY_TYPES] = { "AES-128-GCM", "AES-256-GCM" };

static void destroy_unit(void *state)
{
	struct unit *unit = state;

	for (int i = 0; i < SD_AES_GCM_KEY_TYPES; i++)
		EVP_CIPHER_free(unit->ciphers[i]);
	EVP_CIPHER_CTX_free(unit->context);
	free(unit);
}

static void *create_unit(void)
{
	struct unit *unit = calloc(1, sizeof(*unit));
	uint8_t is_complete;

	/*
	 * At exit, hardware threads may still execute tasks. These tasks need libcrypto's tables, so its exit handler must not
	 * run.
	 */
	if (unit == NULL || !OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL)) {
		free(unit);
		return NULL;
	}
	unit->context = EVP_CIPHER_CTX_new();
	is_complete = unit->context != NULL;
	for (int i = 0; i < SD_AES_GCM_KEY_TYPES; i++) {
		unit->ciphers[i] = EVP_CIPHER_fetch(NULL, cipher_names[i], NULL);
		is_complete = is_complete && unit->ciphers[i] != NULL;
	}
	if (is_complete)
		return unit;
	destroy_unit(unit);
	return NULL;
}

static const struct sd_unit_type unit_type = {
	.create = create_unit,
	.destroy = destroy_unit,
};

uint8_t sd_aes_gcm_is_tag_size(uint32_t tag_size)
{
	return tag_size == SD_AES_GCM_TAG_96 || tag_size == SD_AES_GCM_TAG_128;
}

static doca_error_t prepare(struct sd_transform_task *base)
{
	struct sd_aes_gcm_task *task = (struct sd_aes_gcm_task *)base;

	task->latched = task->settings;
	return sd_aes_gcm_has_key((const struct doca_aes_gcm *)base->base.ctx, task->settings.key) ? DOCA_SUCCESS :
												    DOCA_ERROR_IO_FAILED;
}

static void hold(struct sd_transform_task *base)
{
	struct sd_aes_gcm_task *task = (struct sd_aes_gcm_task *)base;

	task->latched.key->num_users++;
	task->is_key_held = 1;
}

static void end(struct sd_transform_task *base)
{
	struct sd_aes_gcm_task *task = (struct sd_aes_gcm_task *)base;

	if (task->is_key_held)
		task->latched.key->num_users--;
	task->is_key_held = 0;
}

/* Returns whether the settings are legal and the lists have at least these sizes. */
static uint8_t is_legal(const struct sd_transform_task *base, size_t least_in, size_t least_out)
{
	const struct sd_aes_gcm_settings *settings = &((const struct sd_aes_gcm_task *)base)->latched;

	return settings->iv_len > 0 && settings->iv_len <= SD_AES_GCM_MAX_IV_LEN && sd_aes_gcm_is_tag_size(settings->tag_size) &&
	       base->in.total >= least_in && base->out.total >= least_out;
}

static uint8_t can_encrypt(const struct sd_transform_task *base)
{
	const struct sd_aes_gcm_settings *settings = &((const struct sd_aes_gcm_task *)base)->latched;

	return is_legal(base, settings->aad_size, base->in.total + settings->tag_size);
}

static uint8_t can_decrypt(const struct sd_transform_task *base)
{
	const struct sd_aes_gcm_settings *settings = &((const struct sd_aes_gcm_task *)base)->latched;
	size_t frame = (size_t)settings->aad_size + settings->tag_size;

	return base->in.total >= frame && is_legal(base, frame, base->in.total - settings->tag_size);
}

static int begin(const struct unit *unit, const struct sd_aes_gcm_settings *settings, int is_encryption)
{
	const struct doca_aes_gcm_key *key = settings->key;
	const EVP_CIPHER *cipher = unit->ciphers[key->type == DOCA_AES_GCM_KEY_256];

	return EVP_CipherInit_ex2(unit->context, cipher, NULL, NULL, is_encryption, NULL) &&
	       EVP_CIPHER_CTX_ctrl(unit->context, EVP_CTRL_AEAD_SET_IVLEN, (int)settings->iv_len, NULL) > 0 &&
	       EVP_CipherInit_ex2(unit->context, NULL, key->bytes, settings->iv, -1, NULL);
}

/* Moves len bytes from in to out: authenticates and copies additional data, or encrypts or decrypts. */
static int pass(EVP_CIPHER_CTX *context, struct sd_cursor *in, struct sd_cursor *out, size_t len, uint8_t is_additional)
{
	int unused;

	while (len > 0) {
		size_t room = sd_cursor_left(out), part = sd_cursor_left(in);
		const uint8_t *from;
		uint8_t *to;

		part = part < room ? part : room;
		part = part < len ? part : len;
		from = sd_cursor_take(in, part);
		to = sd_cursor_take(out, part);
		if (!EVP_CipherUpdate(context, is_additional ? NULL : to, &unused, from, (int)part))
			return 0;
		if (is_additional)
			memmove(to, from, part); /* the lists may be the same memory */
		len -= part;
	}
	return 1;
}

/* Passes additional data, then the text of body_len bytes. */
static int pass_all(EVP_CIPHER_CTX *context, const struct sd_aes_gcm_task *task, size_t body_len)
{
	struct sd_cursor in = { .segment = task->base.in.segments }, out = { .segment = task->base.out.segments };

	return pass(context, &in, &out, task->latched.aad_size, 1) && pass(context, &in, &out, body_len, 0);
}

static int encrypt(const struct unit *unit, struct sd_aes_gcm_task *task)
{
	const struct sd_aes_gcm_settings *settings = &task->latched;
	size_t len = task->base.in.total;
	uint8_t tag[SD_AES_GCM_TAG_128];
	int unused;

	if (!begin(unit, settings, 1) || !pass_all(unit->context, task, len - settings->aad_size) ||
	    !EVP_CipherFinal_ex(unit->context, tag, &unused) ||
	    EVP_CIPHER_CTX_ctrl(unit->context, EVP_CTRL_AEAD_GET_TAG, (int)settings->tag_size, tag) <= 0)
		return 0;
	sd_latch_write(&task->base.out, len, tag, settings->tag_size);
	task->base.produced = len + settings->tag_size;
	return 1;
}

/* Overwrites text that is not authentic. */
static void wipe(const struct sd_latch *out, size_t len)
{
	struct sd_cursor cursor = { .segment = out->segments };

	while (len > 0) {
		size_t part = sd_cursor_left(&cursor);

		part = part < len ? part : len;
		memset(sd_cursor_take(&cursor, part), 0, part);
		len -= part;
	}
}

static int decrypt(const struct unit *unit, struct sd_aes_gcm_task *task)
{
	const struct sd_aes_gcm_settings *settings = &task->latched;
	size_t len = task->base.in.total - settings->tag_size;
	uint8_t tag[SD_AES_GCM_TAG_128], end_of_text[EVP_MAX_BLOCK_LENGTH];
	int unused;

	sd_latch_read(&task->base.in, len, tag, settings->tag_size);
	if (!begin(unit, settings, 0) || !pass_all(unit->context, task, len - settings->aad_size) ||
	    EVP_CIPHER_CTX_ctrl(unit->context, EVP_CTRL_AEAD_SET_TAG, (int)settings->tag_size, tag) <= 0 ||
	    EVP_CipherFinal_ex(unit->context, end_of_text, &unused) <= 0) {
		wipe(&task->base.out, len);
		return 0;
	}
	task->base.produced = len;
	return 1;
}

/* Runs a code, then wipes the expanded key. Inline execution leaves the program's queue of libcrypto's errors unchanged. */
static doca_error_t run(int (*code)(const struct unit *unit, struct sd_aes_gcm_task *task), struct sd_transform_task *task,
			const struct unit *unit)
{
	int is_done;

	ERR_set_mark();
	is_done = code(unit, (struct sd_aes_gcm_task *)task);
	EVP_CIPHER_CTX_reset(unit->context);
	ERR_pop_to_mark();
	return is_done ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

static doca_error_t run_encrypt(struct sd_transform_task *task, void *unit)
{
	return run(encrypt, task, unit);
}

static doca_error_t run_decrypt(struct sd_transform_task *task, void *unit)
{
	return run(decrypt, task, unit);
}

const struct sd_transform_kind sd_aes_gcm_encrypt = {
	.operation = { SD_TRANSFORM_OPERATION("aes-gcm-encrypt", struct doca_aes_gcm_task_encrypt, &unit_type) },
	.capability = offsetof(struct sd_profile, aes_gcm),
	.prepare = prepare,
	.hold = hold,
	.end = end,
	.can_succeed = can_encrypt,
	.code = run_encrypt,
};

const struct sd_transform_kind sd_aes_gcm_decrypt = {
	.operation = { SD_TRANSFORM_OPERATION("aes-gcm-decrypt", struct doca_aes_gcm_task_decrypt, &unit_type) },
	.capability = offsetof(struct sd_profile, aes_gcm),
	.prepare = prepare,
	.hold = hold,
	.end = end,
	.can_succeed = can_decrypt,
	.code = run_decrypt,
};
