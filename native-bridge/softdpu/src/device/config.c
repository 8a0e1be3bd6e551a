#include "sd_config.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sd_log.h"
#include "sd_device.h"
#include "sd_fault.h"
#include "card.h"
#include "sd_profile.h"
#include "sd_quirk.h"
#include "sd_rendezvous.h"

static struct sd_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

enum { PROBLEM_SIZE = 512, MAX_VALUE_LEN = 160 };

static char problem[PROBLEM_SIZE];		/* the first invalid variable; empty: none. SOFTDPU_FAULTS is apart */
static char faults_problem[PROBLEM_SIZE];	/* holds until another plan replaces that of SOFTDPU_FAULTS */
static char folder_problem[PROBLEM_SIZE];	/* of SOFTDPU_DIR, at the first call of softdpu_get_problem() */
static uint8_t program_reports;			/* the program asked for the problem before anything else: no log */

/* Writes one line. The value of the variable may be anything. */
static void describe(char *text, const char *name, const char *why)
{
	snprintf(text, PROBLEM_SIZE, "%s is \"%.*s\": %.*s", name, MAX_VALUE_LEN, getenv(name), SD_REASON_SIZE, why);
	for (char *c = text; *c != '\0'; c++) {
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	}
}

/* Keeps the first problem. */
static void refuse(char *first, const char *name, const char *why)
{
	char text[PROBLEM_SIZE];

	describe(text, name, why);
	if (!program_reports)
		SD_LOG_ERROR("%s", text);
	if (*first == '\0')
		memcpy(first, text, sizeof(text));
}

static uint32_t default_threads(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (online < 1)
		return 1;
	return online > SD_CONFIG_MAX_DEFAULT_THREADS ? SD_CONFIG_MAX_DEFAULT_THREADS : (uint32_t)online;
}

/* Reads a number between min and max from the environment; fallback if the variable is not set. */
static uint64_t read_number(const char *name, uint64_t min, uint64_t max, uint64_t fallback)
{
	const char *text = getenv(name);
	char why[SD_REASON_SIZE];
	char *end;
	unsigned long long value;

	if (text == NULL || *text == '\0')
		return fallback;
	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno == 0 && *end == '\0' && *text != '-' && value >= min && value <= max)
		return value;
	snprintf(why, sizeof(why), "it must be a number from %llu to %llu", (unsigned long long)min, (unsigned long long)max);
	refuse(problem, name, why);
	return fallback;
}

static enum softdpu_execution read_execution(void)
{
	const char *text = getenv("SOFTDPU_EXECUTION");

	if (text == NULL || *text == '\0' || strcmp(text, "threads") == 0)
		return SOFTDPU_EXECUTION_THREADS;
	if (strcmp(text, "inline") == 0)
		return SOFTDPU_EXECUTION_INLINE;
	refuse(problem, "SOFTDPU_EXECUTION", "it must be threads or inline");
	return SOFTDPU_EXECUTION_THREADS;
}

static void read_environment(void)
{
	char why[SD_REASON_SIZE];

	config.execution = read_execution();
	config.threads = (uint32_t)read_number("SOFTDPU_THREADS", 1, SD_CONFIG_MAX_THREADS, default_threads());
	config.seed = read_number("SOFTDPU_SEED", 0, UINT64_MAX, 1);
	config.null_device = (uint8_t)read_number("SOFTDPU_NULL", 0, 1, 0);
	config.deflate_level = (int)read_number("SOFTDPU_DEFLATE_LEVEL", 1, SD_CONFIG_MAX_DEFLATE_LEVEL, 1);
	config.timing = (uint8_t)read_number("SOFTDPU_TIMING", 0, 1, 0);
	config.max_clients = (uint32_t)read_number("SOFTDPU_MAX_CLIENTS", 1, SD_CONFIG_MAX_CLIENTS, 512);
	config.no_process_vm = (uint8_t)read_number("SOFTDPU_NO_PROCESS_VM", 0, 1, 0);
	if (!sd_profile_is_known(getenv("SOFTDPU_PROFILE")))
		refuse(problem, "SOFTDPU_PROFILE", "it must be full, bluefield2 or bluefield3");
	if (!card_role_is_known(getenv("SOFTDPU_ROLE")))
		refuse(problem, "SOFTDPU_ROLE", "it must be host, dpu or both");
	if (sd_quirk_load(getenv("SOFTDPU_QUIRKS"), why) != DOCA_SUCCESS)
		refuse(problem, "SOFTDPU_QUIRKS", why);
	if (sd_fault_load(getenv("SOFTDPU_FAULTS"), config.seed, why) != DOCA_SUCCESS)
		refuse(faults_problem, "SOFTDPU_FAULTS", why);
}

