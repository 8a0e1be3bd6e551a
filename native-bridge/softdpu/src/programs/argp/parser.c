/* Life of the parser. */
#include <stdlib.h>
#include <string.h>

#include "sd_argp.h"

doca_error_t doca_argp_init(const char *program_name, void *program_config)
{
	struct argp_parser *parser;

	if (argp_parser() != NULL)
		return DOCA_ERROR_BAD_STATE;
	parser = calloc(1, sizeof(*parser));
	if (parser == NULL)
		return DOCA_ERROR_NO_MEMORY;
	if (program_name != NULL) {
		parser->program_name = strdup(program_name);
		if (parser->program_name == NULL) {
			free(parser);
			return DOCA_ERROR_NO_MEMORY;
		}
	}
	parser->config = program_config;
	parser->current = &parser->root;
	argp_set_parser(parser);
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_destroy(void)
{
	struct argp_parser *parser = argp_parser();

	if (parser == NULL)
		return DOCA_ERROR_BAD_STATE;
	argp_set_parser(NULL);
	argp_cmd_clear(&parser->root);
	free(parser->program_name);
	free(parser);
	return DOCA_SUCCESS;
}

void doca_argp_usage(void)
{
	if (argp_parser() != NULL)
		argp_print_usage(argp_parser(), argp_standards());
}

/* Defines a getter of a level: that of the command line, or else the limit of the process. */
#define LOG_LEVEL(name, limit)                                                                                  \
	doca_error_t doca_argp_get_##name(int *level)                                                           \
	{                                                                                                       \
		if (level == NULL)                                                                              \
			return DOCA_ERROR_INVALID_VALUE;                                                        \
		*level = argp_parser() != NULL && argp_parser()->name != 0 ? argp_parser()->name : (int)limit(); \
		return DOCA_SUCCESS;                                                                            \
	}

LOG_LEVEL(log_level, doca_log_level_get_global_lower_limit)
LOG_LEVEL(sdk_log_level, doca_log_level_get_global_sdk_limit)

/* Defines a function that registers a callback. */
#define REGISTER(name, type, member)                                            \
	doca_error_t doca_argp_register_##name##_callback(type callback)        \
	{                                                                       \
		if (callback == NULL)                                           \
			return DOCA_ERROR_INVALID_VALUE;                        \
		if (argp_parser() == NULL)                                      \
			return DOCA_ERROR_BAD_STATE;                            \
		argp_parser()->member = callback;                               \
		return DOCA_SUCCESS;                                            \
	}

REGISTER(version, doca_argp_param_cb_t, version)
REGISTER(validation, doca_argp_validation_cb_t, validate)

doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx)
{
	if (callback == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (argp_parser() == NULL)
		return DOCA_ERROR_BAD_STATE;
	argp_parser()->open_device = callback;
	argp_parser()->open_context = usr_ctx;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_disable_pedantic_config_parsing(void)
{
	if (argp_parser() == NULL || argp_parser()->is_started)
		return DOCA_ERROR_BAD_STATE;
	argp_parser()->ignores_unknown = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback)
{
	if (callback == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (argp_parser() == NULL)
		return DOCA_ERROR_BAD_STATE;
	if (argp_parser()->logger != NULL)
		return DOCA_ERROR_ALREADY_EXIST;
	argp_parser()->logger = callback;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_disable_logger_callback(void)
{
	if (argp_parser() == NULL || argp_parser()->logger == NULL)
		return DOCA_ERROR_BAD_STATE;
	argp_parser()->logger = NULL;
	return DOCA_SUCCESS;
}

void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback)
{
	if (argp_parser() != NULL)
		argp_parser()->dpdk = callback;
}

static doca_error_t name_program(struct argp_parser *parser, const char *path)
{
	const char *slash;

	if (parser->program_name != NULL)
		return DOCA_SUCCESS;
	slash = strrchr(path, '/');
	parser->program_name = strdup(slash == NULL ? path : slash + 1);
	return parser->program_name == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

/* Returns the number of arguments before the program's own arguments, including the program's name. */
static int dpdk_arguments(const struct argp_parser *parser, int argc, char **argv)
{
	int count = 1;

	if (parser->dpdk == NULL)
		return 1;
	while (count < argc && strcmp(argv[count], "--") != 0)
		count++;
	return count;
}

doca_error_t doca_argp_start(int argc, char **argv)
{
	struct argp_parser *parser = argp_parser();
	doca_error_t result;
	int first;

	if (parser == NULL || parser->is_started)
		return DOCA_ERROR_BAD_STATE;
	if (argc < 1 || argv == NULL || argv[0] == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = name_program(parser, argv[0]);
	if (result != DOCA_SUCCESS)
		return result;
	parser->is_started = 1;
	first = dpdk_arguments(parser, argc, argv);
	if (parser->dpdk == NULL || first == argc)
		result = argp_read_command_line(parser, argc - first, argv + first);
	else
		result = argp_read_command_line(parser, argc - first - 1, argv + first + 1);
	if (result == DOCA_SUCCESS && parser->validate != NULL)
		result = parser->validate(parser->config);
	if (result == DOCA_SUCCESS && parser->dpdk != NULL)
		result = parser->dpdk(first, argv);
	return result;
}
