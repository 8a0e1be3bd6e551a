/* Hash tasks: one source, one digest. */
#include "sd_sha.h"

static uint8_t has_room(const struct sd_transform_task *task)
{
	return task->out.total >= sd_sha_find(((const struct sd_sha_task *)task)->algorithm)->digest_len;
}

static doca_error_t hash(struct sd_transform_task *base, void *state)
{
	struct sd_sha_task *task = (struct sd_sha_task *)base;
	struct sd_sha_unit *unit = state;
	doca_error_t result = sd_sha_begin(unit->context, unit, task);

	if (result == DOCA_SUCCESS)
		result = sd_sha_update(unit->context, task);
	if (result == DOCA_SUCCESS)
		result = sd_sha_finish(unit->context, task);
	return result;
}

const struct sd_transform_kind sd_sha_hash = {
	.operation = { SD_TRANSFORM_OPERATION("sha-hash", struct doca_sha_task_hash, &sd_sha_unit_type) },
	.capability = offsetof(struct sd_profile, sha),
	.can_succeed = has_room,
	.code = hash,
};
