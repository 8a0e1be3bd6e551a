#include "sd_profile.h"

#include <stddef.h>
#include <string.h>

/*
 * Example limits of such cards. The real limits depend on the firmware, and programs have to query them. The rates show the
 * number of tasks that keep a unit busy; they are not measured.
 */
#define MIB(n) ((uint64_t)(n) << 20)

#define TASKS(max_size, list_len) { .supported = 1, .max_buf_size = (max_size), .max_list_len = (list_len) }
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
		.compress_deflate = TASKS(MIB(128), 128),
		.decompress_deflate = TASKS(MIB(128), 128),
		.decompress_lz4_block = TASKS(MIB(128), 128),
		.decompress_lz4_stream = TASKS(MIB(128), 128),
		.dma_memcpy = TASKS(MIB(128), 128),
		.sha = TASKS(MIB(128), 128),
		.aes_gcm = TASKS(MIB(128), 128),
		.ec = TASKS(MIB(128), 128),
		.comch = COMCH(MIB(128), SD_CLIENTS_AS_SET),
		.dma_channels = { .count = 32, .latency_ns = 4000, .bytes_per_s = 800000000 },
	},
	{
		.name = "bluefield2",
		.compress_deflate = TASKS(MIB(128), 128),
		.decompress_deflate = TASKS(MIB(128), 128),
		.decompress_lz4_block = ABSENT,
		.decompress_lz4_stream = ABSENT,
		.dma_memcpy = TASKS(MIB(2), 64),
		.sha = TASKS(MIB(2), 64),
		.aes_gcm = ABSENT,
		.ec = ABSENT,
		.comch = COMCH(MIB(2), 512),
		.dma_channels = { .count = 4, .latency_ns = 5000, .bytes_per_s = 2500000000 },
	},
	{
		.name = "bluefield3",
		.compress_deflate = ABSENT,
		.decompress_deflate = TASKS(MIB(128), 128),
		.decompress_lz4_block = TASKS(MIB(128), 128),
		.decompress_lz4_stream = TASKS(MIB(128), 128),
		.dma_memcpy = TASKS(MIB(2), 64),
		.sha = ABSENT,
		.aes_gcm = { .supported = 1, .max_buf_size = MIB(2), .max_list_len = 64, .is_dpu_side_only = 1 },
		.ec = TASKS(MIB(2), 64),
		.comch = COMCH(MIB(2), 512),
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
