#include "kind/kinds.h"

#include <string.h>

#include "base/comch.h"
#include "base/symbols.h"
#include "kind/shapes.h"

#define MEMBER(member) { #member, offsetof(struct bridge_kind_functions, member) }
static const struct bridge_symbol kind_symbols[] = {
	MEMBER(set_conf), MEMBER(alloc_init), MEMBER(as_task), MEMBER(set_src), MEMBER(set_dst), MEMBER(get_crc_cs),
	MEMBER(get_adler_cs), MEMBER(get_xxh_cs), MEMBER(set_has_block_checksum), MEMBER(set_are_blocks_independent),
	MEMBER(set_buf), MEMBER(get_producer_id), MEMBER(get_imm_data), MEMBER(get_imm_data_len), MEMBER(set_imm_data),
	MEMBER(set_consumer_id), MEMBER(set_algorithm),
};
#define NUM_SYMBOLS (sizeof(kind_symbols) / sizeof(kind_symbols[0]))
static_assert(offsetof(struct bridge_kind_functions, extra) == NUM_SYMBOLS * sizeof(void *), "every other slot has a name");

/* Bits are positions in kind_symbols. */
enum {
	TASK = 0x7,
	DESTINATION = 1 << 4,
	TRANSFORM = 0x1f,
	CRC = 1 << 5,
	ADLER = 1 << 6,
	XXH = 1 << 7,
	LZ4_FLAGS = 1 << 8 | 1 << 9,
	BUF = 1 << 10,
	RECEIVED = 1 << 11 | 1 << 12 | 1 << 13,
	SENT = 1 << 14 | 1 << 15,
	ALGORITHM = 1 << 16
};

/* A kind of task on an RDMA connection. A write fills the peer's memory: only its source has a length here. */
#define RDMA(task, of_shape, is_write)                                                                     \
	{                                                                                                  \
		.prefix = "doca_rdma_task_" task "_", .shape = &bridge_shape_rdma_##of_shape, .has = TASK, \
		.aliases = { { "alloc_init", "allocate_init" } }, .copies = is_write,                      \
	}

/* A kind of task of an RDMA connection on a sync event of the peer. */
#define RDMA_EVENT(task, of_shape, result_getter)                                                                  \
	{                                                                                                          \
		.prefix = "doca_rdma_task_remote_net_sync_event_" task "_", .shape = &bridge_shape_rdma_event_##of_shape, \
		.has = TASK, .aliases = { { "alloc_init", "allocate_init" }, { "get_result", result_getter } },     \
	}

/* A kind of task of a sync event. */
#define EVENT(task, of_shape, result_getter)                                                                                   \
	{                                                                                                                      \
		.prefix = "doca_sync_event_task_" task "_", .shape = &bridge_shape_event_##of_shape, .has = TASK,              \
		.aliases = { { "as_task", "as_doca_task" }, { "get_result", result_getter } },                                 \
	}

