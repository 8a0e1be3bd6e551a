/*
 * Keys: created in any state, destroyed before their context, not while a task in flight uses them. No copy of a key is in memory
 * that a core dump contains, and none is left after its destruction.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "aes_gcm.h"

enum { LEN = 4096, MANY = 500, CHUNK = 1 << 16, MAX_RANGE = 64 << 20 };

static const uint8_t iv[AES_IV] = "0123456789ab";

/* Byte i of a key that is nowhere in memory: computed, not stored. */
static uint8_t secret(size_t i)
{
	return (uint8_t)((i * 167 + 13) ^ (i << 3) ^ 0xa5);
}

static struct doca_aes_gcm_key *create_secret_key(struct sealer *sealer)
{
	volatile uint8_t bytes[AES_KEY_256];
	struct doca_aes_gcm_key *key;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = secret(i);
	key = aes_key(sealer, (const uint8_t *)bytes, AES_KEY_256);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = 0;
	return key;
}

/* Not instrumented: it compares every byte of the process. */
__attribute__((no_sanitize("thread", "address"))) static int count_in_chunk(const uint8_t *chunk, size_t len)
{
	int count = 0;

	for (size_t at = 0; at + AES_KEY_256 / 2 <= len; at++) {
		size_t i = 0;

		while (i < AES_KEY_256 / 2 && chunk[at + i] == secret(i))
			i++;
		count += i == AES_KEY_256 / 2;
	}
	return count;
}

/* Counts copies of the first half of the key in a range; the last bytes of a chunk are read again with the next one. */
static int count_in_range(int memory, uint64_t from, uint64_t to)
{
	static uint8_t chunk[CHUNK];
	int count = 0;

	while (from < to) {
		ssize_t len = pread(memory, chunk, to - from < CHUNK ? to - from : CHUNK, (off_t)from);

		if (len <= 0)
			break;
		count += count_in_chunk(chunk, (size_t)len);
		memset(chunk, 0, sizeof(chunk));
		from += (uint64_t)len == to - from || len <= AES_KEY_256 ? (uint64_t)len : (uint64_t)len - AES_KEY_256 / 2 + 1;
	}
	return count;
}

/*
 * Counts copies of the key in the process, by whether a core dump contains their memory. Ranges that only sanitizers
 * have, because of their size, are left out.
 */
static void count_copies(int *dumped, int *hidden)
{
	FILE *ranges = fopen("/proc/self/smaps", "r");
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC), count = 0;
	uint64_t from, to;
	char line[512], rights[5];

	CHECK(ranges != NULL && memory >= 0);
	*dumped = *hidden = 0;
	while (fgets(line, sizeof(line), ranges) != NULL) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, rights) == 3)
			count = rights[0] == 'r' && rights[1] == 'w' && to - from <= MAX_RANGE ? count_in_range(memory, from, to) : 0;
		else if (strncmp(line, "VmFlags:", 8) == 0)
			*(strstr(line, " dd") == NULL ? dumped : hidden) += count;
	}
	close(memory);
	fclose(ranges);
}

static void encrypt_once(struct sealer *sealer, struct doca_aes_gcm_key *key)
{
	struct aes_settings settings = { key, iv, AES_IV, 16, 0 };
	struct doca_buf *dst = rig_room(&sealer->rig, AES_AT, LEN + 16);

	CHECK_OK(aes_encrypt(sealer, rig_source(&sealer->rig, 0, LEN), dst, &settings));
	rig_drop(dst);
}

static void leaves_no_copy(struct sealer *sealer)
{
	struct doca_aes_gcm_key *key;
	int dumped, hidden;

	count_copies(&dumped, &hidden);
	CHECK_EQ(dumped + hidden, 0);
	key = create_secret_key(sealer);
	encrypt_once(sealer, key);
	count_copies(&dumped, &hidden);
	CHECK_EQ(dumped, 0);
	CHECK_EQ(hidden, 1);
	CHECK_OK(doca_aes_gcm_key_destroy(key));
	count_copies(&dumped, &hidden);
	CHECK_EQ(dumped + hidden, 0);
}

/* Two submissions hold the key; other keys can be destroyed meanwhile. */
static void in_use(struct sealer *sealer)
{
	struct doca_aes_gcm_key *key = create_secret_key(sealer), *other = create_secret_key(sealer);
	struct aes_settings settings = { key, iv, AES_IV, 16, 0 };
	struct doca_aes_gcm_task_encrypt *tasks[2];
	struct doca_buf *src = rig_source(&sealer->rig, 0, LEN), *dst[2];

	sealer->rig.keep_tasks = 1;
	for (int i = 0; i < 2; i++) {
		dst[i] = rig_room(&sealer->rig, AES_AT + (size_t)i * 2 * LEN, LEN + 16);
		tasks[i] = aes_alloc_encrypt(sealer, src, dst[i], &settings);
		CHECK_OK(doca_task_submit(doca_aes_gcm_task_encrypt_as_task(tasks[i])));
		doca_aes_gcm_task_encrypt_set_key(tasks[i], other); /* for the next submission */
	}
	CHECK_ERROR(doca_aes_gcm_key_destroy(key), DOCA_ERROR_DRIVER);
	CHECK_OK(doca_aes_gcm_key_destroy(other));
	RIG_PROGRESS_UNTIL(sealer->rig.pe, rig_in_flight(&sealer->rig) == 1);
	CHECK_ERROR(doca_aes_gcm_key_destroy(key), DOCA_ERROR_DRIVER);
	RIG_PROGRESS_UNTIL(sealer->rig.pe, rig_in_flight(&sealer->rig) == 0);
	CHECK_OK(sealer->rig.last_status);
	CHECK(memcmp(sealer->rig.memory + AES_AT, sealer->rig.memory + AES_AT + 2 * LEN, LEN + 16) == 0);
	CHECK_OK(doca_aes_gcm_key_destroy(key));
	CHECK_ERROR(doca_aes_gcm_key_destroy(key), DOCA_ERROR_INVALID_VALUE);
	for (int i = 0; i < 2; i++) {
		struct doca_task *task = doca_aes_gcm_task_encrypt_as_task(tasks[i]);

		CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE); /* the key was destroyed */
		CHECK_EQ(codec_wait(&sealer->rig, task), DOCA_ERROR_IO_FAILED);
		doca_task_free(task);
		rig_drop(dst[i]);
	}
	rig_drop(src);
}

