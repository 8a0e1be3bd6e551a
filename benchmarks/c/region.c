#include "region.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "report.h"

#define HUGE_PAGE ((size_t)2 << 20)

bool geometry_is_sound(struct geometry geometry)
{
	return geometry.blocks > 0 && geometry.block_size > 0 && geometry_bytes(geometry) <= REGION_MAX_BYTES;
}

static bool register_memory(struct region *region, struct doca_dev *dev, uint32_t permissions)
{
	return report(doca_mmap_create(&region->map), "doca_mmap_create", "memory for blocks") &&
	       report(doca_mmap_set_memrange(region->map, region->base, region->len), "doca_mmap_set_memrange", "%zu bytes",
		      region->len) &&
	       report(doca_mmap_set_permissions(region->map, permissions), "doca_mmap_set_permissions", "0x%x", permissions) &&
	       report(doca_mmap_add_dev(region->map, dev), "doca_mmap_add_dev", "memory for blocks") &&
	       report(doca_mmap_start(region->map), "doca_mmap_start", "memory for blocks");
}

/* Huge pages: with small pages, their physical placement determines the copy rate for the whole life of a process. */
static bool map_memory(struct region *region, size_t len)
{
	region->mapped_len = len + HUGE_PAGE;
	region->mapped = mmap(NULL, region->mapped_len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (region->mapped == MAP_FAILED) {
		region->mapped = NULL;
		return report_system("mmap", "memory for blocks");
	}
	region->base = (uint8_t *)(((uintptr_t)region->mapped + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
	region->len = len;
	madvise(region->base, len, MADV_HUGEPAGE); /* without huge pages, small ones are used */
	memset(region->base, 0, len);
	return true;
}

bool region_open(struct region *region, size_t len, struct doca_dev *dev, uint32_t permissions)
{
	memset(region, 0, sizeof(*region));
	if (map_memory(region, len) && register_memory(region, dev, permissions))
		return true;
	region_close(region);
	return false;
}

bool region_close(struct region *region)
{
	bool clean = region->map == NULL || report(doca_mmap_destroy(region->map), "doca_mmap_destroy", "memory for blocks");

	/* Memory that a device may still access is not unmapped. */
	if (clean && region->mapped != NULL)
		munmap(region->mapped, region->mapped_len);
	memset(region, 0, sizeof(*region));
	return clean;
}

bool region_resize(struct region *region, size_t len, struct doca_dev *dev, uint32_t permissions)
{
	return region->len == len || (region_close(region) && region_open(region, len, dev, permissions));
}

void region_fill(const struct region *region, struct geometry geometry, bool spoil)
{
	uint32_t i;

	for (i = 0; i < geometry.blocks; i++)
		memset(region->base + (size_t)i * geometry.block_size, (int)((spoil ? ~i : i) & 0xff), geometry.block_size);
}

/* All bytes are equal if each equals its neighbour. */
static uint32_t count_bad(const struct region *region, struct geometry geometry)
{
	uint32_t i, bad = 0;

	for (i = 0; i < geometry.blocks; i++) {
		const uint8_t *block = region->base + (size_t)i * geometry.block_size;

		bad += block[0] != (i & 0xff) || memcmp(block, block + 1, geometry.block_size - 1) != 0;
	}
	return bad;
}

bool region_print(const struct region *region, struct geometry geometry, bool verify, unsigned int parallel, uint64_t elapsed_ns)
{
	uint32_t bad = verify ? count_bad(region, geometry) : 0;

	report_begin();
	printf(",\"blocks\":%u,\"block_size\":%u", geometry.blocks, geometry.block_size);
	if (parallel > 0)
		printf(",\"parallel\":%u", parallel);
	report_rate(geometry_bytes(geometry), elapsed_ns);
	printf(",\"verified\":%s,\"data_error\":%s", verify ? "true" : "false", bad > 0 ? "true" : "false");
	return report_end() && (bad == 0 || report_fault("%u of %u blocks are wrong", bad, geometry.blocks));
}

struct doca_buf_inventory *region_open_inventory(size_t bufs)
{
	struct doca_buf_inventory *inventory = NULL;

	if (!report(doca_buf_inventory_create(bufs, &inventory), "doca_buf_inventory_create", "%zu buffers", bufs))
		return NULL;
	if (report(doca_buf_inventory_start(inventory), "doca_buf_inventory_start", "%zu buffers", bufs))
		return inventory;
	report(doca_buf_inventory_destroy(inventory), "doca_buf_inventory_destroy", "%zu buffers", bufs);
	return NULL;
}
