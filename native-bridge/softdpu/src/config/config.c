#include "sd_config.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sd_fault.h"
#include "sd_log.h"
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

/* Reads a number between min and max from the environment, decimal or 0x hex; fallback if the variable is not set. */
static uint64_t read_number(const char *name, uint64_t min, uint64_t max, uint64_t fallback)
{
	const char *text = getenv(name);
	char why[SD_REASON_SIZE];
	char *end;
	unsigned long long value;

	if (text == NULL || *text == '\0')
		return fallback;
	errno = 0;
	value = strtoull(text, &end, strncasecmp(text, "0x", 2) == 0 ? 16 : 10);
	if (errno == 0 && *end == '\0' && isdigit((unsigned char)*text) && value >= min && value <= max)
		return value;
	snprintf(why, sizeof(why), "it must be a number from %llu to %llu", (unsigned long long)min, (unsigned long long)max);
	refuse(problem, name, why);
	return fallback;
}

struct choice {
	const char *name;
	unsigned int value;
};

/* Reads a name from the environment; the first choice if the variable is not set. */
static unsigned int read_choice(const char *variable, const struct choice *choices, const char *why)
{
	const char *text = getenv(variable);
	const struct choice *choice = choices;

	if (text == NULL || *text == '\0')
		return choices->value;
	while (choice->name != NULL && strcmp(choice->name, text) != 0)
		choice++;
	if (choice->name != NULL)
		return choice->value;
	refuse(problem, variable, why);
	return choices->value;
}

static const struct sd_profile *read_profile(void)
{
	const struct sd_profile *profile = sd_profile_find(getenv("SOFTDPU_PROFILE"));

	if (profile != NULL)
		return profile;
	refuse(problem, "SOFTDPU_PROFILE", "it must be full, bluefield2 or bluefield3");
	return sd_profile_find(NULL);
}

/* TCP is off without a key. The paths direct and unix do not use it. */
static void read_tcp(void)
{
	const char *address = getenv("SOFTDPU_RDMA_ADDRESS"), *key = getenv("SOFTDPU_RDMA_KEY");
	char why[SD_REASON_SIZE];

	(void)sd_tcp_read_address(&config.tcp, "127.0.0.1");
	if (address != NULL && *address != '\0' && !sd_tcp_read_address(&config.tcp, address))
		refuse(problem, "SOFTDPU_RDMA_ADDRESS", "it must be an IPv4 or IPv6 address of this host, in digits");
	if (key != NULL && *key != '\0' && !sd_tcp_read_key(&config.tcp, key, why))
		refuse(problem, "SOFTDPU_RDMA_KEY", why);
	if (config.rdma_path == SD_RDMA_TCP && (key == NULL || *key == '\0'))
		refuse(problem, "SOFTDPU_RDMA_PATH", "SOFTDPU_RDMA_KEY must name the file with the key of all peers");
	if (config.rdma_path == SD_RDMA_DIRECT || config.rdma_path == SD_RDMA_UNIX)
		config.tcp.key_len = 0;
}

static void read_environment(void)
{
	static const struct choice executions[] = {
		{ "threads", SOFTDPU_EXECUTION_THREADS }, { "inline", SOFTDPU_EXECUTION_INLINE }, { NULL, 0 },
	};
	static const struct choice roles[] = {
		{ "both", CARD_SIDE_DPU | CARD_SIDE_HOST }, { "dpu", CARD_SIDE_DPU }, { "host", CARD_SIDE_HOST }, { NULL, 0 },
	};
	static const struct choice paths[] = {
		{ "auto", SD_RDMA_AUTO }, { "direct", SD_RDMA_DIRECT }, { "unix", SD_RDMA_UNIX },
		{ "tcp", SD_RDMA_TCP },	  { NULL, 0 },
	};
	char why[SD_REASON_SIZE];

	config.execution = read_choice("SOFTDPU_EXECUTION", executions, "it must be threads or inline");
	config.threads = (uint32_t)read_number("SOFTDPU_THREADS", 1, SD_CONFIG_MAX_THREADS, default_threads());
	config.seed = read_number("SOFTDPU_SEED", 0, UINT64_MAX, 1);
	config.null_device = (uint8_t)read_number("SOFTDPU_NULL", 0, 1, 0);
	config.deflate_level = (int)read_number("SOFTDPU_DEFLATE_LEVEL", 1, SD_CONFIG_MAX_DEFLATE_LEVEL, 1);
	config.timing = (uint8_t)read_number("SOFTDPU_TIMING", 0, 1, 0);
	config.max_clients = (uint32_t)read_number("SOFTDPU_MAX_CLIENTS", 1, SD_CONFIG_MAX_CLIENTS, 512);
	config.no_process_vm = (uint8_t)read_number("SOFTDPU_NO_PROCESS_VM", 0, 1, 0);
	config.rdma_path = (enum sd_rdma_path)read_choice("SOFTDPU_RDMA_PATH", paths, "it must be auto, direct, unix or tcp");
	read_tcp();
	config.profile = read_profile();
	config.sides = (uint8_t)read_choice("SOFTDPU_ROLE", roles, "it must be host, dpu or both");
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

struct sd_config *sd_config_to_change(void)
{
	pthread_once(&config_once, read_environment);
	return &config;
}

const struct sd_config *sd_config(void)
{
	return sd_config_to_change();
}

uint32_t sd_config_max_clients(const struct sd_comch_limits *limits)
{
	return limits->max_clients == SD_CLIENTS_AS_SET ? sd_config()->max_clients : limits->max_clients;
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
