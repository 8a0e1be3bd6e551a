/* Copies between latches. Each piece ends where a segment of either side ends. Hardware thread. */
#include <string.h>

#include "import.h"
#include "sd_memory.h"

/* Position in a latch: a segment and an offset in it. */
struct cursor {
	const struct sd_segment *segment;
	size_t offset;
};

static void skip_exhausted(struct cursor *cursor)
{
	while (cursor->offset == cursor->segment->len) {
		cursor->segment++;
		cursor->offset = 0;
	}
}

static size_t left(const struct cursor *cursor)
{
	return cursor->segment->len - cursor->offset;
}

static uint8_t *at(const struct cursor *cursor)
{
	/* The address of an imported segment belongs to the exporter. This process does not dereference it. */
	return (uint8_t *)((uintptr_t)cursor->segment->addr + cursor->offset);
}

static doca_error_t copy_far(const struct cursor *to, const struct cursor *from, size_t len, uint8_t *bounce, size_t bounce_len)
{
	doca_error_t result = DOCA_SUCCESS;

	for (size_t done = 0; done < len && result == DOCA_SUCCESS;) {
		size_t part = len - done < bounce_len ? len - done : bounce_len;

		result = import_read(from->segment->import, (uintptr_t)at(from) + done, bounce, part);
		if (result == DOCA_SUCCESS)
			result = import_write(to->segment->import, (uintptr_t)at(to) + done, bounce, part);
		done += part;
	}
	return result;
}

static doca_error_t copy_piece(const struct cursor *to, const struct cursor *from, size_t len, void *bounce, size_t bounce_len)
{
	if (to->segment->import != NULL && from->segment->import != NULL)
		return copy_far(to, from, len, bounce, bounce_len);
	if (to->segment->import != NULL)
		return import_write(to->segment->import, (uintptr_t)at(to), at(from), len);
	if (from->segment->import != NULL)
		return import_read(from->segment->import, (uintptr_t)at(from), at(to), len);
	memmove(at(to), at(from), len); /* buffers of a program may overlap */
	return DOCA_SUCCESS;
}

doca_error_t sd_latch_copy(const struct sd_latch *to, const struct sd_latch *from, void *bounce, size_t len)
{
	struct cursor source = { .segment = from->segments }, destination = { .segment = to->segments };
	size_t todo = from->total;
	doca_error_t result = DOCA_SUCCESS;

	while (todo > 0 && result == DOCA_SUCCESS) {
		size_t part;

		skip_exhausted(&source);
		skip_exhausted(&destination);
		part = left(&source) < left(&destination) ? left(&source) : left(&destination);
		result = copy_piece(&destination, &source, part, bounce, len);
		source.offset += part;
		destination.offset += part;
		todo -= part;
	}
	return result;
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
	struct cursor cursor = { .segment = latch->segments };
	uint8_t byte;

	while (offset >= cursor.segment->len)
		offset -= (cursor.segment++)->len;
	cursor.offset = offset;
	if (cursor.segment->import == NULL) {
		*at(&cursor) ^= 1;
	} else if (import_read(cursor.segment->import, (uintptr_t)at(&cursor), &byte, 1) == DOCA_SUCCESS) {
		byte ^= 1;
		import_write(cursor.segment->import, (uintptr_t)at(&cursor), &byte, 1);
	}
}
