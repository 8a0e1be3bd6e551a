#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sd_fault.h"
#include "sd_reason.h"

static uint8_t is_alloc(const char *task_type)
{
	return strncmp(task_type, "alloc-", strlen("alloc-")) == 0;
}

/* Removes the blanks around text, in place. */
static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

static uint8_t parse_count(const char *text, uint64_t *count)
{
	char *end;

	if (text == NULL || !isdigit((unsigned char)*text))
		return 0;
	errno = 0;
	*count = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0' && *count > 0;
}

static uint8_t parse_delay(const char *text, uint64_t *delay_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	uint64_t number;
	char *end;

	if (text == NULL || !isdigit((unsigned char)*text))
		return 0;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno != 0)
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) == 0)
			return !__builtin_mul_overflow(number, units[i].ns, delay_ns) && *delay_ns < (uint64_t)INT64_MAX;
	}
	return 0;
}

static uint8_t parse_odds(const char *text, uint64_t *odds)
{
	double probability;
	locale_t plain;
	char *end;

	if (text == NULL || *text == '\0')
		return 0;
	plain = newlocale(LC_ALL_MASK, "C", NULL); /* the locale of the program may have a decimal comma */
	if (plain == NULL)
		return 0;
	probability = strtod_l(text, &end, plain);
	freelocale(plain);
	if (*end != '\0' || !(probability >= 0.0 && probability <= 1.0))
		return 0;
	*odds = probability >= 1.0 ? UINT64_MAX : (uint64_t)(probability * 18446744073709551616.0);
	return 1;
}

/* Parses "IO_FAILED" or "DOCA_ERROR_IO_FAILED", for every named error code. */
static uint8_t parse_error(const char *text, doca_error_t *error)
{
	static const char prefix[] = "DOCA_ERROR_";

	if (text == NULL)
		return 1;
	if (strncmp(text, prefix, sizeof(prefix) - 1) == 0)
		text += sizeof(prefix) - 1;
	for (int code = DOCA_SUCCESS + 1; code <= DOCA_ERROR_DEVICE_FATAL_ERROR; code++) {
		const char *name = doca_error_get_name((doca_error_t)code);

		if (strncmp(name, prefix, sizeof(prefix) - 1) == 0 && strcmp(name + sizeof(prefix) - 1, text) == 0) {
			*error = (doca_error_t)code;
			return 1;
		}
	}
	return 0;
}

/* Splits "name=argument"; the argument is NULL without '='. */
static char *split_argument(char *text)
{
	char *equals = strchr(text, '=');

	if (equals == NULL)
		return NULL;
	*equals = '\0';
	trim(text);
	return trim(equals + 1);
}

/* Parses an action without an argument. */
static uint8_t parse_simple(const char *text, enum sd_fault_action *action)
{
	static const struct {
		const char *name;
		enum sd_fault_action action;
	} actions[] = {
		{ "corrupt", SD_FAULT_CORRUPT },
		{ "lost", SD_FAULT_LOST },
		{ "twice", SD_FAULT_TWICE },
		{ "down", SD_FAULT_DOWN },
	};

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(text, actions[i].name) == 0) {
			*action = actions[i].action;
			return 1;
		}
	}
	return 0;
}

static uint8_t parse_action(char *text, struct sd_fault_rule *rule)
{
	char *argument = split_argument(text);

	rule->error = is_alloc(rule->task_type) ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_IO_FAILED;
	rule->count = 1;
	if (strcmp(text, "fail") == 0) {
		rule->action = SD_FAULT_FAIL;
		return parse_error(argument, &rule->error);
	}
	if (strcmp(text, "delay") == 0) {
		rule->action = SD_FAULT_DELAY;
		return parse_delay(argument, &rule->delay_ns);
	}
	if (strcmp(text, "again") == 0) {
		rule->action = SD_FAULT_AGAIN;
		return argument == NULL || parse_count(argument, &rule->count);
	}
	if (strcmp(text, "drop") == 0) {
		rule->action = SD_FAULT_DROP;
		rule->count = UINT64_MAX;
		return argument == NULL || parse_count(argument, &rule->count);
	}
	return argument == NULL && parse_simple(text, &rule->action);
}

/*
 * Rules for allocations support only `fail`, those for links of RDMA only `delay`, `drop` and `down`, those for links of comch
 * only `delay` and `down`, those for reports of states only `delay`, `lost` and `twice`.
 */
