/* Access to latched memory. A piece of a copy ends where a segment of either side ends. Hardware thread. */
#include <string.h>

#include "import.h"
#include "sd_memory.h"

struct sd_cursor sd_latch_seek(const struct sd_latch *latch, size_t offset)
{
	struct sd_cursor cursor = { .segment = latch->segments };

	while (offset >= cursor.segment->len)
		offset -= (cursor.segment++)->len;
	cursor.offset = offset;
	return cursor;
}

size_t sd_cursor_left(struct sd_cursor *cursor)
{
	while (cursor->offset == cursor->segment->len) {
		cursor->segment++;
		cursor->offset = 0;
	}
	return cursor->segment->len - cursor->offset;
}

static uint8_t *at(const struct sd_cursor *cursor)
{
	/* The address of an imported segment belongs to the exporter. This process does not dereference it. */
	return (uint8_t *)((uintptr_t)cursor->segment->addr + cursor->offset);
}

uint8_t *sd_cursor_take(struct sd_cursor *cursor, size_t len)
{
	uint8_t *addr = at(cursor);

	cursor->offset += len;
	return addr;
}

static size_t smaller(size_t one, size_t other)
{
	return one < other ? one : other;
}

void sd_latch_read(const struct sd_latch *latch, size_t offset, uint8_t *to, size_t len)
{
	struct sd_cursor cursor;

	if (len == 0)
		return;
	cursor = sd_latch_seek(latch, offset);
	for (size_t done = 0, part; done < len; done += part) {
		part = smaller(sd_cursor_left(&cursor), len - done);
		memcpy(to + done, sd_cursor_take(&cursor, part), part);
	}
}

void sd_latch_write(const struct sd_latch *latch, size_t offset, const uint8_t *from, size_t len)
{
	struct sd_cursor cursor;

	if (len == 0)
		return;
	cursor = sd_latch_seek(latch, offset);
	for (size_t done = 0, part; done < len; done += part) {
		part = smaller(sd_cursor_left(&cursor), len - done);
		memcpy(sd_cursor_take(&cursor, part), from + done, part);
	}
}

static doca_error_t read_far(const struct sd_cursor *from, size_t offset, void *to, size_t len)
{
	return import_read(from->segment->import, from->segment->via, (uintptr_t)at(from) + offset, to, len);
}

static doca_error_t write_far(const struct sd_cursor *to, size_t offset, const void *from, size_t len)
{
	return import_write(to->segment->import, to->segment->via, (uintptr_t)at(to) + offset, from, len);
}

static doca_error_t copy_far(const struct sd_cursor *to, const struct sd_cursor *from, size_t len, uint8_t *bounce, size_t bounce_len)
{
	doca_error_t result = DOCA_SUCCESS;

	for (size_t done = 0; done < len && result == DOCA_SUCCESS;) {
		size_t part = smaller(len - done, bounce_len);

		result = read_far(from, done, bounce, part);
		if (result == DOCA_SUCCESS)
			result = write_far(to, done, bounce, part);
		done += part;
	}
	return result;
}

static doca_error_t copy_piece(const struct sd_cursor *to, const struct sd_cursor *from, size_t len, void *bounce, size_t bounce_len)
{
	if (to->segment->import != NULL && from->segment->import != NULL)
		return copy_far(to, from, len, bounce, bounce_len);
	if (to->segment->import != NULL)
		return write_far(to, 0, at(from), len);
	if (from->segment->import != NULL)
		return read_far(from, 0, at(to), len);
	memmove(at(to), at(from), len); /* buffers of a program may overlap */
	return DOCA_SUCCESS;
}

static doca_error_t copy(struct sd_cursor destination, struct sd_cursor source, size_t todo, void *bounce, size_t len)
{
	doca_error_t result = DOCA_SUCCESS;

	while (todo > 0 && result == DOCA_SUCCESS) {
		size_t part = smaller(todo, smaller(sd_cursor_left(&source), sd_cursor_left(&destination)));

		result = copy_piece(&destination, &source, part, bounce, len);
		source.offset += part;
		destination.offset += part;
		todo -= part;
	}
	return result;
}

doca_error_t sd_latch_copy(const struct sd_latch *to, const struct sd_latch *from, void *bounce, size_t len)
{
	const struct sd_cursor source = { .segment = from->segments }, destination = { .segment = to->segments };

	return copy(destination, source, from->total, bounce, len);
}

doca_error_t sd_latch_copy_part(const struct sd_latch *to, const struct sd_latch *from, size_t offset, size_t len)
{
	if (len == 0)
		return DOCA_SUCCESS;
	return copy(sd_latch_seek(to, offset), sd_latch_seek(from, offset), len, NULL, 0);
}

doca_error_t sd_latch_apply(const struct sd_latch *remote, const struct number_change *change, uint64_t *before)
{
	const struct sd_segment *segment = &remote->segments[0];

	return import_change(segment->import, segment->via, (uintptr_t)segment->addr, change, before);
}

uint8_t sd_latch_is_held_up(const struct sd_latch *latch)
{
	for (uint32_t i = 0; i < latch->count; i++) {
		if (latch->segments[i].import != NULL && import_is_held_up(latch->segments[i].import))
			return 1;
	}
	return 0;
}

void sd_latch_flip_bit(const struct sd_latch *latch, size_t offset)
{
	struct sd_cursor cursor = sd_latch_seek(latch, offset);
	uint8_t byte;

	if (cursor.segment->import == NULL) {
		*at(&cursor) ^= 1;
	} else if (read_far(&cursor, 0, &byte, 1) == DOCA_SUCCESS) {
		byte ^= 1;
		write_far(&cursor, 0, &byte, 1);
	}
}
