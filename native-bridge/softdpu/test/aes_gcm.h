/* An AES-GCM context on an engine, and single tasks through it. */
#ifndef AES_GCM_H
#define AES_GCM_H

#include "codec.h"
#include "doca_aes_gcm.h"

enum { AES_AT = 2 << 20, AES_BACK = 3 << 20, AES_KEY_128 = 16, AES_KEY_256 = 32, AES_IV = 12 };

struct sealer {
	struct rig rig;
	struct doca_aes_gcm *aes;
};

/* Settings of a task. */
struct aes_settings {
	struct doca_aes_gcm_key *key;
	const uint8_t *iv;
	uint32_t iv_len, tag_size, aad_size;
};

#define AES_CALLBACK(kind, name) ((doca_aes_gcm_task_##kind##_completion_cb_t)(void (*)(void))(name))
#define AES_CONFIGURE(sealer, kind, num_tasks)                                                                    \
	doca_aes_gcm_task_##kind##_set_conf((sealer)->aes, AES_CALLBACK(kind, rig_completed), AES_CALLBACK(kind, rig_failed), \
					    num_tasks)

/* Opens everything except the start, without tasks. */
RIG void aes_create(struct sealer *sealer)
{
	rig_open(&sealer->rig, 0);
	CHECK_OK(doca_aes_gcm_create(sealer->rig.dev, &sealer->aes));
	rig_replace_context(&sealer->rig, doca_aes_gcm_as_ctx(sealer->aes));
}

/* Opens and starts a context with num_tasks tasks of each kind. */
RIG void aes_open(struct sealer *sealer, uint32_t num_tasks)
{
	aes_create(sealer);
	CHECK_OK(AES_CONFIGURE(sealer, encrypt, num_tasks));
	CHECK_OK(AES_CONFIGURE(sealer, decrypt, num_tasks));
	CHECK_OK(doca_ctx_start(sealer->rig.ctx));
}

RIG void aes_close(struct sealer *sealer)
{
	rig_stop(&sealer->rig);
	CHECK_OK(doca_aes_gcm_destroy(sealer->aes));
	rig_close_rest(&sealer->rig);
}

/* Creates a key of 16 or 32 bytes. */
RIG struct doca_aes_gcm_key *aes_key(struct sealer *sealer, const uint8_t *bytes, size_t len)
{
	struct doca_aes_gcm_key *key;

	CHECK_OK(doca_aes_gcm_key_create(sealer->aes, bytes, len == AES_KEY_128 ? DOCA_AES_GCM_KEY_128 : DOCA_AES_GCM_KEY_256, &key));
	return key;
}

#define AES_RUN(kind)                                                                                                      \
	RIG struct doca_aes_gcm_task_##kind *aes_alloc_##kind(struct sealer *sealer, struct doca_buf *src,                 \
							      struct doca_buf *dst, const struct aes_settings *settings)   \
	{                                                                                                                  \
		struct doca_aes_gcm_task_##kind *task;                                                                     \
		union doca_data none = { 0 };                                                                              \
		CHECK_OK(doca_aes_gcm_task_##kind##_alloc_init(sealer->aes, src, dst, settings->key, settings->iv,         \
							       settings->iv_len, settings->tag_size, settings->aad_size,   \
							       none, &task));                                              \
		return task;                                                                                               \
	}                                                                                                                  \
	/* Runs one task, and releases the source. */                                                                      \
	RIG doca_error_t aes_##kind(struct sealer *sealer, struct doca_buf *src, struct doca_buf *dst,                     \
				    const struct aes_settings *settings)                                                   \
	{                                                                                                                  \
		struct doca_task *task =                                                                                   \
			doca_aes_gcm_task_##kind##_as_task(aes_alloc_##kind(sealer, src, dst, settings));                  \
		doca_error_t status = codec_wait(&sealer->rig, task);                                                      \
		doca_task_free(task);                                                                                      \
		rig_drop(src);                                                                                             \
		return status;                                                                                             \
	}

AES_RUN(encrypt)
AES_RUN(decrypt)

/* Runs a test with hardware threads, then in inline execution. */
RIG void aes_in_both_modes(void (*test)(struct sealer *sealer), uint32_t num_tasks)
{
	static const enum softdpu_execution modes[] = { SOFTDPU_EXECUTION_THREADS, SOFTDPU_EXECUTION_INLINE };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct sealer sealer;

		CHECK_OK(softdpu_set_execution(modes[i]));
		aes_open(&sealer, num_tasks);
		test(&sealer);
		softdpu_faults_clear();
		aes_close(&sealer);
	}
}

#endif
