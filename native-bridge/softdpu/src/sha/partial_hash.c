/*
 * Partial hash tasks. The session advances only in a submission that succeeds:
 *
 *   new -> (begin, update) -> under way -> (update)... -> (update, finish) -> has result -> reset -> new
 */
#include "sd_sha.h"

static uint8_t is_legal(const struct sd_transform_task *base)
{
	const struct doca_sha_task_partial_hash *task = (const struct doca_sha_task_partial_hash *)base;
	const struct sd_sha_algorithm *algorithm = sd_sha_find(task->task.algorithm);

	if (task->has_result)
		return 0;
	return task->is_final ? base->out.total >= algorithm->digest_len : base->in.total % algorithm->block_len == 0;
}

static doca_error_t advance(struct doca_sha_task_partial_hash *task, const struct sd_sha_unit *unit)
{
	doca_error_t result = task->task.is_under_way ? DOCA_SUCCESS : sd_sha_begin(task->session, unit, &task->task);

	if (result == DOCA_SUCCESS)
		result = sd_sha_update(task->session, &task->task);
	if (result == DOCA_SUCCESS && task->is_final)
		result = sd_sha_finish(task->session, &task->task);
	return result;
}

static doca_error_t hash(struct sd_transform_task *base, void *unit)
{
	struct doca_sha_task_partial_hash *task = (struct doca_sha_task_partial_hash *)base;
	doca_error_t result = advance(task, unit);

	if (result != DOCA_SUCCESS)
		EVP_MD_CTX_reset(task->session); /* libcrypto failed: every further submission fails until the reset */
	return result;
}

static void forget(struct doca_sha_task_partial_hash *task)
{
	task->task.is_under_way = 0;
	task->is_final = 0;
	task->has_result = 0;
	task->is_reset_wanted = 0;
}

static void end(struct sd_transform_task *base)
{
	struct doca_sha_task_partial_hash *task = (struct doca_sha_task_partial_hash *)base;

	if (base->base.status == DOCA_SUCCESS) {
		task->task.is_under_way = 1;
		task->has_result = task->is_final;
	}
	if (task->is_reset_wanted)
		forget(task);
}

static void discard(struct doca_task *base)
{
	struct doca_sha_task_partial_hash *task = (struct doca_sha_task_partial_hash *)base;

	EVP_MD_CTX_free(task->session);
	task->session = NULL;
}

const struct sd_transform_kind sd_sha_partial_hash = {
	.operation = {
		SD_TRANSFORM_OPERATION("sha-partial-hash", struct doca_sha_task_partial_hash, &sd_sha_unit_type),
		.discard = discard,
	},
	.capability = offsetof(struct sd_profile, sha),
	.can_succeed = is_legal,
	.code = hash,
	.end = end,
};

doca_error_t doca_sha_task_partial_hash_reset(struct doca_sha_task_partial_hash *task)
{
	if (task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_task_is_in_flight(&task->task.base.base))
		task->is_reset_wanted = 1;
	else
		forget(task);
	return DOCA_SUCCESS;
}

doca_error_t doca_sha_task_partial_hash_set_is_final_buf(struct doca_sha_task_partial_hash *task)
{
	if (task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!task->task.is_under_way || sd_task_is_in_flight(&task->task.base.base))
		return DOCA_ERROR_BAD_STATE;
	task->is_final = 1;
	return DOCA_SUCCESS;
}

SD_PROPERTY(doca_sha_task_partial_hash_get_is_final, const struct doca_sha_task_partial_hash, uint8_t, 0, object->is_final)
SD_PROPERTY(doca_sha_task_partial_hash_get_has_result, const struct doca_sha_task_partial_hash, uint8_t, 0,
	object->has_result)
