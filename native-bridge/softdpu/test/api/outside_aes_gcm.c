/* A typical program for an installed SDK: encrypts a text with a key of 256 bits, decrypts it, and compares. */
#include <doca_aes_gcm.h>

#include "outside.h"

enum { TEXT_LEN = 1000, TAG_LEN = 16, IV_LEN = 12, SEALED = 2048, BACK = 4096, AREA_LEN = 8192 };

static void encrypted(struct doca_aes_gcm_task_encrypt *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)ctx_user_data;
	*(doca_error_t *)task_user_data.ptr = doca_task_get_status(doca_aes_gcm_task_encrypt_as_task(task));
	doca_task_free(doca_aes_gcm_task_encrypt_as_task(task));
	num_done++;
}

static void decrypted(struct doca_aes_gcm_task_decrypt *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)ctx_user_data;
	*(doca_error_t *)task_user_data.ptr = doca_task_get_status(doca_aes_gcm_task_decrypt_as_task(task));
	doca_task_free(doca_aes_gcm_task_decrypt_as_task(task));
	num_done++;
}

static int supports(const struct doca_devinfo *devinfo)
{
	return doca_aes_gcm_cap_task_encrypt_is_supported(devinfo) == DOCA_SUCCESS &&
	       doca_aes_gcm_cap_task_decrypt_is_supported(devinfo) == DOCA_SUCCESS;
}

int main(void)
{
	static const uint8_t raw_key[32] = "thirty-two bytes make up a key.";
	static const uint8_t iv[IV_LEN] = "used once..";
	static char area[AREA_LEN];
	struct doca_aes_gcm_task_encrypt *encrypt_task;
	struct doca_aes_gcm_task_decrypt *decrypt_task;
	struct doca_buf *text, *sealed, *back;
	struct outside out;
	struct doca_aes_gcm_key *key;
	struct doca_aes_gcm *aes_gcm;
	doca_error_t status = DOCA_ERROR_UNKNOWN;
	union doca_data data = { .ptr = &status };
	size_t len, i;

	for (i = 0; i < TEXT_LEN; i++)
		area[i] = (char)('a' + i % 23);

	open_outside(&out, supports, area, sizeof(area), 3);
	MUST(doca_buf_inventory_buf_get_by_data(out.inventory, out.mmap, area, TEXT_LEN, &text));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + SEALED, TEXT_LEN + TAG_LEN, &sealed));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + BACK, TEXT_LEN, &back));

	MUST(doca_aes_gcm_create(out.dev, &aes_gcm));
	MUST(doca_aes_gcm_task_encrypt_set_conf(aes_gcm, encrypted, encrypted, 1));
	MUST(doca_aes_gcm_task_decrypt_set_conf(aes_gcm, decrypted, decrypted, 1));
	MUST(doca_pe_connect_ctx(out.pe, doca_aes_gcm_as_ctx(aes_gcm)));
	MUST(doca_ctx_start(doca_aes_gcm_as_ctx(aes_gcm)));
	MUST(doca_aes_gcm_key_create(aes_gcm, raw_key, DOCA_AES_GCM_KEY_256, &key));

	MUST(doca_aes_gcm_task_encrypt_alloc_init(aes_gcm, text, sealed, key, iv, IV_LEN, TAG_LEN, 0, data, &encrypt_task));
	MUST(doca_task_submit(doca_aes_gcm_task_encrypt_as_task(encrypt_task)));
	wait_for(out.pe, 1);
	MUST(status);
	MUST(doca_aes_gcm_task_decrypt_alloc_init(aes_gcm, sealed, back, key, iv, IV_LEN, TAG_LEN, 0, data, &decrypt_task));
	MUST(doca_task_submit(doca_aes_gcm_task_decrypt_as_task(decrypt_task)));
	wait_for(out.pe, 2);
	MUST(status);
	MUST(doca_buf_get_data_len(back, &len));
	if (len != TEXT_LEN || memcmp(area, area + BACK, len) != 0 || memcmp(area, area + SEALED, len) == 0)
		return EXIT_FAILURE;

	MUST(doca_buf_reset_data_len(back));
	area[SEALED + TEXT_LEN] ^= 1; /* the tag */
	MUST(doca_aes_gcm_task_decrypt_alloc_init(aes_gcm, sealed, back, key, iv, IV_LEN, TAG_LEN, 0, data, &decrypt_task));
	MUST(doca_task_submit(doca_aes_gcm_task_decrypt_as_task(decrypt_task)));
	wait_for(out.pe, 3);
	if (status != DOCA_ERROR_IO_FAILED)
		return EXIT_FAILURE;

	MUST(doca_ctx_stop(doca_aes_gcm_as_ctx(aes_gcm)));
	MUST(doca_aes_gcm_key_destroy(key));
	MUST(doca_aes_gcm_destroy(aes_gcm));
	MUST(doca_buf_dec_refcount(text, NULL));
	MUST(doca_buf_dec_refcount(sealed, NULL));
	MUST(doca_buf_dec_refcount(back, NULL));
	close_outside(&out);
	return EXIT_SUCCESS;
}