static uint8_t is_possible(const struct sd_fault_rule *rule)
{
	uint8_t is_of_link = rule->action == SD_FAULT_DROP || rule->action == SD_FAULT_DOWN;

	if (strcmp(rule->task_type, SD_FAULT_COMCH_LINK) == 0)
		return rule->action == SD_FAULT_DOWN || rule->action == SD_FAULT_DELAY;
	if (strcmp(rule->task_type, SD_FAULT_RDMA_LINK) == 0)
		return is_of_link || rule->action == SD_FAULT_DELAY;
	if (strcmp(rule->task_type, SD_FAULT_CTX_EVENT) == 0)
		return rule->action == SD_FAULT_DELAY || rule->action == SD_FAULT_LOST || rule->action == SD_FAULT_TWICE;
	return !is_of_link && (rule->action == SD_FAULT_FAIL || !is_alloc(rule->task_type));
}

static uint8_t parse_selector(char *text, struct sd_fault_rule *rule)
{
	const char *argument = split_argument(text);

	if (strcmp(text, "nth") == 0)
		return parse_count(argument, &rule->nth);
	if (strcmp(text, "every") == 0)
		return parse_count(argument, &rule->every);
	if (strcmp(text, "first") == 0)
		return parse_count(argument, &rule->first);
	return strcmp(text, "p") == 0 && parse_odds(argument, &rule->odds);
}

/* A rule for a type that no library has would never fire. */
static uint8_t is_known(const char *task_type)
{
	static const char *const known[] = {
		"*", SD_FAULT_RDMA_LINK, SD_FAULT_COMCH_LINK, SD_FAULT_CTX_EVENT,
		"compress-deflate", "decompress-deflate", "decompress-lz4-block", "decompress-lz4-stream", "dma-memcpy",
		"sha-hash", "sha-partial-hash", "aes-gcm-encrypt", "aes-gcm-decrypt",
		"ec-create", "ec-recover", "ec-update", "ec-galois-mul",
		"rdma-read", "rdma-write", "rdma-write-imm", "rdma-send", "rdma-send-imm", "rdma-receive",
		"rdma-atomic-cmp-swp", "rdma-atomic-fetch-add",
		"rdma-event-get", "rdma-event-notify-set", "rdma-event-notify-add",
		"comch-send", "comch-post-recv", "comch-producer-send",
		"sync-event-get", "sync-event-notify-set", "sync-event-notify-add", "sync-event-wait-eq", "sync-event-wait-neq",
		"mmap-advise-invalidate-cache",
		"alloc-task", "alloc-buf", "alloc-map", "alloc-key", "alloc-matrix", "alloc-pool", "alloc-engine", "alloc-context",
		"alloc-start", "alloc-packet",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(task_type, known[i]) == 0)
			return 1;
	}
	return 0;
}

/* Returns NULL, or the problem of the rule. */
static const char *parse_rule(char *text, struct sd_fault_rule *rule)
{
	static const char syntax[] = "is not <task type>:<action>[=<argument>][:<selector>]...";
	char *rest = text;
	char *part = trim(strsep(&rest, ":"));

	memset(rule, 0, sizeof(*rule));
	rule->odds = UINT64_MAX;
	if (*part == '\0' || rest == NULL)
		return syntax;
	if (!is_known(part))
		return "has an unknown task type";
	strcpy(rule->task_type, part);
	if (!parse_action(trim(strsep(&rest, ":")), rule) || !is_possible(rule))
		return syntax;
	while (rest != NULL) {
		if (!parse_selector(trim(strsep(&rest, ":")), rule))
			return syntax;
	}
	return NULL;
}

static doca_error_t parse_rules(char *text, struct sd_fault_plan *plan, char *why)
{
	char *rest = text;

	while (rest != NULL) {
		char *part = trim(strsep(&rest, ";"));
		const char *problem;
		char written[128];

		if (*part == '\0')
			continue;
		strncpy(written, part, sizeof(written) - 1);
		written[sizeof(written) - 1] = '\0';
		if (plan->num_rules == SD_FAULT_MAX_RULES) {
			snprintf(why, SD_REASON_SIZE, "it has more than %d rules", SD_FAULT_MAX_RULES);
			return DOCA_ERROR_INVALID_VALUE;
		}
		problem = parse_rule(part, &plan->rules[plan->num_rules]);
		if (problem != NULL) {
			snprintf(why, SD_REASON_SIZE, "rule %u \"%s\" %s", plan->num_rules + 1, written, problem);
			return DOCA_ERROR_INVALID_VALUE;
		}
		plan->num_rules++;
	}
	return DOCA_SUCCESS;
}

doca_error_t sd_fault_parse(const char *text, struct sd_fault_plan *plan, char *why)
{
	char *copy = strdup(text);
	doca_error_t result;

	plan->num_rules = 0;
	if (copy == NULL) {
		snprintf(why, SD_REASON_SIZE, "there is no memory to read it");
		return DOCA_ERROR_NO_MEMORY;
	}
	result = parse_rules(copy, plan, why);
	free(copy);
	return result;
}
