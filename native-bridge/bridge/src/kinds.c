#include "kinds.h"

#include "symbols.h"

#define HAS_BLOCK_CHECKSUM (1u << 0)
#define ARE_BLOCKS_INDEPENDENT (1u << 1)

typedef int (*alloc_plain)(void *object, const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
			   void **task);
typedef int (*alloc_lz4_stream)(void *object, uint8_t has_block_checksum, uint8_t are_blocks_independent,
				const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data, void **task);

/* Functions of one kind. Members that a kind lacks stay NULL. */
struct kind_functions {
	int (*set_conf)(void *object, doca_completion_cb done, doca_completion_cb failed, uint32_t num_tasks);
	void *alloc_init;	/* alloc_plain or alloc_lz4_stream, by shape */
	struct doca_task *(*as_task)(void *task);
	void (*set_src)(void *task, const struct doca_buf *src);
	void (*set_dst)(void *task, struct doca_buf *dst);
	uint32_t (*get_crc_cs)(const void *task);
	uint32_t (*get_adler_cs)(const void *task);
	uint32_t (*get_xxh_cs)(const void *task);
	void (*set_has_block_checksum)(void *task, uint8_t value);
	void (*set_are_blocks_independent)(void *task, uint8_t value);
};

#define MEMBER(member) { #member, offsetof(struct kind_functions, member) }
static const struct bridge_symbol kind_symbols[] = {
	MEMBER(set_conf), MEMBER(alloc_init), MEMBER(as_task), MEMBER(set_src), MEMBER(set_dst), MEMBER(get_crc_cs),
	MEMBER(get_adler_cs), MEMBER(get_xxh_cs), MEMBER(set_has_block_checksum), MEMBER(set_are_blocks_independent),
};
#define NUM_SYMBOLS (sizeof(kind_symbols) / sizeof(kind_symbols[0]))
static_assert(sizeof(struct kind_functions) == NUM_SYMBOLS * sizeof(void *), "every slot has a name");

/* Bits are positions in kind_symbols. */
enum {
	PLAIN = 0x1f,
	CRC = 1 << 5,
	ADLER = 1 << 6,
	XXH = 1 << 7,
	LZ4_FLAGS = 1 << 8 | 1 << 9
};

struct bridge_kind {
	const char *prefix;
	uint32_t has;			/* functions that the kind has, and needs to be available */
	bool is_available;
	struct kind_functions call;
};

static struct bridge_kind kinds[] = {
	[DPUBRIDGE_KIND_COMPRESS_DEFLATE] = { .prefix = "doca_compress_task_compress_deflate_", .has = PLAIN | CRC | ADLER },
	[DPUBRIDGE_KIND_DECOMPRESS_DEFLATE] = { .prefix = "doca_compress_task_decompress_deflate_",
						.has = PLAIN | CRC | ADLER },
	[DPUBRIDGE_KIND_DECOMPRESS_LZ4_BLOCK] = { .prefix = "doca_compress_task_decompress_lz4_block_",
						  .has = PLAIN | CRC | XXH },
	[DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM] = { .prefix = "doca_compress_task_decompress_lz4_stream_",
						   .has = PLAIN | CRC | XXH | LZ4_FLAGS },
	[DPUBRIDGE_KIND_DMA_MEMCPY] = { .prefix = "doca_dma_task_memcpy_", .has = PLAIN },
};
static_assert(sizeof(kinds) / sizeof(kinds[0]) == DPUBRIDGE_KIND_COUNT, "one row per kind");

static bool resolve_kind(void *library, struct bridge_kind *kind)
{
	struct kind_functions found = { 0 };
	size_t i;

	for (i = 0; i < NUM_SYMBOLS; i++)
		if ((kind->has & 1u << i) && !bridge_symbol_resolve(library, kind->prefix, &kind_symbols[i], &found))
			return false;
	kind->call = found;
	kind->is_available = true;
	return true;
}

uint32_t bridge_kinds_resolve(void *library)
{
	uint32_t i, num_resolved = 0;

	for (i = 0; i < DPUBRIDGE_KIND_COUNT; i++)
		num_resolved += resolve_kind(library, &kinds[i]);
	return num_resolved;
}

void bridge_kinds_forget(void)
{
	uint32_t i;

	for (i = 0; i < DPUBRIDGE_KIND_COUNT; i++)
		kinds[i].is_available = false;
}

const struct bridge_kind *bridge_kind_find(uint16_t kind)
{
	return kind < DPUBRIDGE_KIND_COUNT && kinds[kind].is_available ? &kinds[kind] : NULL;
}

int bridge_kind_configure(const struct bridge_kind *kind, void *object, doca_completion_cb done, doca_completion_cb failed,
			  uint32_t num_tasks)
{
	return kind->call.set_conf(object, done, failed, num_tasks);
}

static uint8_t has_block_checksum(const struct dpubridge_entry *entry)
{
	return (entry->argument & HAS_BLOCK_CHECKSUM) != 0;
}

static uint8_t are_blocks_independent(const struct dpubridge_entry *entry)
{
	return (entry->argument & ARE_BLOCKS_INDEPENDENT) != 0;
}

int bridge_kind_alloc(const struct bridge_kind *kind, void *object, const struct dpubridge_entry *entry,
		      union doca_data user_data, void **task, struct doca_task **base)
{
	struct doca_buf *src = (struct doca_buf *)(uintptr_t)entry->src_buf;
	struct doca_buf *dst = (struct doca_buf *)(uintptr_t)entry->dst_buf;
	int status;

	if (kind->has & LZ4_FLAGS)
		status = ((alloc_lz4_stream)kind->call.alloc_init)(object, has_block_checksum(entry),
								   are_blocks_independent(entry), src, dst, user_data, task);
	else
		status = ((alloc_plain)kind->call.alloc_init)(object, src, dst, user_data, task);
	if (status == DOCA_SUCCESS)
		*base = kind->call.as_task(*task);
	return status;
}

void bridge_kind_refill(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	kind->call.set_src(task, (const struct doca_buf *)(uintptr_t)entry->src_buf);
	kind->call.set_dst(task, (struct doca_buf *)(uintptr_t)entry->dst_buf);
	if (kind->has & LZ4_FLAGS) {
		kind->call.set_has_block_checksum(task, has_block_checksum(entry));
		kind->call.set_are_blocks_independent(task, are_blocks_independent(entry));
	}
}

void bridge_kind_checksums(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record)
{
	if (kind->has & CRC)
		record->checksum0 = kind->call.get_crc_cs(task);
	if (kind->has & ADLER)
		record->checksum1 = kind->call.get_adler_cs(task);
	else if (kind->has & XXH)
		record->checksum1 = kind->call.get_xxh_cs(task);
}
