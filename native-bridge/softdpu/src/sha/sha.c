/* Public functions of SHA that both kinds of tasks have. */
#include "sd_sha.h"

/* Number of bits of num_tasks, a 32-bit number. */
enum { MAX_LOG_NUM_TASKS = 31 };

static const struct sd_context_ops sha_ops = {
	.name = "sha",
};

SD_TRANSFORM_LIFE(doca_sha, &sha_ops)
SD_TRANSFORM_CONTEXT(doca_sha)

static doca_error_t check_support(const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm)
{
	return sd_sha_find(algorithm) == NULL ? DOCA_ERROR_INVALID_VALUE : sd_transform_is_supported(devinfo, &sd_sha_hash);
}

doca_error_t doca_sha_cap_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo, uint32_t *max_list_buf_num_elem)
{
	return sd_transform_max_list_len(devinfo, &sd_sha_hash, max_list_buf_num_elem);
}

doca_error_t doca_sha_cap_get_max_src_buf_size(const struct doca_devinfo *devinfo, uint64_t *max_src_buf_size)
{
	return sd_transform_max_buf_size(devinfo, &sd_sha_hash, max_src_buf_size);
}

doca_error_t doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
					       uint32_t *min_dst_buf_size)
{
	doca_error_t result = min_dst_buf_size == NULL ? DOCA_ERROR_INVALID_VALUE : check_support(devinfo, algorithm);

	if (result == DOCA_SUCCESS)
		*min_dst_buf_size = sd_sha_find(algorithm)->digest_len;
	return result;
}

doca_error_t doca_sha_cap_get_partial_hash_block_size(const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
						      uint32_t *partial_block_size)
{
	doca_error_t result = partial_block_size == NULL ? DOCA_ERROR_INVALID_VALUE : check_support(devinfo, algorithm);

	if (result == DOCA_SUCCESS)
		*partial_block_size = sd_sha_find(algorithm)->block_len;
	return result;
}

static doca_error_t set_conf(struct doca_sha *sha, const struct sd_transform_kind *kind, doca_task_completion_cb_t completed,
			     doca_task_completion_cb_t failed, uint8_t log_num_tasks)
{
	if (log_num_tasks > MAX_LOG_NUM_TASKS)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_transform_set_conf((struct sd_transform *)sha, kind, completed, failed, UINT32_C(1) << log_num_tasks);
}

static doca_error_t alloc(struct doca_sha *sha, const struct sd_transform_kind *kind, enum doca_sha_algorithm algorithm,
			  const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data, struct sd_sha_task **task)
{
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	if (sd_sha_find(algorithm) != NULL)
		result = sd_transform_alloc((struct sd_transform *)sha, kind, src, dst, user_data, (struct doca_task **)task);
	if (result != DOCA_SUCCESS)
		return result;
	(*task)->algorithm = algorithm;
	(*task)->is_under_way = 0;
	return DOCA_SUCCESS;
}

static uint8_t is_fixed(const struct sd_sha_task *task)
{
	return task->is_under_way || sd_task_is_in_flight(&task->base.base);
}

static doca_error_t set_dst(struct sd_sha_task *task, struct doca_buf *dst)
{
	if (task == NULL || dst == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (is_fixed(task))
		return DOCA_ERROR_BAD_STATE;
	task->base.dst = dst;
	return DOCA_SUCCESS;
}

static doca_error_t set_algorithm(struct sd_sha_task *task, enum doca_sha_algorithm algorithm)
{
	if (task == NULL || sd_sha_find(algorithm) == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (is_fixed(task))
		return DOCA_ERROR_BAD_STATE;
	task->algorithm = algorithm;
	return DOCA_SUCCESS;
}

/* Defines the public functions of a kind, except alloc_init. */
#define SHA_KIND(name, kind)                                                                                              \
	doca_error_t doca_sha_cap_task_##name##_get_supported(const struct doca_devinfo *devinfo,                         \
							      enum doca_sha_algorithm algorithm)                          \
	{                                                                                                                 \
		return check_support(devinfo, algorithm);                                                                 \
	}                                                                                                                 \
	doca_error_t doca_sha_task_##name##_set_conf(struct doca_sha *sha, doca_sha_task_##name##_completion_cb_t completed, \
						     doca_sha_task_##name##_completion_cb_t failed, uint8_t log_num_tasks) \
	{                                                                                                                 \
		return set_conf(sha, kind, (doca_task_completion_cb_t)completed, (doca_task_completion_cb_t)failed,       \
				log_num_tasks);                                                                           \
	}                                                                                                                 \
	SD_TRANSFORM_AS_TASK(doca_sha_task_##name)                                                                        \
	doca_error_t doca_sha_task_##name##_set_src(struct doca_sha_task_##name *task, const struct doca_buf *src)        \
	{                                                                                                                 \
		if (task == NULL || src == NULL)                                                                          \
			return DOCA_ERROR_INVALID_VALUE;                                                                  \
		task->task.base.src = src;                                                                                \
		return DOCA_SUCCESS;                                                                                      \
	}                                                                                                                 \
	SD_PROPERTY(doca_sha_task_##name##_get_src, const struct doca_sha_task_##name, const struct doca_buf *, NULL,     \
		object->task.base.src)                                                                                    \
	doca_error_t doca_sha_task_##name##_set_dst(struct doca_sha_task_##name *task, struct doca_buf *dst)              \
	{                                                                                                                 \
		return set_dst((struct sd_sha_task *)task, dst);                                                          \
	}                                                                                                                 \
	SD_PROPERTY(doca_sha_task_##name##_get_dst, const struct doca_sha_task_##name, const struct doca_buf *, NULL,     \
		object->task.base.dst)                                                                                    \
	doca_error_t doca_sha_task_##name##_set_algorithm(struct doca_sha_task_##name *task,                              \
							  enum doca_sha_algorithm algorithm)                              \
	{                                                                                                                 \
		return set_algorithm((struct sd_sha_task *)task, algorithm);                                              \
	}                                                                                                                 \
	SD_PROPERTY(doca_sha_task_##name##_get_algorithm, const struct doca_sha_task_##name, enum doca_sha_algorithm,     \
		DOCA_SHA_ALGORITHM_SHA1, object->task.algorithm)

SHA_KIND(hash, &sd_sha_hash)
SHA_KIND(partial_hash, &sd_sha_partial_hash)

doca_error_t doca_sha_task_hash_alloc_init(struct doca_sha *sha, enum doca_sha_algorithm algorithm,
					   const struct doca_buf *src_buf, struct doca_buf *dst_buf,
					   union doca_data user_data, struct doca_sha_task_hash **task)
{
	return alloc(sha, &sd_sha_hash, algorithm, src_buf, dst_buf, user_data, (struct sd_sha_task **)task);
}

doca_error_t doca_sha_task_partial_hash_alloc_init(struct doca_sha *sha, enum doca_sha_algorithm algorithm,
						   const struct doca_buf *src_buf, struct doca_buf *dst_buf,
						   union doca_data user_data,
						   struct doca_sha_task_partial_hash **task)
{
	EVP_MD_CTX *session = EVP_MD_CTX_new();
	doca_error_t result = DOCA_ERROR_NO_MEMORY;

	if (session != NULL)
		result = alloc(sha, &sd_sha_partial_hash, algorithm, src_buf, dst_buf, user_data, (struct sd_sha_task **)task);
	if (result != DOCA_SUCCESS) {
		EVP_MD_CTX_free(session);
		return result;
	}
	(*task)->session = session;
	return doca_sha_task_partial_hash_reset(*task);
}
