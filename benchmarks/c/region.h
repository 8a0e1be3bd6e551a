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

/** The largest region for a geometry received from a peer: 16 GiB. */
#define REGION_MAX_BYTES (UINT64_C(16) << 30)

struct geometry {
	uint32_t blocks;
	uint32_t block_size;
};

struct region {
	uint8_t *base;
	size_t len;
	struct doca_mmap *map;
	void *mapped; /* the mapping, including the alignment for huge pages */
	size_t mapped_len;
};

/** Returns the bytes of all blocks. */
static inline uint64_t geometry_bytes(struct geometry geometry)
{
	return (uint64_t)geometry.blocks * geometry.block_size;
}

/** Returns whether the geometry has blocks, and fits into the largest region. */
bool geometry_is_sound(struct geometry geometry);

/**
 * Allocates len bytes, on huge pages if available, touches all pages, and starts a map for dev. On failure prints an error and
 * returns false; the region is then empty.
 */
bool region_open(struct region *region, size_t len, struct doca_dev *dev, uint32_t permissions);
/** Closes a region, which may be empty. On failure prints an error and returns false. */
bool region_close(struct region *region);
/** Changes the length of the region; does nothing if it has that length. */
bool region_resize(struct region *region, size_t len, struct doca_dev *dev, uint32_t permissions);

/** Fills block i with the byte i & 0xff; with spoil, with its complement. */
void region_fill(const struct region *region, struct geometry geometry, bool spoil);
/**
 * Prints the line of a trial that has filled the region. With verify, checks the blocks before. parallel is printed unless 0. On
 * failure prints an error and returns false.
 */
bool region_print(const struct region *region, struct geometry geometry, bool verify, unsigned int parallel, uint64_t elapsed_ns);

/** Creates a started inventory. On failure prints an error and returns NULL. */
struct doca_buf_inventory *region_open_inventory(size_t bufs);

#endif
