/* Execution of erasure coding tasks: slice by slice through all blocks, where each slice is contiguous in every block. */
#include <stdlib.h>

#include "sd_ec.h"

/* Positions in all blocks of source and destination; state of an executing thread, because it is large. */
struct unit {
	struct sd_cursor in[SD_EC_MAX_IN], out[SD_EC_MAX_BLOCKS];
	unsigned char *from[SD_EC_MAX_IN], *to[SD_EC_MAX_BLOCKS];
};

static void *create_unit(void)
{
	return malloc(sizeof(struct unit));
}

static const struct sd_unit_type unit_type = {
	.create = create_unit,
	.destroy = free,
};

static uint8_t is_available(void)
{
	return sd_ec_isal() != NULL;
}

static doca_error_t prepare(struct sd_transform_task *base)
{
	struct sd_ec_task *task = (struct sd_ec_task *)base;

	task->latched = (struct doca_ec_matrix *)(uintptr_t)task->matrix; /* only its count of references changes */
	return task->matrix == NULL ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS;
}

static void hold(struct sd_transform_task *base)
{
	struct sd_ec_task *task = (struct sd_ec_task *)base;

	atomic_fetch_add(&task->latched->num_refs, 1);
	task->is_matrix_held = 1;
}

static void end(struct sd_transform_task *base)
{
	struct sd_ec_task *task = (struct sd_ec_task *)base;

	if (task->is_matrix_held)
		sd_ec_matrix_release(task->latched);
	task->is_matrix_held = 0;
}

static size_t block_len(const struct sd_transform_task *base)
{
	return base->in.total / ((const struct sd_ec_task *)base)->latched->num_in;
}

static uint8_t is_legal(const struct sd_transform_task *base)
{
	const struct doca_ec_matrix *matrix = ((const struct sd_ec_task *)base)->latched;
	size_t len = block_len(base);

	return base->in.total % matrix->num_in == 0 && len > 0 && len % SD_EC_GRANULE == 0 &&
	       len <= sd_transform_limits(base)->max_buf_size && base->out.total / len >= matrix->num_out;
}

/* Sets the begin of each block. */
static void seek_blocks(const struct sd_latch *latch, size_t len, uint32_t count, struct sd_cursor *cursors)
{
	for (uint32_t i = 0; i < count; i++)
		cursors[i] = sd_latch_seek(latch, i * len);
}

static size_t shortest(struct sd_cursor *cursors, uint32_t count, size_t len)
{
	for (uint32_t i = 0; i < count; i++) {
		size_t left = sd_cursor_left(&cursors[i]);

		len = left < len ? left : len;
	}
	return len;
}

static void take_all(struct sd_cursor *cursors, uint32_t count, size_t len, unsigned char **pieces)
{
	for (uint32_t i = 0; i < count; i++)
		pieces[i] = sd_cursor_take(&cursors[i], len);
}

static doca_error_t multiply(struct sd_transform_task *base, void *state)
{
	const struct doca_ec_matrix *matrix = ((const struct sd_ec_task *)base)->latched;
	size_t len = block_len(base);
	struct unit *unit = state;

	seek_blocks(&base->in, len, matrix->num_in, unit->in);
	seek_blocks(&base->out, len, matrix->num_out, unit->out);
	for (size_t done = 0, part; done < len; done += part) {
		part = shortest(unit->in, matrix->num_in, shortest(unit->out, matrix->num_out, len - done));
		take_all(unit->in, matrix->num_in, part, unit->from);
		take_all(unit->out, matrix->num_out, part, unit->to);
		sd_ec_isal()->encode_data((int)part, (int)matrix->num_in, (int)matrix->num_out, matrix->tables, unit->from, unit->to);
	}
	base->produced = len * matrix->num_out;
	return DOCA_SUCCESS;
}

#define EC_KIND(kind_name, task_type)                                                          \
	{                                                                                      \
		.operation = { SD_TRANSFORM_OPERATION(kind_name, struct task_type, &unit_type) }, \
		.capability = offsetof(struct sd_profile, ec),                                 \
		.limits_blocks = 1,                                                            \
		.is_available = is_available,                                                  \
		.prepare = prepare,                                                            \
		.hold = hold,                                                                  \
		.end = end,                                                                    \
		.can_succeed = is_legal,                                                       \
		.code = multiply,                                                              \
	}

const struct sd_transform_kind sd_ec_galois_mul = EC_KIND("ec-galois-mul", doca_ec_task_galois_mul);
const struct sd_transform_kind sd_ec_create = EC_KIND("ec-create", doca_ec_task_create);
const struct sd_transform_kind sd_ec_update = EC_KIND("ec-update", doca_ec_task_update);
const struct sd_transform_kind sd_ec_recover = EC_KIND("ec-recover", doca_ec_task_recover);
