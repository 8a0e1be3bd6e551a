/*
 * The settings of the software DPU. The settings are read once from environment variables; softdpu.h changes them while no
 * context is started. Thread: any, for reading.
 */
#ifndef SD_CONFIG_H
#define SD_CONFIG_H

#include <stdint.h>

#include "doca_error.h"
#include "sd_profile.h"
#include "sd_reason.h"
#include "sd_tcp.h"
#include "softdpu.h"

/** Sides of the card, as bits. */
enum card_side { CARD_SIDE_DPU = 1, CARD_SIDE_HOST = 2 };

/** How RDMA reaches another process. */
enum sd_rdma_path {
	SD_RDMA_AUTO,			/**< on this host directly, if the kernel permits it; another host by TCP, if it is on */
	SD_RDMA_DIRECT,			/**< memory never by a socket: accesses that the kernel forbids fail */
	SD_RDMA_UNIX,			/**< by a Unix socket */
	SD_RDMA_TCP,			/**< by TCP, also on this host */
};

struct sd_config {
	_Atomic enum softdpu_execution execution;
	_Atomic uint32_t threads;
	_Atomic uint64_t seed;
	_Atomic uint8_t null_device;
	_Atomic int deflate_level;
	_Atomic uint8_t timing;
	_Atomic uint32_t max_clients;	/**< per comch server, in profile full */
	_Atomic(const struct sd_profile *) profile;	/**< never NULL */
	uint8_t sides;			/**< visible sides: bits of enum card_side; set only by the environment */
	uint8_t no_process_vm;		/**< set only by the environment */
	enum sd_rdma_path rdma_path;	/**< set only by the environment */
	struct sd_tcp tcp;		/**< set only by the environment */
};

enum { SD_CONFIG_MAX_THREADS = 64, SD_CONFIG_MAX_DEFAULT_THREADS = 8, SD_CONFIG_MAX_DEFLATE_LEVEL = 12,
       SD_CONFIG_MAX_CLIENTS = 65536 };

/** Returns the current settings; never NULL. The first call reads the environment, and logs invalid variables unless
 *  softdpu_get_problem() was called before. */
const struct sd_config *sd_config(void);
/** Returns the same settings, for a change while no context is started. */
struct sd_config *sd_config_to_change(void);

/** Returns the largest number of clients of one server, under these limits and the settings. */
uint32_t sd_config_max_clients(const struct sd_comch_limits *limits);

/** Returns the first invalid variable with the reason, or NULL. While a variable is invalid, no context may start. */
const char *sd_config_problem(void);

#endif
