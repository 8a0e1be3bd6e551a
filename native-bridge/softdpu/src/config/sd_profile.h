/*
 * Capabilities and limits of a card: one static record per profile (SOFTDPU_PROFILE=bluefield2|bluefield3|full). A limit of 0
 * means that the operation is not supported.
 */
#ifndef SD_PROFILE_H
#define SD_PROFILE_H

#include <stdint.h>

/** SOFTDPU_MAX_CLIENTS sets the number of clients. */
enum { SD_CLIENTS_AS_SET = 0 };

/** Limits of the communication channel. */
struct sd_comch_limits {
	uint32_t max_name_len;		/**< length of a server's name in bytes, with its NUL */
	uint32_t max_msg_size;		/**< bytes */
	uint32_t max_recv_queue_size;	/**< messages */
	uint32_t max_send_tasks;
	uint32_t max_clients;		/**< per server, or SD_CLIENTS_AS_SET: sd_config_max_clients() */
	uint32_t max_consumers;		/**< per connection and side */
	uint32_t max_producers;
	uint32_t max_data_tasks;	/**< per consumer or producer */
	uint32_t max_buf_size;		/**< size of one transfer in bytes */
	uint32_t max_buf_list_len;	/**< elements of a producer's buffer; a consumer's buffer has one */
	uint32_t max_imm_len;		/**< length of immediate data in bytes */
};

/** The timing model of one unit of the card (Q20): tasks share its channels; each channel executes one task at a time. */
struct sd_channels {
	uint32_t count;			/**< at most SD_TIMING_MAX_CHANNELS */
	uint64_t latency_ns;		/**< per task */
	uint64_t bytes_per_s;		/**< per channel */
};

enum { SD_TIMING_MAX_CHANNELS = 64 };

/** Capability for one task type on one card. */
struct sd_task_capability {
	uint8_t supported;
	uint64_t max_buf_size;		/**< bytes, sum over a list */
	uint32_t max_list_len;		/**< elements; 1 = no lists */
	uint8_t is_dpu_side_only;	/**< the host functions of the card do not support it */
};

struct sd_profile {
	const char *name;		/**< "bluefield2", "bluefield3", "full" */
	struct sd_task_capability compress_deflate;
	struct sd_task_capability decompress_deflate;
	struct sd_task_capability decompress_lz4_block;
	struct sd_task_capability decompress_lz4_stream;
	struct sd_task_capability dma_memcpy;
	struct sd_task_capability sha;	/**< both kinds of tasks, all algorithms */
	struct sd_task_capability aes_gcm;	/**< both kinds of tasks, both types of keys, both lengths of tags */
	struct sd_task_capability ec;	/**< all kinds of tasks; max_buf_size: of one block */
	struct sd_comch_limits comch;
	struct sd_channels dma_channels;	/**< for the timing model */
};

/** Returns the profile of this name; NULL and "" select "full". NULL: unknown name. */
const struct sd_profile *sd_profile_find(const char *name);

#endif
