#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gzip.h"

#define PROGRESS_BUDGET 256u

/* A member without content, for an empty file. The device does not produce it, because an empty task is an error there. */
static const uint8_t empty_stream[2] = { 0x03, 0x00 };

static bool fails(struct job *job, const char *name)
{
	fprintf(stderr, "compress-c: %s: %s\n", name, strerror(errno));
	job->failed = true;
	return false;
}

/* Fills a free block, if there is one. Returns whether it did. */
static bool read_block(struct job *job)
{
	struct block *block = job->at_end ? NULL : device_free_block(job->device);
	size_t filled = 0;

	if (block == NULL)
		return false;
	while (filled < job->block_size) {
		ssize_t got = read(job->input, block->plain + filled, job->block_size - filled);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fails(job, job->input_name);
		if (got == 0) {
			job->at_end = true;
			break;
		}
		filled += (size_t)got;
	}
	if (filled == 0)
		return false;
	block->plain_len = filled;
	job->bytes_in += filled;
	device_add(job->device);
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
	job->members++;
	return true;
}

/* Writes the next member in order, if its block is finished. Returns whether it did. */
static bool write_member(struct job *job)
{
	struct block *block = device_finished_block(job->device);
	uint32_t len;

	if (block == NULL)
		return false;
	len = gzip_frame(block->member, (uint32_t)block->stream_len, block->crc, (uint32_t)block->plain_len);
	if (!write_fully(job, block->member, len))
		return false;
	device_drop(job->device);
	return true;
}

static bool write_empty_member(struct job *job)
{
	uint8_t member[GZIP_FRAME_BYTES + sizeof(empty_stream)];

	memcpy(member + GZIP_HEADER_BYTES, empty_stream, sizeof(empty_stream));
	return write_fully(job, member, gzip_frame(member, sizeof(empty_stream), 0, 0));
}

bool job_run(struct job *job)
{
	while (!job->failed && !device_has_failed(job->device)) {
		bool busy = read_block(job);

		busy |= device_progress(job->device, PROGRESS_BUDGET);
		busy |= write_member(job);
		if (job->at_end && device_is_empty(job->device))
			break;
		if (!busy && !job->failed)
			job->sleeps += device_wait(job->device, PROGRESS_BUDGET);
	}
	if (job->failed || device_has_failed(job->device))
		return false;
	return job->bytes_in > 0 || write_empty_member(job);
}
