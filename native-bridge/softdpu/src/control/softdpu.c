/* The functions of softdpu.h. */
#include "softdpu.h"

#include "sd_calls.h"
#include "sd_census.h"
#include "sd_config.h"
#include "sd_device.h"
#include "sd_engine.h"
#include "sd_fault.h"
#include "sd_host.h"
#include "sd_log.h"
#include "sd_memory.h"
#include "sd_quirk.h"

/* Defines the getter and the setter of a setting. value: the setter's argument; no context may be started. */
#define SETTING(type, name, field, is_valid, stored)                          \
	type softdpu_get_##name(void)                                         \
	{                                                                     \
		return sd_config()->field;                                    \
	}                                                                     \
	doca_error_t softdpu_set_##name(type value)                           \
	{                                                                     \
		struct sd_config *config = sd_config_to_change();             \
                                                                              \
		if (!(is_valid))                                              \
			return DOCA_ERROR_INVALID_VALUE;                      \
		if (!sd_device_lock_unused())                                 \
			return DOCA_ERROR_BAD_STATE;                          \
		config->field = (stored);                                     \
		sd_device_unlock();                                           \
		return DOCA_SUCCESS;                                          \
	}

SETTING(enum softdpu_execution, execution, execution,
	value == SOFTDPU_EXECUTION_THREADS || value == SOFTDPU_EXECUTION_INLINE, value)
SETTING(uint32_t, threads, threads, value >= 1 && value <= SD_CONFIG_MAX_THREADS, value)
SETTING(uint8_t, null, null_device, 1, value != 0)
SETTING(int, deflate_level, deflate_level, value >= 1 && value <= SD_CONFIG_MAX_DEFLATE_LEVEL, value)
SETTING(uint32_t, max_clients, max_clients, value >= 1 && value <= SD_CONFIG_MAX_CLIENTS, value)
SETTING(uint8_t, timing, timing, 1, value != 0)

uint64_t softdpu_get_seed(void)
{
	return sd_config()->seed;
}

doca_error_t softdpu_set_seed(uint64_t seed)
{
	struct sd_config *config = sd_config_to_change();

	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config->seed = seed;
	sd_device_begin_run();
	sd_fault_begin_run(seed);
	sd_calls_begin_run();
	sd_device_unlock();
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_profile(const char *name)
{
	const struct sd_profile *profile = name == NULL || *name == '\0' ? NULL : sd_profile_find(name);
	struct sd_config *config = sd_config_to_change();

	if (profile == NULL)
		return name == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_FOUND;
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config->profile = profile;
	sd_device_unlock();
	return DOCA_SUCCESS;
}

const char *softdpu_get_profile(void)
{
	return sd_config()->profile->name;
}

doca_error_t softdpu_quirks_set(const char *list)
{
	char why[SD_REASON_SIZE];
	doca_error_t result;

	sd_config(); /* loads the quirks of the environment, once, before the program's list */
	if (list == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_quirk_load(list, why);
	if (result != DOCA_SUCCESS)
		SD_LOG_ERROR("%s", why);
	return result;
}

doca_error_t softdpu_faults_set(const char *text)
{
	char why[SD_REASON_SIZE];
	doca_error_t result;

	if (text == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_fault_replace(text, sd_config()->seed, why);
	if (result != DOCA_SUCCESS)
		SD_LOG_ERROR("fault plan: %s", why);
	return result;
}

void softdpu_faults_clear(void)
{
	softdpu_faults_set("");
}

void softdpu_faults_get_counters(struct softdpu_fault_counters *counters)
{
	sd_config();
	if (counters != NULL)
		sd_fault_get_counters(counters);
}

uint32_t softdpu_faults_get_fired(uint64_t *fired, uint32_t capacity)
{
	sd_config();
	return sd_fault_get_fired(fired, fired == NULL ? 0 : capacity);
}

uint64_t softdpu_clock_now(void)
{
	return sd_clock_now();
}

void softdpu_clock_set_manual(uint8_t manual)
{
	sd_clock_set_manual(manual);
	sd_engine_wake_all();
}

doca_error_t softdpu_clock_advance(uint64_t ns)
{
	if (sd_config()->execution != SOFTDPU_EXECUTION_INLINE)
		return DOCA_ERROR_BAD_STATE;
	sd_clock_advance(ns);
	sd_engine_wake_all();
	return DOCA_SUCCESS;
}

uint64_t softdpu_clock_get_next(void)
{
	return sd_engine_next_due();
}

uint32_t softdpu_enter_host(uint32_t host)
{
	return sd_host_enter(host);
}

doca_error_t softdpu_kill_host(uint32_t host)
{
	doca_error_t result = sd_engine_kill_host(host);

	if (result != DOCA_SUCCESS)
		return result;
	sd_memory_kill_host(host);
	sd_engine_wake_all();
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_strict(uint8_t enable)
{
	if (enable && sd_config()->execution != SOFTDPU_EXECUTION_INLINE)
		return DOCA_ERROR_BAD_STATE;
	sd_calls_set_strict(enable);
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_call_trace(uint8_t enable)
{
	if (enable && sd_config()->execution != SOFTDPU_EXECUTION_INLINE)
		return DOCA_ERROR_BAD_STATE;
	sd_calls_set_trace(enable);
	return DOCA_SUCCESS;
}

const char *softdpu_take_call(void)
{
	return sd_calls_take();
}

const char *softdpu_get_wrong_call(void)
{
	return sd_calls_get_wrong();
}

const char *softdpu_version(void)
{
	return "0.1.0";
}

void softdpu_census(struct softdpu_census *census)
{
	if (census == NULL)
		return;
	census->devices = sd_census_get(SD_CENSUS_DEVICES);
	census->representors = sd_census_get(SD_CENSUS_REPRESENTORS);
	census->engines = sd_census_get(SD_CENSUS_ENGINES);
	census->contexts = sd_census_get(SD_CENSUS_CONTEXTS);
	census->tasks = sd_census_get(SD_CENSUS_TASKS);
	census->tasks_in_flight = sd_census_get(SD_CENSUS_TASKS_IN_FLIGHT);
	census->maps = sd_census_get(SD_CENSUS_MAPS);
	census->inventories = sd_census_get(SD_CENSUS_INVENTORIES);
	census->pools = sd_census_get(SD_CENSUS_POOLS);
	census->buffers = sd_census_get(SD_CENSUS_BUFFERS);
	census->hardware_threads = sd_census_get(SD_CENSUS_HARDWARE_THREADS);
}