static struct bridge_kind kinds[] = {
	[DPUBRIDGE_KIND_COMPRESS_DEFLATE] = { .prefix = "doca_compress_task_compress_deflate_",
					      .shape = &bridge_shape_transform, .has = TRANSFORM | CRC | ADLER },
	[DPUBRIDGE_KIND_DECOMPRESS_DEFLATE] = { .prefix = "doca_compress_task_decompress_deflate_",
						.shape = &bridge_shape_transform, .has = TRANSFORM | CRC | ADLER },
	[DPUBRIDGE_KIND_DECOMPRESS_LZ4_BLOCK] = { .prefix = "doca_compress_task_decompress_lz4_block_",
						  .shape = &bridge_shape_transform, .has = TRANSFORM | CRC | XXH },
	[DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM] = { .prefix = "doca_compress_task_decompress_lz4_stream_",
						   .shape = &bridge_shape_lz4_stream, .has = TRANSFORM | CRC | XXH | LZ4_FLAGS },
	[DPUBRIDGE_KIND_DMA_MEMCPY] = { .prefix = "doca_dma_task_memcpy_", .shape = &bridge_shape_transform, .copies = true,
				      .has = TRANSFORM },
	[DPUBRIDGE_KIND_COMCH_SERVER_SEND] = { .prefix = "doca_comch_server_task_send_",
					       .aliases = { { "as_task", "doca_comch_task_send_as_task" } },
					       .shape = &bridge_shape_control, .has = TASK },
	[DPUBRIDGE_KIND_COMCH_CLIENT_SEND] = { .prefix = "doca_comch_client_task_send_",
					       .aliases = { { "as_task", "doca_comch_task_send_as_task" } },
					       .shape = &bridge_shape_control, .has = TASK },
	[DPUBRIDGE_KIND_COMCH_CONSUMER_RECV] = { .prefix = "doca_comch_consumer_task_post_recv_",
						 .shape = &bridge_shape_receive, .has = TASK | BUF | RECEIVED },
	[DPUBRIDGE_KIND_COMCH_PRODUCER_SEND] = { .prefix = "doca_comch_producer_task_send_",
						 .shape = &bridge_shape_produce, .has = TASK | BUF | SENT },
	[DPUBRIDGE_KIND_SHA_HASH] = { .prefix = "doca_sha_task_hash_", .shape = &bridge_shape_hash,
				      .has = TRANSFORM | ALGORITHM },
	[DPUBRIDGE_KIND_SHA_PARTIAL_HASH] = { .prefix = "doca_sha_task_partial_hash_", .shape = &bridge_shape_session,
					      .has = TRANSFORM | ALGORITHM },
	[DPUBRIDGE_KIND_AES_GCM_ENCRYPT] = { .prefix = "doca_aes_gcm_task_encrypt_", .shape = &bridge_shape_aead,
					     .has = TRANSFORM },
	[DPUBRIDGE_KIND_AES_GCM_DECRYPT] = { .prefix = "doca_aes_gcm_task_decrypt_", .shape = &bridge_shape_aead,
					     .has = TRANSFORM },
	[DPUBRIDGE_KIND_EC_CREATE] = { .prefix = "doca_ec_task_create_", .shape = &bridge_shape_object, .has = TRANSFORM,
				       .aliases = { { "alloc_init", "allocate_init" },
						    { "set_object", "set_coding_matrix" },
						    { "set_src", "set_original_data_blocks" },
						    { "set_dst", "set_rdnc_blocks" } } },
	[DPUBRIDGE_KIND_EC_RECOVER] = { .prefix = "doca_ec_task_recover_", .shape = &bridge_shape_object, .has = TRANSFORM,
					.aliases = { { "alloc_init", "allocate_init" },
						     { "set_object", "set_recover_matrix" },
						     { "set_src", "set_available_blocks" },
						     { "set_dst", "set_recovered_data_blocks" } } },
	[DPUBRIDGE_KIND_EC_UPDATE] = { .prefix = "doca_ec_task_update_", .shape = &bridge_shape_object, .has = TRANSFORM,
				       .aliases = { { "alloc_init", "allocate_init" },
						    { "set_object", "set_update_matrix" },
						    { "set_src", "set_original_updated_and_rdnc_blocks" },
						    { "set_dst", "set_updated_rdnc_blocks" } } },
	[DPUBRIDGE_KIND_RDMA_RECEIVE] = { .prefix = "doca_rdma_task_receive_", .shape = &bridge_shape_rdma_receive,
					  .has = TASK | DESTINATION,
					  .aliases = { { "alloc_init", "allocate_init" }, { "set_dst", "set_dst_buf" } } },
	[DPUBRIDGE_KIND_RDMA_SEND] = RDMA("send", send, false),
	[DPUBRIDGE_KIND_RDMA_SEND_IMM] = RDMA("send_imm", send_imm, false),
	[DPUBRIDGE_KIND_RDMA_READ] = RDMA("read", read, false),
	[DPUBRIDGE_KIND_RDMA_WRITE] = RDMA("write", write, true),
	[DPUBRIDGE_KIND_RDMA_WRITE_IMM] = RDMA("write_imm", write_imm, true),
	[DPUBRIDGE_KIND_RDMA_CMP_SWP] = RDMA("atomic_cmp_swp", cmp_swp, false),
	[DPUBRIDGE_KIND_RDMA_FETCH_ADD] = RDMA("atomic_fetch_add", fetch_add, false),
	[DPUBRIDGE_KIND_EVENT_GET] = EVENT("get", get, "get_ret_val_ptr"),
	[DPUBRIDGE_KIND_EVENT_SET] = EVENT("notify_set", set, NULL),
	[DPUBRIDGE_KIND_EVENT_ADD] = EVENT("notify_add", add, "get_fetched_val_ptr"),
	[DPUBRIDGE_KIND_EVENT_WAIT_EQUAL] = EVENT("wait_eq", wait, NULL),
	[DPUBRIDGE_KIND_EVENT_WAIT_NOT_EQUAL] = EVENT("wait_neq", wait, NULL),
	[DPUBRIDGE_KIND_RDMA_EVENT_GET] = RDMA_EVENT("get", get, "get_dst_buf"),
	[DPUBRIDGE_KIND_RDMA_EVENT_SET] = RDMA_EVENT("notify_set", set, NULL),
	[DPUBRIDGE_KIND_RDMA_EVENT_ADD] = RDMA_EVENT("notify_add", add, "get_result_buf"),
};
static_assert(sizeof(kinds) / sizeof(kinds[0]) == DPUBRIDGE_KIND_COUNT, "one row per kind");

static bool resolve_function(void *library, const struct bridge_kind *kind, struct bridge_symbol symbol,
			     struct bridge_kind_functions *found)
{
	const char *prefix = kind->prefix;
	uint32_t i;

	for (i = 0; i < BRIDGE_MAX_ALIASES && kind->aliases[i].usual != NULL; i++) {
		if (strcmp(kind->aliases[i].usual, symbol.name) == 0) {
			symbol.name = kind->aliases[i].name;
			break;
		}
	}
	if (strncmp(symbol.name, "doca_", strlen("doca_")) == 0)
		prefix = "";
	return bridge_symbol_resolve(library, prefix, &symbol, found);
}

static bool resolve_extra(void *library, const struct bridge_kind *kind, struct bridge_kind_functions *found)
{
	uint32_t i;

	for (i = 0; i < BRIDGE_EXTRA_FUNCTIONS && kind->shape->extra[i] != NULL; i++) {
		struct bridge_symbol symbol = { kind->shape->extra[i],
						offsetof(struct bridge_kind_functions, extra) + i * sizeof(void *) };

		if (!resolve_function(library, kind, symbol, found))
			return false;
	}
	return true;
}

static bool resolve_kind(void *library, struct bridge_kind *kind)
{
	struct bridge_kind_functions found = { 0 };
	uint32_t i;

	if (kind->shape->is_comch && bridge_comch.task_set_user_data == NULL)
		return false;
	for (i = 0; i < NUM_SYMBOLS; i++)
		if ((kind->has & 1u << i) && !resolve_function(library, kind, kind_symbols[i], &found))
			return false;
	if (!resolve_extra(library, kind, &found))
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
