/*
 * Registered memory in blocks of one size.
 */
#ifndef REGION_H
#define REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf_inventory.h>
#include <doca_dev.h>
#include <doca_mmap.h>

/** The largest region that is made for somebody else's geometry: 16 GiB. */
#define REGION_MAX_BYTES (UINT64_C(16) << 30)

struct geometry {
	uint32_t blocks;
	uint32_t block_size;
};

struct region {
	uint8_t *base;
	size_t len;
	struct doca_mmap *map;
	void *mapped; /* with what huge pages need to be aligned */
	size_t mapped_len;
};

/** Bytes of all blocks. */
static inline uint64_t geometry_bytes(struct geometry geometry)
{
	return (uint64_t)geometry.blocks * geometry.block_size;
}

/** Whether it has blocks, and not more than a region may hold. */
bool geometry_is_sound(struct geometry geometry);

/** Memory of len bytes, on huge pages if the kernel has some, already in place, with a started map for dev. False on failure, which was printed; the region is empty then. */
bool region_open(struct region *region, size_t len, struct doca_dev *dev, uint32_t permissions);
/** False when something would not go; printed. An empty region is allowed. */
bool region_close(struct region *region);
/** Make the region as long as it has to be; nothing happens when it is already. */
bool region_resize(struct region *region, size_t len, struct doca_dev *dev, uint32_t permissions);

/** Fill block i with the byte i & 0xff; with spoil, with its complement. */
void region_fill(const struct region *region, struct geometry geometry, bool spoil);
/** Blocks that are not so filled. */
uint32_t region_count_bad(const struct region *region, struct geometry geometry);

/** A started inventory. NULL on failure; printed. */
struct doca_buf_inventory *region_open_inventory(size_t bufs);

#endif
