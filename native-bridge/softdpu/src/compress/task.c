/* Life cycle of compression tasks of all kinds. */
#include <string.h>

#include "sd_compress.h"

static const struct sd_compress_kind *kind_of(const struct sd_compress_task *task)
{
	return (const struct sd_compress_kind *)task->base.pool->operation;
}

static const struct sd_task_capability *limits_of(const struct sd_compress_task *task)
{
	const struct doca_compress *compress = (const struct doca_compress *)task->base.ctx;

	return (const struct sd_task_capability *)((const char *)compress->profile + kind_of(task)->capability);
}

static uint8_t is_within_limits(const struct sd_compress_task *task)
{
	const struct sd_task_capability *limits = limits_of(task);

	return task->in.total > 0 && task->in.total <= limits->max_buf_size && task->in.count <= limits->max_list_len &&
	       task->out.count <= limits->max_list_len;
}

doca_error_t sd_compress_latch(struct doca_task *base)
{
	struct sd_compress_task *task = (struct sd_compress_task *)base;
	doca_error_t result;

	task->produced = 0;
	task->crc = 0;
	task->checksum = 0;
	result = sd_latch_source(&task->in, task->src, base->ctx->dev);
	if (result == DOCA_SUCCESS) {
		result = sd_latch_destination(&task->out, task->dst, base->ctx->dev);
		if (result != DOCA_SUCCESS)
			sd_latch_release(&task->in);
	}
	/* A device reports invalid buffers when it accesses them: the task fails. */
	return result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
}

doca_error_t sd_compress_validate(struct doca_task *base)
{
	struct sd_compress_task *task = (struct sd_compress_task *)base;
	doca_error_t result = sd_compress_latch(base);

	if (result != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_within_limits(task) || task->out.total == 0)
		result = DOCA_ERROR_INVALID_VALUE;
	sd_latch_release(&task->in);
	sd_latch_release(&task->out);
	return result;
}

void sd_compress_complete(struct doca_task *base)
{
	struct sd_compress_task *task = (struct sd_compress_task *)base;

	if (base->status == DOCA_SUCCESS)
		sd_latch_commit(&task->out, task->produced);
	sd_latch_release(&task->in);
	sd_latch_release(&task->out);
}

/* Returns the source as contiguous memory: the source's only piece, or a copy of all pieces. NULL without memory. */
static const uint8_t *gather(const struct sd_latch *in, struct sd_compress_unit *unit)
{
	uint8_t *copy;
	size_t offset = 0;

	if (in->count == 1)
		return in->segments[0].addr;
	copy = sd_compress_scratch(&unit->in, &unit->in_size, in->total);
	for (uint32_t i = 0; copy != NULL && i < in->count; i++) {
		memcpy(copy + offset, in->segments[i].addr, in->segments[i].len);
		offset += in->segments[i].len;
	}
	return copy;
}

static void scatter(const struct sd_latch *out, const uint8_t *from, size_t len)
{
	for (uint32_t i = 0; len > 0 && i < out->count; i++) {
		size_t part = len < out->segments[i].len ? len : out->segments[i].len;

		memcpy(out->segments[i].addr, from, part);
		from += part;
		len -= part;
	}
}

/* Returns the codec's output memory: the destination itself, or scratch memory. *room never exceeds the limit of the kind. */
static uint8_t *place_output(struct sd_compress_task *task, struct sd_compress_unit *unit, size_t *room)
{
	const struct sd_compress_kind *kind = kind_of(task);
	size_t bound;

	*room = task->out.total < limits_of(task)->max_buf_size ? task->out.total : limits_of(task)->max_buf_size;
	if (task->out.count == 1)
		return task->out.segments[0].addr;
	bound = kind->bound == NULL ? *room : kind->bound(task->in.total);
	if (bound < *room)
		*room = bound;
	return sd_compress_scratch(&unit->out, &unit->out_size, *room);
}

doca_error_t sd_compress_execute(struct doca_task *base, void *state)
{
	struct sd_compress_task *task = (struct sd_compress_task *)base;
	struct sd_compress_unit *unit = state;
	struct sd_compress_io io;
	doca_error_t result;

	if (!is_within_limits(task))
		return DOCA_ERROR_IO_FAILED;
	io.in = gather(&task->in, unit);
	io.in_len = task->in.total;
	io.out = place_output(task, unit, &io.room);
	if (io.in == NULL || io.out == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = kind_of(task)->code(task, unit, &io);
	if (result == DOCA_SUCCESS && task->out.count > 1)
		scatter(&task->out, io.out, task->produced);
	return result;
}

/* Flips one bit in the middle of the output. */
void sd_compress_corrupt(struct doca_task *base)
{
	struct sd_compress_task *task = (struct sd_compress_task *)base;
	size_t offset = task->produced / 2;

	if (task->produced == 0)
		return;
	for (uint32_t i = 0; i < task->out.count; i++) {
		if (offset < task->out.segments[i].len) {
			task->out.segments[i].addr[offset] ^= 1;
			return;
		}
		offset -= task->out.segments[i].len;
	}
}
