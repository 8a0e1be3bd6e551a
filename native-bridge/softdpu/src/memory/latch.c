/* Latches: copies of buffer addresses for a task in flight. See sd_memory.h. */
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "sd_memory.h"
#include "stock.h"

enum direction { SOURCE, DESTINATION };
enum reach { HERE, ANYWHERE /* including imported maps, except those of RDMA peers */ };

/*
 * Returns true if the map's permissions allow a write. Imported memory needs the exporter's PCI_READ_WRITE. For memory of this
 * process, PCI_READ_WRITE suffices too, because programs that run on cards copy into such maps.
 */
static uint8_t is_writable(const struct doca_mmap *mmap)
{
	uint32_t sufficient = DOCA_ACCESS_FLAG_PCI_READ_WRITE;

	if (mmap->import == NULL)
		sufficient |= DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	return (mmap->permissions & sufficient) != 0;
}

static doca_error_t check_element(const struct doca_buf *buf, const struct doca_dev *dev, enum direction direction,
				  enum reach reach)
{
	const struct doca_mmap *mmap = buf->mmap;

	if (!window_contains(buf->head, buf->len, buf->data, buf->data_len))
		return DOCA_ERROR_INVALID_VALUE;
	if (!mmap->started || !mmap_has_dev(mmap, dev))
		return DOCA_ERROR_NOT_PERMITTED;
	if (mmap->import != NULL && (reach == HERE || mmap->is_remote))
		return DOCA_ERROR_NOT_PERMITTED;
	if (direction == DESTINATION && !is_writable(mmap))
		return DOCA_ERROR_NOT_PERMITTED;
	return DOCA_SUCCESS;
}

static doca_error_t make_room(struct sd_latch *latch, uint32_t count)
{
	if (count <= SD_LATCH_INLINE_SEGMENTS) {
		latch->segments = latch->inline_segments;
		latch->maps = latch->inline_maps;
		return DOCA_SUCCESS;
	}
	latch->segments = malloc(count * sizeof(*latch->segments));
	latch->maps = malloc(count * sizeof(struct doca_mmap *));
	if (latch->segments != NULL && latch->maps != NULL)
		return DOCA_SUCCESS;
	free(latch->segments);
	free(latch->maps);
	return DOCA_ERROR_NO_MEMORY;
}

static void latch_element(struct sd_latch *latch, const struct doca_buf *buf, enum direction direction)
{
	struct sd_segment *segment = &latch->segments[latch->count];
	size_t before = (size_t)(buf->data - buf->head);

	if (direction == SOURCE) {
		segment->addr = buf->data;
		segment->len = buf->data_len;
	} else {
		segment->addr = buf->data + buf->data_len;
		segment->len = buf->len - before - buf->data_len;
	}
	segment->import = buf->mmap->import;
	segment->via = 0;
	latch->maps[latch->count] = buf->mmap;
	latch->count++;
	latch->total += segment->len;
	buf->mmap->num_latches++;
}

static doca_error_t latch_list(struct sd_latch *latch, const struct doca_buf *head, const struct doca_dev *dev,
			       enum direction direction, enum reach reach)
{
	const struct doca_buf *buf;
	doca_error_t result;
	uint32_t count = 0;

	memset(latch, 0, sizeof(*latch));
	if (head == NULL || head->refcount == 0)
		return DOCA_ERROR_INVALID_VALUE;
	for (buf = head; buf != NULL; buf = buf->next, count++) {
		result = check_element(buf, dev, direction, reach);
		if (result != DOCA_SUCCESS)
			return result;
	}
	result = make_room(latch, count);
	if (result != DOCA_SUCCESS) {
		memset(latch, 0, sizeof(*latch));
		return result;
	}
	for (buf = head; buf != NULL; buf = buf->next)
		latch_element(latch, buf, direction);
	latch->stock = head->stock;
	latch->stock->num_latches++;
	return DOCA_SUCCESS;
}

doca_error_t sd_latch_source(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev)
{
	return latch_list(latch, buf, dev, SOURCE, HERE);
}

doca_error_t sd_latch_any_source(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev)
{
	return latch_list(latch, buf, dev, SOURCE, ANYWHERE);
}

static doca_error_t latch_destination(struct sd_latch *latch, struct doca_buf *buf, const struct doca_dev *dev,
				      enum reach reach)
{
	doca_error_t result = latch_list(latch, buf, dev, DESTINATION, reach);

	if (result != DOCA_SUCCESS)
		return result;
	latch->head = buf;
	latch->generation = buf->generation;
	return DOCA_SUCCESS;
}

doca_error_t sd_latch_destination(struct sd_latch *latch, struct doca_buf *buf, const struct doca_dev *dev)
{
	return latch_destination(latch, buf, dev, HERE);
}

doca_error_t sd_latch_any_destination(struct sd_latch *latch, struct doca_buf *buf, const struct doca_dev *dev)
{
	return latch_destination(latch, buf, dev, ANYWHERE);
}

doca_error_t sd_latch_remote(struct sd_latch *latch, const struct doca_buf *buf, const struct doca_dev *dev, uint32_t permission,
			     size_t len)
{
	const struct doca_mmap *mmap;
	doca_error_t result;

	memset(latch, 0, sizeof(*latch));
	if (buf == NULL || buf->refcount == 0 || !window_contains(buf->head, buf->len, buf->data, len))
		return DOCA_ERROR_INVALID_VALUE;
	mmap = buf->mmap;
	if (!mmap->started || !mmap_has_dev(mmap, dev) || !mmap->is_remote || (mmap->permissions & permission) == 0)
		return DOCA_ERROR_NOT_PERMITTED;
	result = make_room(latch, 1);
	if (result != DOCA_SUCCESS)
		return result;
	latch_element(latch, buf, SOURCE);
	latch->segments[0].len = len;
	latch->total = len;
	latch->stock = buf->stock;
	latch->stock->num_latches++;
	return DOCA_SUCCESS;
}

uint16_t sd_latch_remote_vhca_id(const struct sd_latch *latch)
{
	return latch->maps[0]->remote_vhca_id;
}

pid_t sd_latch_exporter(const struct sd_latch *latch)
{
	return import_exporter(latch->segments[0].import);
}

uint8_t sd_latch_ends(const struct sd_latch *latch, pid_t pid, uint64_t *ends)
{
	return latch->count > 0 && import_ends(latch->segments[0].import, pid, ends);
}

void sd_latch_commit(const struct sd_latch *latch, size_t produced)
{
	struct doca_buf *buf = latch->head;
	uint32_t i;

	if (buf == NULL || buf->generation != latch->generation)
		return;
	/* The program may have shortened the list since the latch. Only the remaining elements grow. */
	for (i = 0; i < latch->count && buf != NULL && produced > 0; i++, buf = buf->next) {
		size_t part = produced < latch->segments[i].len ? produced : latch->segments[i].len;

		buf->data_len += part;
		produced -= part;
	}
}

void sd_latch_release(struct sd_latch *latch)
{
	uint32_t i;

	for (i = 0; i < latch->count; i++)
		latch->maps[i]->num_latches--;
	if (latch->segments != latch->inline_segments) {
		free(latch->segments);
		free(latch->maps);
	}
	if (latch->stock != NULL)
		latch->stock->num_latches--;
	memset(latch, 0, sizeof(*latch));
}
