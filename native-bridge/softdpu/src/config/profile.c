#include "sd_profile.h"

#include <stddef.h>
#include <string.h>

/*
 * Example limits of such cards. The real limits depend on the firmware, and programs have to query them. The rates show the
 * number of tasks that keep a unit busy; they are not measured.
 */
#define MIB(n) ((uint64_t)(n) << 20)

#define DEFLATE { .supported = 1, .max_buf_size = MIB(128), .max_list_len = 128 }
#define LZ4 { .supported = 1, .max_buf_size = MIB(128), .max_list_len = 128 }
#define SHA(max_size, list_len) { .supported = 1, .max_buf_size = (max_size), .max_list_len = (list_len) }
#define EC(max_size, list_len) { .supported = 1, .max_buf_size = (max_size), .max_list_len = (list_len) }
#define AES_GCM(max_size, list_len, dpu_side_only) \
	{ .supported = 1, .max_buf_size = (max_size), .max_list_len = (list_len), .is_dpu_side_only = (dpu_side_only) }
#define ABSENT { .supported = 0 }
#define COMCH(max_size, clients)                                                                                           \
	{                                                                                                         \
		.max_name_len = 120, .max_msg_size = 4080, .max_recv_queue_size = 8192, .max_send_tasks = 8192,   \
		.max_clients = (clients), .max_consumers = 64, .max_producers = 64, .max_data_tasks = 8192,             \
		.max_buf_size = (max_size), .max_buf_list_len = 32, .max_imm_len = 32,                            \
	}

static const struct sd_profile profiles[] = {
	{
		.name = "full",
		.model = "software DPU",
		.compress_max_tasks = 8192,
		.compress_deflate = DEFLATE,
		.decompress_deflate = DEFLATE,
		.decompress_lz4_block = LZ4,
		.decompress_lz4_stream = LZ4,
		.dma_max_tasks = 8192,
		.dma_memcpy = { .supported = 1, .max_buf_size = MIB(128), .max_list_len = 128 },
		.sha_max_tasks = 8192,
		.sha = SHA(MIB(128), 128),
		.aes_gcm_max_tasks = 8192,
		.aes_gcm = AES_GCM(MIB(128), 128, 0),
		.ec_max_tasks = 8192,
		.ec = EC(MIB(128), 128),
		.comch = COMCH(MIB(128), SD_CLIENTS_AS_SET),
		.compress_channels = 8,
		.dma_channels = { .count = 32, .latency_ns = 4000, .bytes_per_s = 800000000 },
	},
	{
		.name = "bluefield2",
		.model = "software DPU (BlueField-2 profile)",
		.compress_max_tasks = 8192,
		.compress_deflate = DEFLATE,
		.decompress_deflate = DEFLATE,
		.decompress_lz4_block = ABSENT,
		.decompress_lz4_stream = ABSENT,
		.dma_max_tasks = 8192,
		.dma_memcpy = { .supported = 1, .max_buf_size = MIB(2), .max_list_len = 64 },
		.sha_max_tasks = 8192,
		.sha = SHA(MIB(2), 64),
		.aes_gcm_max_tasks = 8192,
		.aes_gcm = ABSENT,
		.ec_max_tasks = 8192,
		.ec = ABSENT,
		.comch = COMCH(MIB(2), 512),
		.compress_channels = 4,
		.dma_channels = { .count = 4, .latency_ns = 5000, .bytes_per_s = 2500000000 },
	},
	{
		.name = "bluefield3",
		.model = "software DPU (BlueField-3 profile)",
		.compress_max_tasks = 8192,
		.compress_deflate = ABSENT,
		.decompress_deflate = DEFLATE,
		.decompress_lz4_block = LZ4,
		.decompress_lz4_stream = LZ4,
		.dma_max_tasks = 8192,
		.dma_memcpy = { .supported = 1, .max_buf_size = MIB(2), .max_list_len = 64 },
		.sha_max_tasks = 8192,
		.sha = ABSENT,
		.aes_gcm_max_tasks = 8192,
		.aes_gcm = AES_GCM(MIB(2), 64, 1),
		.ec_max_tasks = 8192,
		.ec = EC(MIB(2), 64),
		.comch = COMCH(MIB(2), 512),
		.compress_channels = 8,
		.dma_channels = { .count = 32, .latency_ns = 4000, .bytes_per_s = 800000000 },
	},
};

const struct sd_profile *sd_profile_find(const char *name)
{
	if (name == NULL || *name == '\0')
		return &profiles[0];
	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		if (strcmp(profiles[i].name, name) == 0)
			return &profiles[i];
	}
	return NULL;
}