/* Failed submissions hold the key no longer than successful ones. */
static void released_after_failure(struct sealer *sealer)
{
	struct doca_aes_gcm_key *key = create_secret_key(sealer);
	struct aes_settings settings = { key, iv, AES_IV, 16, 0 };
	struct doca_buf *dst = rig_room(&sealer->rig, AES_AT, LEN + 16), *small = rig_room(&sealer->rig, AES_AT, 8);

	CHECK_OK(softdpu_faults_set("aes-gcm-encrypt:fail:first=3"));
	for (int i = 0; i < 3; i++)
		CHECK_EQ(aes_encrypt(sealer, rig_source(&sealer->rig, 0, LEN), dst, &settings), DOCA_ERROR_IO_FAILED);
	softdpu_faults_clear();
	CHECK_EQ(aes_encrypt(sealer, rig_source(&sealer->rig, 0, LEN), small, &settings), DOCA_ERROR_IO_FAILED);
	CHECK_OK(doca_aes_gcm_key_destroy(key));
	rig_drop(dst);
	rig_drop(small);
}

static void many_keys(struct sealer *sealer)
{
	static struct doca_aes_gcm_key *keys[MANY];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < MANY; i++)
			keys[i] = aes_key(sealer, sealer->rig.memory + i, i % 2 ? AES_KEY_128 : AES_KEY_256);
		encrypt_once(sealer, keys[MANY / 2]);
		for (int i = 0; i < MANY; i++)
			CHECK_OK(doca_aes_gcm_key_destroy(keys[(i + round * 7) % MANY]));
	}
}

/* A failed allocation leaves no record behind that would keep the context. */
static void short_of_memory(struct sealer *sealer)
{
	struct doca_aes_gcm_key *key;
	uint8_t bytes[AES_KEY_256] = { 0 };

	CHECK_OK(softdpu_faults_set("alloc-key:fail:nth=1"));
	CHECK_ERROR(doca_aes_gcm_key_create(sealer->aes, bytes, DOCA_AES_GCM_KEY_128, &key), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_aes_gcm_key_create(sealer->aes, bytes, DOCA_AES_GCM_KEY_128, &key));
	CHECK_OK(doca_aes_gcm_key_destroy(key));
	CHECK_ERROR(doca_aes_gcm_key_create(sealer->aes, bytes, (enum doca_aes_gcm_key_type)0, &key), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_aes_gcm_key_create(sealer->aes, bytes, (enum doca_aes_gcm_key_type)3, &key), DOCA_ERROR_INVALID_VALUE);
}

static void test(struct sealer *sealer)
{
	leaves_no_copy(sealer);
	in_use(sealer);
	released_after_failure(sealer);
	many_keys(sealer);
	short_of_memory(sealer);
}

/* A key outlives stops of its context, and belongs to it alone. */
static void life(void)
{
	struct doca_aes_gcm *other;
	struct aes_settings settings = { .iv = iv, .iv_len = AES_IV, .tag_size = 16 };
	struct doca_aes_gcm_task_encrypt *task;
	struct doca_aes_gcm_key *foreign;
	struct sealer sealer;
	struct doca_buf *src, *dst;
	union doca_data none = { 0 };

	aes_create(&sealer);
	settings.key = create_secret_key(&sealer);
	CHECK_OK(AES_CONFIGURE(&sealer, encrypt, 1));
	for (int i = 0; i < 2; i++) {
		CHECK_OK(doca_ctx_start(sealer.rig.ctx));
		encrypt_once(&sealer, settings.key);
		rig_stop(&sealer.rig);
	}
	CHECK_ERROR(doca_aes_gcm_destroy(sealer.aes), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_aes_gcm_create(sealer.rig.dev, &other));
	CHECK_OK(doca_aes_gcm_key_create(other, sealer.rig.memory, DOCA_AES_GCM_KEY_256, &foreign));
	CHECK_OK(doca_ctx_start(sealer.rig.ctx));
	src = rig_source(&sealer.rig, 0, LEN);
	dst = rig_room(&sealer.rig, AES_AT, LEN + 16);
	CHECK_ERROR(doca_aes_gcm_task_encrypt_alloc_init(sealer.aes, src, dst, foreign, iv, AES_IV, 16, 0, none, &task),
		    DOCA_ERROR_INVALID_VALUE);
	task = aes_alloc_encrypt(&sealer, src, dst, &settings);
	doca_aes_gcm_task_encrypt_set_key(task, foreign);
	CHECK_ERROR(doca_task_try_submit(doca_aes_gcm_task_encrypt_as_task(task)), DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_aes_gcm_task_encrypt_as_task(task));
	rig_drop(src);
	rig_drop(dst);
	CHECK_OK(doca_aes_gcm_key_destroy(foreign));
	CHECK_OK(doca_aes_gcm_destroy(other));
	CHECK_OK(doca_aes_gcm_key_destroy(settings.key));
	aes_close(&sealer);
}

int main(void)
{
	aes_in_both_modes(test, 2);
	life();
	return 0;
}