static void read_without_log(void)
{
	program_reports = 1;
	read_environment();
}

const struct sd_config *sd_config(void)
{
	pthread_once(&config_once, read_environment);
	return &config;
}

/* Programs that meet no other process need no folder, so the library itself does not check it before its use. */
static void check_folder(void)
{
	char why[SD_RENDEZVOUS_REASON];

	if (!sd_rendezvous_check_setting(why))
		describe(folder_problem, "SOFTDPU_DIR", why);
}

const char *sd_config_problem(void)
{
	sd_config();
	if (*problem != '\0')
		return problem;
	return sd_fault_is_broken() ? faults_problem : NULL;
}

const char *softdpu_get_problem(void)
{
	static pthread_once_t folder_once = PTHREAD_ONCE_INIT;

	pthread_once(&config_once, read_without_log);
	pthread_once(&folder_once, check_folder);
	if (sd_config_problem() != NULL)
		return sd_config_problem();
	return *folder_problem != '\0' ? folder_problem : NULL;
}

enum softdpu_execution softdpu_get_execution(void)
{
	return sd_config()->execution;
}

uint64_t softdpu_get_seed(void)
{
	return sd_config()->seed;
}

uint32_t softdpu_get_threads(void)
{
	return sd_config()->threads;
}

uint8_t softdpu_get_null(void)
{
	return sd_config()->null_device;
}

int softdpu_get_deflate_level(void)
{
	return sd_config()->deflate_level;
}

uint8_t softdpu_get_timing(void)
{
	return sd_config()->timing;
}

doca_error_t softdpu_set_execution(enum softdpu_execution execution)
{
	if (execution != SOFTDPU_EXECUTION_THREADS && execution != SOFTDPU_EXECUTION_INLINE)
		return DOCA_ERROR_INVALID_VALUE;
	sd_config();
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config.execution = execution;
	sd_device_unlock();
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_seed(uint64_t seed)
{
	sd_config();
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config.seed = seed;
	sd_device_begin_run();
	sd_fault_begin_run(seed);
	sd_device_unlock();
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_threads(uint32_t threads)
{
	if (threads < 1 || threads > SD_CONFIG_MAX_THREADS)
		return DOCA_ERROR_INVALID_VALUE;
	sd_config();
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config.threads = threads;
	sd_device_unlock();
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_null(uint8_t enable)
{
	sd_config();
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config.null_device = enable != 0;
	sd_device_unlock();
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_deflate_level(int level)
{
	if (level < 1 || level > SD_CONFIG_MAX_DEFLATE_LEVEL)
		return DOCA_ERROR_INVALID_VALUE;
	sd_config();
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config.deflate_level = level;
	sd_device_unlock();
	return DOCA_SUCCESS;
}

uint32_t softdpu_get_max_clients(void)
{
	return sd_config()->max_clients;
}

doca_error_t softdpu_set_max_clients(uint32_t clients)
{
	if (clients == 0 || clients > SD_CONFIG_MAX_CLIENTS)
		return DOCA_ERROR_INVALID_VALUE;
	sd_config();
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config.max_clients = clients;
	sd_device_unlock();
	return DOCA_SUCCESS;
}

doca_error_t softdpu_set_timing(uint8_t enable)
{
	sd_config();
	if (!sd_device_lock_unused())
		return DOCA_ERROR_BAD_STATE;
	config.timing = enable != 0;
	sd_device_unlock();
	return DOCA_SUCCESS;
}
