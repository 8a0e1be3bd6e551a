/* Execution of compression tasks of all kinds. */
#include "sd_compress.h"

doca_error_t sd_compress_prepare(struct sd_transform_task *base)
{
	struct sd_compress_task *task = (struct sd_compress_task *)base;

	task->crc = 0;
	task->checksum = 0;
	return DOCA_SUCCESS;
}

uint8_t sd_compress_has_room(const struct sd_transform_task *task)
{
	return task->out.total > 0;
}

/* Returns the source as contiguous memory: the source's only piece, or a copy of all pieces. NULL without memory. */
static const uint8_t *gather(const struct sd_latch *in, struct sd_compress_unit *unit)
{
	uint8_t *copy;

	if (in->count == 1)
		return in->segments[0].addr;
	copy = sd_compress_scratch(&unit->in, &unit->in_size, in->total);
	if (copy != NULL)
		sd_latch_read(in, 0, copy, in->total);
	return copy;
}

/* Returns the codec's output memory: the destination itself, or scratch memory. *room never exceeds the limit of the kind. */
static uint8_t *place_output(const struct sd_transform_task *task, struct sd_compress_unit *unit, size_t *room)
{
	const struct sd_compress_kind *kind = (const struct sd_compress_kind *)task->base.pool->operation;
	size_t limit = sd_transform_limits(task)->max_buf_size, bound;

	*room = task->out.total < limit ? task->out.total : limit;
	if (task->out.count == 1)
		return task->out.segments[0].addr;
	bound = kind->bound == NULL ? *room : kind->bound(task->in.total);
	if (bound < *room)
		*room = bound;
	return sd_compress_scratch(&unit->out, &unit->out_size, *room);
}

doca_error_t sd_compress_code(struct sd_transform_task *task, void *state)
{
	const struct sd_compress_kind *kind = (const struct sd_compress_kind *)task->base.pool->operation;
	struct sd_compress_unit *unit = state;
	struct sd_compress_io io;
	doca_error_t result;

	io.in = gather(&task->in, unit);
	io.in_len = task->in.total;
	io.out = place_output(task, unit, &io.room);
	if (io.in == NULL || io.out == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = kind->codec((struct sd_compress_task *)task, unit, &io);
	if (result == DOCA_SUCCESS && task->out.count > 1)
		sd_latch_write(&task->out, 0, io.out, task->produced);
	return result;
}
