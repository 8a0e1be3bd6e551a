/* Keys: creation, and destruction that leaves no byte of the key. */
#include <openssl/crypto.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sd_aes_gcm.h"
#include "sd_calls.h"
#include "sd_log.h"

size_t sd_aes_gcm_key_len(enum doca_aes_gcm_key_type type)
{
	switch (type) {
	case DOCA_AES_GCM_KEY_128:
		return 16;
	case DOCA_AES_GCM_KEY_256:
		return 32;
	default:
		return 0;
	}
}

uint8_t sd_aes_gcm_has_key(const struct doca_aes_gcm *aes_gcm, const struct doca_aes_gcm_key *key)
{
	return key != NULL && key->owner == aes_gcm && key->bytes != NULL;
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns a page that core dumps leave out, if the kernel can; NULL: no memory. */
static uint8_t *map_page(void)
{
	void *page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (madvise(page, page_size(), MADV_DONTDUMP) != 0)
		SD_LOG_WARNING("core dumps will contain a key: madvise(MADV_DONTDUMP) failed: %m");
	return page;
}

/* Returns the record of a destroyed key, or a new one; NULL: no memory. */
static struct doca_aes_gcm_key *find_record(struct doca_aes_gcm *aes_gcm)
{
	struct doca_aes_gcm_key *key = aes_gcm->keys;

	while (key != NULL && key->bytes != NULL)
		key = key->next;
	if (key != NULL)
		return key;
	key = calloc(1, sizeof(*key));
	if (key == NULL)
		return NULL;
	key->owner = aes_gcm;
	key->next = aes_gcm->keys;
	aes_gcm->keys = key;
	return key;
}

/*
 * Copies a key byte by byte. memcpy leaves the bytes in vector registers, and the loader stores these registers on the stack when it
 * resolves a function at its first call.
 */
static void copy_key(volatile uint8_t *to, const uint8_t *from, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = from[i];
}

doca_error_t doca_aes_gcm_key_create(struct doca_aes_gcm *aes_gcm, const void *raw_key, enum doca_aes_gcm_key_type raw_key_type,
				     struct doca_aes_gcm_key **key)
{
	size_t len = sd_aes_gcm_key_len(raw_key_type);
	struct doca_aes_gcm_key *created;
	doca_error_t result;

	if (aes_gcm == NULL || raw_key == NULL || key == NULL || len == 0)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_fault_alloc("alloc-key");
	if (result != DOCA_SUCCESS)
		return result;
	created = find_record(aes_gcm);
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->bytes = map_page();
	if (created->bytes == NULL)
		return DOCA_ERROR_NO_MEMORY; /* the context keeps the record */
	copy_key(created->bytes, raw_key, len);
	created->type = raw_key_type;
	sd_calls_created("aes_gcm_key", created);
	*key = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_aes_gcm_key_destroy(struct doca_aes_gcm_key *key)
{
	if (sd_calls_refuse(__func__, key))
		return DOCA_ERROR_BAD_STATE;
	if (key == NULL || key->bytes == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (key->num_users > 0)
		return DOCA_ERROR_DRIVER;
	OPENSSL_cleanse(key->bytes, page_size());
	munmap(key->bytes, page_size());
	key->bytes = NULL;
	sd_calls_destroyed(key);
	return DOCA_SUCCESS;
}

doca_error_t sd_aes_gcm_free_keys(struct doca_aes_gcm *aes_gcm)
{
	for (const struct doca_aes_gcm_key *key = aes_gcm->keys; key != NULL; key = key->next) {
		if (key->bytes != NULL)
			return DOCA_ERROR_IN_USE;
	}
	while (aes_gcm->keys != NULL) {
		struct doca_aes_gcm_key *key = aes_gcm->keys;

		aes_gcm->keys = key->next;
		free(key);
	}
	return DOCA_SUCCESS;
}
