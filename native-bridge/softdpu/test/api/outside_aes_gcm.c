/* A typical program for an installed SDK: encrypts a text with a key of 256 bits, decrypts it, and compares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_aes_gcm.h>
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>

DOCA_LOG_REGISTER(OUTSIDE_AES_GCM);

enum { TEXT_LEN = 1000, TAG_LEN = 16, IV_LEN = 12, SEALED = 2048, BACK = 4096, AREA_LEN = 8192 };

#define MUST(call)                                                                                \
	do {                                                                                      \
		doca_error_t must = (call);                                                       \
		if (must != DOCA_SUCCESS) {                                                       \
			DOCA_LOG_ERR("%s: %s", #call, doca_error_get_descr(must));                \
			exit(EXIT_FAILURE);                                                       \
		}                                                                                 \
	} while (0)

static int num_done;

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

/* Opens the first device that supports AES-GCM in both directions. */
static struct doca_dev *open_device(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;

	MUST(doca_devinfo_create_list(&list, &count));
	for (i = 0; i < count && dev == NULL; i++)
		if (doca_aes_gcm_cap_task_encrypt_is_supported(list[i]) == DOCA_SUCCESS &&
		    doca_aes_gcm_cap_task_decrypt_is_supported(list[i]) == DOCA_SUCCESS)
			MUST(doca_dev_open(list[i], &dev));
	MUST(doca_devinfo_destroy_list(list));
	if (dev == NULL)
		exit(EXIT_FAILURE);
	return dev;
}

static void wait_for(struct doca_pe *pe, int num)
{
	long turns;

	for (turns = 0; num_done < num && turns < 2000000000L; turns++)
		(void)doca_pe_progress(pe);
	if (num_done != num)
		exit(EXIT_FAILURE);
}

int main(void)
{
	static const uint8_t raw_key[32] = "thirty-two bytes make up a key.";
	static const uint8_t iv[IV_LEN] = "used once..";
	static char area[AREA_LEN];
	struct doca_aes_gcm_task_encrypt *encrypt_task;
	struct doca_aes_gcm_task_decrypt *decrypt_task;
	struct doca_buf *text, *sealed, *back;
	struct doca_buf_inventory *inventory;
	struct doca_aes_gcm_key *key;
	struct doca_aes_gcm *aes_gcm;
	doca_error_t status = DOCA_ERROR_UNKNOWN;
	union doca_data data = { .ptr = &status };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct doca_pe *pe;
	size_t len, i;

	MUST(doca_log_backend_create_standard());
	for (i = 0; i < TEXT_LEN; i++)
		area[i] = (char)('a' + i % 23);

	dev = open_device();
	MUST(doca_mmap_create(&mmap));
	MUST(doca_mmap_set_memrange(mmap, area, sizeof(area)));
	MUST(doca_mmap_add_dev(mmap, dev));
	MUST(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	MUST(doca_mmap_start(mmap));
	MUST(doca_buf_inventory_create(3, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap, area, TEXT_LEN, &text));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + SEALED, TEXT_LEN + TAG_LEN, &sealed));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + BACK, TEXT_LEN, &back));

	MUST(doca_pe_create(&pe));
	MUST(doca_aes_gcm_create(dev, &aes_gcm));
	MUST(doca_aes_gcm_task_encrypt_set_conf(aes_gcm, encrypted, encrypted, 1));
	MUST(doca_aes_gcm_task_decrypt_set_conf(aes_gcm, decrypted, decrypted, 1));
	MUST(doca_pe_connect_ctx(pe, doca_aes_gcm_as_ctx(aes_gcm)));
	MUST(doca_ctx_start(doca_aes_gcm_as_ctx(aes_gcm)));
	MUST(doca_aes_gcm_key_create(aes_gcm, raw_key, DOCA_AES_GCM_KEY_256, &key));

	MUST(doca_aes_gcm_task_encrypt_alloc_init(aes_gcm, text, sealed, key, iv, IV_LEN, TAG_LEN, 0, data, &encrypt_task));
	MUST(doca_task_submit(doca_aes_gcm_task_encrypt_as_task(encrypt_task)));
	wait_for(pe, 1);
	MUST(status);
	MUST(doca_aes_gcm_task_decrypt_alloc_init(aes_gcm, sealed, back, key, iv, IV_LEN, TAG_LEN, 0, data, &decrypt_task));
	MUST(doca_task_submit(doca_aes_gcm_task_decrypt_as_task(decrypt_task)));
	wait_for(pe, 2);
	MUST(status);
	MUST(doca_buf_get_data_len(back, &len));
	if (len != TEXT_LEN || memcmp(area, area + BACK, len) != 0 || memcmp(area, area + SEALED, len) == 0)
		return EXIT_FAILURE;

	MUST(doca_buf_reset_data_len(back));
	area[SEALED + TEXT_LEN] ^= 1; /* the tag */
	MUST(doca_aes_gcm_task_decrypt_alloc_init(aes_gcm, sealed, back, key, iv, IV_LEN, TAG_LEN, 0, data, &decrypt_task));
	MUST(doca_task_submit(doca_aes_gcm_task_decrypt_as_task(decrypt_task)));
	wait_for(pe, 3);
	if (status != DOCA_ERROR_IO_FAILED)
		return EXIT_FAILURE;

	MUST(doca_ctx_stop(doca_aes_gcm_as_ctx(aes_gcm)));
	MUST(doca_aes_gcm_key_destroy(key));
	MUST(doca_aes_gcm_destroy(aes_gcm));
	MUST(doca_pe_destroy(pe));
	MUST(doca_buf_dec_refcount(text, NULL));
	MUST(doca_buf_dec_refcount(sealed, NULL));
	MUST(doca_buf_dec_refcount(back, NULL));
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_mmap_destroy(mmap));
	MUST(doca_dev_close(dev));
	return EXIT_SUCCESS;
}
