/*
 * What a card can do: capabilities and limits, one static record per profile (SOFTDPU_PROFILE=bluefield2|bluefield3|full).
 * A limit of 0 means that the operation is not there.
 */
#ifndef SD_PROFILE_H
#define SD_PROFILE_H

#include <stdint.h>

/** As many clients as SOFTDPU_MAX_CLIENTS says. */
enum { SD_CLIENTS_AS_SET = 0 };

/** The communication channel. */
struct sd_comch_limits {
	uint32_t max_name_len;		/**< bytes of a server's name, with its NUL */
	uint32_t max_msg_size;		/**< bytes */
	uint32_t max_recv_queue_size;	/**< messages */
	uint32_t max_send_tasks;
	uint32_t max_clients;		/**< of one server, or SD_CLIENTS_AS_SET: ask sd_profile_max_clients() */
	uint32_t max_consumers;		/**< of one connection, per side */
	uint32_t max_producers;
	uint32_t max_data_tasks;	/**< of one consumer or producer */
	uint32_t max_buf_size;		/**< bytes of one transfer */
	uint32_t max_buf_list_len;	/**< elements of a producer's buffer; a consumer's has one */
	uint32_t max_imm_len;		/**< bytes of immediate data */
};

/** The timing model of one unit of the card (Q20): tasks share its channels, each channel works on one task. */
struct sd_channels {
	uint32_t count;			/**< at most SD_TIMING_MAX_CHANNELS */
	uint64_t latency_ns;		/**< of any task */
	uint64_t bytes_per_s;		/**< of one channel */
};

enum { SD_TIMING_MAX_CHANNELS = 64 };

/** One kind of task on one kind of card. */
struct sd_task_capability {
	uint8_t supported;
	uint64_t max_buf_size;		/**< bytes, sum over a list */
	uint32_t max_list_len;		/**< elements; 1 = no lists */
};

struct sd_profile {
	const char *name;		/**< "bluefield2", "bluefield3", "full" */
	const char *model;		/**< for people; always says "software DPU" */
	uint32_t compress_max_tasks;	/**< over all task types of one doca_compress */
	struct sd_task_capability compress_deflate;
	struct sd_task_capability decompress_deflate;
	struct sd_task_capability decompress_lz4_block;
	struct sd_task_capability decompress_lz4_stream;
	uint32_t dma_max_tasks;
	struct sd_task_capability dma_memcpy;
	struct sd_comch_limits comch;
	uint32_t compress_channels;	/**< tasks that the real card works on at once */
	struct sd_channels dma_channels;	/**< for the timing model */
};

/** The profile in force: the one that SOFTDPU_PROFILE names, read once, until softdpu_set_profile(). An unknown name is logged and gives
 *  "full", with which devices can be looked at and no context starts. Never NULL. Any thread. */
const struct sd_profile *sd_profile_active(void);

/** Clients of one server, under these limits and the settings. */
uint32_t sd_profile_max_clients(const struct sd_comch_limits *limits);

/** Whether there is a profile of this name; NULL and "" stand for the default. */
uint8_t sd_profile_is_known(const char *name);

#endif
