/* Faults of plans for AES-GCM: failed, slow, refused, damaged, lost device. Stops with tasks in flight, which free their keys. */
#include "aes_gcm.h"

enum { LEN = 4096, TASKS = 32 };

static const uint8_t iv[AES_IV] = "0123456789ab";
static struct aes_settings settings;

static doca_error_t seal(struct sealer *sealer)
{
	struct doca_buf *dst = rig_room(&sealer->rig, AES_AT, LEN + 16);
	doca_error_t status = aes_encrypt(sealer, rig_source(&sealer->rig, 0, LEN), dst, &settings);

	CHECK_EQ(rig_data_len(dst), status == DOCA_SUCCESS ? LEN + 16 : 0);
	rig_drop(dst);
	return status;
}

static doca_error_t unseal(struct sealer *sealer)
{
	struct doca_buf *dst = rig_room(&sealer->rig, AES_BACK, LEN);
	doca_error_t status = aes_decrypt(sealer, rig_source(&sealer->rig, AES_AT, LEN + 16), dst, &settings);

	rig_drop(dst);
	return status;
}

static void fails(struct sealer *sealer)
{
	CHECK_OK(softdpu_faults_set("aes-gcm-encrypt:fail=TIME_OUT:nth=2; aes-gcm-decrypt:fail:nth=1"));
	CHECK_OK(seal(sealer));
	CHECK_EQ(seal(sealer), DOCA_ERROR_TIME_OUT);
	CHECK_EQ(unseal(sealer), DOCA_ERROR_IO_FAILED);
	CHECK_OK(unseal(sealer));
}

static void is_slow(struct sealer *sealer)
{
	uint64_t before = softdpu_clock_now();

	CHECK_OK(softdpu_faults_set("aes-gcm-encrypt:delay=20ms"));
	CHECK_OK(seal(sealer));
	CHECK(softdpu_clock_now() - before >= 20000000);
}

static void is_refused(struct sealer *sealer)
{
	struct doca_buf *src = rig_source(&sealer->rig, 0, LEN), *dst = rig_room(&sealer->rig, AES_AT, LEN + 16);
	struct doca_task *task = doca_aes_gcm_task_encrypt_as_task(aes_alloc_encrypt(sealer, src, dst, &settings));

	CHECK_OK(softdpu_faults_set("aes-gcm-encrypt:again=2:nth=1"));
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
	CHECK_EQ(codec_wait(&sealer->rig, task), DOCA_SUCCESS);
	doca_task_free(task);
	rig_drop(src);
	rig_drop(dst);
}

/* A damaged ciphertext is not authentic; a damaged plaintext has one wrong bit. */
static void is_damaged(struct sealer *sealer)
{
	int wrong = 0;

	CHECK_OK(softdpu_faults_set("aes-gcm-encrypt:corrupt:nth=1; aes-gcm-decrypt:corrupt:nth=2"));
	CHECK_OK(seal(sealer));
	CHECK_EQ(unseal(sealer), DOCA_ERROR_IO_FAILED);
	CHECK_OK(seal(sealer));
	CHECK_OK(unseal(sealer));
	for (int i = 0; i < LEN; i++)
		wrong += __builtin_popcount(sealer->rig.memory[i] ^ sealer->rig.memory[AES_BACK + i]);
	CHECK_EQ(wrong, 1);
}

/* Buffers are released in flight (Q22); some tasks are freed in flight. */
static void stops(struct sealer *sealer)
{
	softdpu_faults_clear();
	sealer->rig.keep_tasks = 0;
	sealer->rig.completed = sealer->rig.failed = 0;
	for (size_t i = 0; i < TASKS; i++) {
		struct doca_buf *src = rig_source(&sealer->rig, i * LEN, LEN);
		struct doca_buf *dst = rig_room(&sealer->rig, AES_AT + i * 2 * LEN, LEN + 16);
		struct doca_task *task = doca_aes_gcm_task_encrypt_as_task(aes_alloc_encrypt(sealer, src, dst, &settings));

		CHECK_OK(doca_task_submit(task));
		rig_drop(src);
		rig_drop(dst);
		if (i % 4 == 0)
			doca_task_free(task);
	}
	rig_stop(&sealer->rig);
	CHECK_EQ(sealer->rig.completed + sealer->rig.failed, TASKS - TASKS / 4);
	CHECK_OK(doca_ctx_start(sealer->rig.ctx));
}

static void is_lost(struct sealer *sealer)
{
	CHECK_OK(softdpu_faults_set("aes-gcm-encrypt:lost"));
	CHECK_EQ(seal(sealer), DOCA_ERROR_IO_FAILED);
	RIG_PROGRESS_UNTIL(sealer->rig.pe, rig_state(&sealer->rig) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(doca_ctx_start(sealer->rig.ctx), DOCA_ERROR_INITIALIZATION);
}

static void test(struct sealer *sealer)
{
	settings = (struct aes_settings){ aes_key(sealer, sealer->rig.memory + 100, AES_KEY_128), iv, AES_IV, 16, 7 };
	fails(sealer);
	is_slow(sealer);
	is_refused(sealer);
	is_damaged(sealer);
	stops(sealer);
	is_lost(sealer);
	CHECK_OK(doca_aes_gcm_key_destroy(settings.key));
}

int main(void)
{
	aes_in_both_modes(test, TASKS);
	return 0;
}
