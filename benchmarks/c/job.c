#include "job.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <doca_buf.h>

#include "gzip.h"
#include "report.h"

/* A member without content, for an empty file. The device does not produce it, because an empty task is an error there. */
static const uint8_t empty_stream[2] = { 0x03, 0x00 };

static bool fails(struct job *job, const char *name)
{
	job->failed = true;
	return report_system("file", name);
}

static uint32_t index_of(const struct job *job, uint64_t number)
{
	return (uint32_t)(number % job->memory->count);
}

/* Reads up to a block of the file. Returns the number of bytes. */
static size_t read_fully(struct job *job, uint8_t *into)
{
	size_t filled = 0;

	while (filled < job->memory->src.len) {
		ssize_t got = read(job->input, into + filled, job->memory->src.len - filled);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			fails(job, job->input_name);
		job->at_end = got <= 0;
		if (job->at_end)
			break;
		filled += (size_t)got;
	}
	return filled;
}

/* Fills a free block, if there is one. Returns whether it did. */
static bool read_block(struct job *job)
{
	const struct work_range *src = &job->memory->src;
	uint32_t index = index_of(job, job->num_read);
	uint8_t *plain = src->base + index * src->stride;
	struct work_buffers *buffers = &job->memory->buffers[index];
	size_t len;

	if (job->at_end || job->num_read - job->num_written == job->memory->count)
		return false;
	len = read_fully(job, plain);
	if (len == 0 || job->failed)
		return false;
	buffers->done = false;
	if (!report(doca_buf_set_data(buffers->src, plain, len), "doca_buf_set_data", "block of %zu bytes", len)) {
		job->failed = true;
		return false;
	}
	job->bytes_in += len;
	job->num_read++;
	work_extend(job->work, 1);
	return true;
}

static bool write_fully(struct job *job, const uint8_t *bytes, size_t len)
{
	for (size_t written = 0; written < len;) {
		ssize_t put = write(job->output, bytes + written, len - written);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return fails(job, job->output_name);
		written += (size_t)put;
	}
	job->bytes_out += len;
	return true;
}

/* Writes the next member in order, if its block is done. Returns whether it did. */
static bool write_member(struct job *job)
{
	const struct work_range *dst = &job->memory->dst;
	uint32_t index = index_of(job, job->num_written);
	struct work_buffers *buffers = &job->memory->buffers[index];
	uint8_t *member = dst->base + index * dst->stride - GZIP_HEADER_BYTES;
	size_t plain_len = 0, stream_len = 0;

	if (job->num_written == job->num_read || !buffers->done)
		return false;
	if (!report(doca_buf_get_data_len(buffers->src, &plain_len), "doca_buf_get_data_len", "source") ||
	    !report(doca_buf_get_data_len(buffers->dst, &stream_len), "doca_buf_get_data_len", "destination")) {
		job->failed = true;
		return false;
	}
	if (!write_fully(job, member, gzip_frame(member, (uint32_t)stream_len, buffers->crc, (uint32_t)plain_len)))
		return false;
	job->num_written++;
	return true;
}

static bool write_empty_member(struct job *job)
{
	uint8_t member[GZIP_FRAME_BYTES + sizeof(empty_stream)];

	memcpy(member + GZIP_HEADER_BYTES, empty_stream, sizeof(empty_stream));
	return write_fully(job, member, gzip_frame(member, sizeof(empty_stream), 0, 0));
}

/* Returns whether tasks make no progress for the engine's time-out. Each read and write is progress: a slow file has no limit. */
static bool is_late(const struct job *job, bool busy, uint64_t *since_ns)
{
	if (busy || work_done(job->work) == job->num_read) {
		*since_ns = engine_clock_ns();
		return false;
	}
	return engine_is_late(job->engine, *since_ns) &&
	       !report(DOCA_ERROR_TIME_OUT, "doca_task", "%s: compress task after %llu done", job->input_name,
		       (unsigned long long)work_done(job->work));
}

bool job_run(struct job *job)
{
	struct work_plan plan = { .buffers = job->memory->buffers, .num_buffers = job->memory->count };
	uint64_t since_ns = engine_clock_ns();

	work_begin(job->work, &plan);
	while (!job->failed && !work_has_failed(job->work) && !job->engine->failed) {
		bool busy = read_block(job);

		busy |= engine_progress(job->engine);
		work_turn(job->work);
		busy |= write_member(job);
		if (job->at_end && job->num_written == job->num_read)
			break;
		if (is_late(job, busy, &since_ns))
			return false;
		if (!busy && !job->failed)
			engine_rest(job->engine, work_is_eager(job->work));
	}
	if (job->failed || work_has_failed(job->work) || job->engine->failed)
		return false;
	return job->bytes_in > 0 || (write_empty_member(job) && ++job->num_written);
}
