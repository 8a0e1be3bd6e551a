#include <doca_sha.h>

#include "work_kind.h"

enum { DIGEST_BYTES = 32 };

static doca_error_t alloc_task(void *object, void *operand, const struct work_buffers *buffers, union doca_data user_data,
			       struct doca_sha_task_hash **task)
{
	(void)operand;
	return doca_sha_task_hash_alloc_init(object, DOCA_SHA_ALGORITHM_SHA256, buffers->src, buffers->dst, user_data, task);
}

static bool suits(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_hash_get_supported(info, DOCA_SHA_ALGORITHM_SHA256) == DOCA_SUCCESS;
}

static size_t dst_len(size_t src_len)
{
	(void)src_len;
	return DIGEST_BYTES;
}

/* Returns the logarithm of the next power of two. */
static uint8_t log_num(uint32_t num_tasks)
{
	uint8_t log = 0;

	while (1u << log < num_tasks)
		log++;
	return log;
}

WORK_KIND(doca_sha, hash, src, dst, log_num, WORK_NO_RESULT)

const struct work_kind work_sha = { .name = "sha", .wanted = "a device that computes SHA-256", .suits = suits, .dst_len = dst_len,
				    WORK_ROW };
