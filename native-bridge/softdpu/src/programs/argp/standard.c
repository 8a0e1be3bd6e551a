/* The standard parameters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doca_version.h"
#include "sd_argp.h"

static doca_error_t take_help(struct argp_parser *parser, const char *value)
{
	(void)value;
	argp_print_usage(parser, argp_standards());
	exit(EXIT_SUCCESS);
}

static doca_error_t take_version(struct argp_parser *parser, const char *value)
{
	(void)value;
	if (parser->version != NULL)
		return parser->version(NULL, parser->config);
	printf("DOCA interface %s, library %s\n", doca_version(), doca_version_runtime());
	fflush(stdout);
	exit(EXIT_SUCCESS);
}

static doca_error_t take_level(const char *value, doca_error_t (*set)(uint32_t level), int *taken)
{
	char *end;
	long level;

	errno = 0;
	level = strtol(value, &end, 10);
	if (errno == 0 && end != value && *end == '\0' && level > 0 && level <= DOCA_LOG_LEVEL_TRACE &&
	    set((uint32_t)level) == DOCA_SUCCESS) {
		*taken = (int)level;
		return DOCA_SUCCESS;
	}
	ARGP_ERROR("\"%s\" is no log level: 10 (nothing), 20 (critical), 30 (error), 40 (warning), 50 (info), 60 (debug), 70 (trace)", value);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t take_log_level(struct argp_parser *parser, const char *value)
{
	return take_level(value, doca_log_level_set_global_lower_limit, &parser->log_level);
}

static doca_error_t take_sdk_log_level(struct argp_parser *parser, const char *value)
{
	return take_level(value, doca_log_level_set_global_sdk_limit, &parser->sdk_log_level);
}

/* The parser has read the file before. */
static doca_error_t take_json(struct argp_parser *parser, const char *value)
{
	(void)parser;
	(void)value;
	return DOCA_SUCCESS;
}

static const struct argp_standard standards[] = {
	{ "h", "help", NULL, "print this and end", take_help },
	{ "v", "version", NULL, "print the versions and end", take_version },
	{ "l", "log-level", "LEVEL", "what the program logs: 10 nothing, 20 critical, 30 error, 40 warning, 50 info, 60 debug, 70 trace",
	  take_log_level },
	{ NULL, "sdk-log-level", "LEVEL", "what the libraries log, likewise", take_sdk_log_level },
	{ "j", "json", "FILE", "read flags from a JSON file", take_json },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct argp_standard *argp_standards(void)
{
	return standards;
}

const struct argp_standard *argp_find_standard(const char *name, uint8_t is_long)
{
	for (const struct argp_standard *standard = standards; standard->long_name != NULL; standard++) {
		const char *own = is_long ? standard->long_name : standard->short_name;

		if (own != NULL && strcmp(own, name) == 0)
			return standard;
	}
	return NULL;
}
