/*
 * The settings of the software DPU. They are read once from environment variables; softdpu.h changes them while no context is
 * started. Thread: any, for reading.
 */
#ifndef SD_CONFIG_H
#define SD_CONFIG_H

#include <stdint.h>

#include "doca_error.h"
#include "softdpu.h"

struct sd_config {
	_Atomic enum softdpu_execution execution;
	_Atomic uint32_t threads;
	_Atomic uint64_t seed;
	_Atomic uint8_t null_device;
	_Atomic int deflate_level;
	_Atomic uint8_t timing;
	_Atomic uint32_t max_clients;	/**< per comch server, in profile full */
	uint8_t no_process_vm;		/**< set only by the environment */
};

enum { SD_CONFIG_MAX_THREADS = 64, SD_CONFIG_MAX_DEFAULT_THREADS = 8, SD_CONFIG_MAX_DEFLATE_LEVEL = 12,
       SD_CONFIG_MAX_CLIENTS = 65536 };

/** Size in bytes of a text that says why a value is invalid, with the final NUL. */
enum { SD_REASON_SIZE = 256 };

/** Returns the current settings; never NULL. The first call reads the environment, and logs invalid variables unless
 *  softdpu_get_problem() was called before. */
const struct sd_config *sd_config(void);

/** Returns the first invalid variable with the reason, or NULL. While a variable is invalid, no context may start. */
const char *sd_config_problem(void);

#endif
