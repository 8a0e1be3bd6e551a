/* Parses the arguments of a program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sd_argp.h"

enum { NAME = 128 };

/* Position in the arguments. */
struct cursor {
	struct argp_parser *parser;
	int argc, next;
	char **argv;
};

/* One flag of the command line, split into its parts. */
struct flag {
	const char *text;
	char name[NAME];
	const char *attached;			/* the value after '=', or NULL */
	uint8_t is_long;
};

static uint8_t cut(const char *text, struct flag *flag)
{
	const char *begin, *end;

	flag->text = text;
	flag->is_long = strncmp(text, "--", 2) == 0;
	begin = text + (flag->is_long ? 2 : 1);
	end = flag->is_long ? strchr(begin, '=') : NULL;
	flag->attached = end == NULL ? NULL : end + 1;
	if (end == NULL)
		end = begin + strlen(begin);
	if (end == begin || (size_t)(end - begin) >= sizeof(flag->name))
		return 0;
	memcpy(flag->name, begin, (size_t)(end - begin));
	flag->name[end - begin] = '\0';
	return 1;
}

/* Returns the value after a flag. Reports a missing value and returns NULL. */
static const char *take_value(struct cursor *cursor, const struct flag *flag)
{
	if (flag->attached != NULL)
		return flag->attached;
	if (cursor->next < cursor->argc)
		return cursor->argv[cursor->next++];
	ARGP_ERROR("%s needs a value", flag->text);
	return NULL;
}

static doca_error_t refuse_value(const struct flag *flag)
{
	if (flag->attached == NULL)
		return DOCA_SUCCESS;
	ARGP_ERROR("%s: --%s takes no value", flag->text, flag->name);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t take_param(struct cursor *cursor, const struct flag *flag, struct doca_argp_param *param)
{
	const char *value = NULL;

	if (param->type == DOCA_ARGP_TYPE_BOOLEAN) {
		doca_error_t result = refuse_value(flag);

		if (result != DOCA_SUCCESS)
			return result;
	} else {
		value = take_value(cursor, flag);
		if (value == NULL)
			return DOCA_ERROR_INVALID_VALUE;
	}
	return argp_give(cursor->parser, param, value);
}

static doca_error_t take_standard(struct cursor *cursor, const struct flag *flag, const struct argp_standard *standard)
{
	const char *value = NULL;

	if (standard->arguments == NULL) {
		doca_error_t result = refuse_value(flag);

		return result == DOCA_SUCCESS ? standard->take(cursor->parser, NULL) : result;
	}
	value = take_value(cursor, flag);
	return value == NULL ? DOCA_ERROR_INVALID_VALUE : standard->take(cursor->parser, value);
}

static doca_error_t take_flag(struct cursor *cursor, const char *text)
{
	const struct argp_standard *standard;
	struct doca_argp_param *param;
	struct flag flag;

	if (cut(text, &flag)) {
		param = argp_find_param(cursor->parser->current, flag.name, flag.is_long);
		if (param != NULL)
			return take_param(cursor, &flag, param);
		standard = argp_find_standard(flag.name, flag.is_long);
		if (standard != NULL)
			return take_standard(cursor, &flag, standard);
	}
	ARGP_ERROR("%s: unknown flag (--help lists the flags)", text);
	return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t take_command(struct cursor *cursor, const char *text)
{
	struct argp_parser *parser = cursor->parser;
	struct doca_argp_cmd *cmd = parser->current->cmds;

	while (cmd != NULL && strcmp(cmd->name, text) != 0)
		cmd = cmd->next;
	if (cmd == NULL) {
		ARGP_ERROR("%s: unknown command (--help lists the commands)", text);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	parser->current = cmd;
	return cmd->callback(parser->config);
}

/* Returns the file that -j or --json names, or NULL. The parser reads this file first, at any position of the flag. */
static const char *find_file(const struct cursor *cursor)
{
	for (int i = 0; i < cursor->argc; i++) {
		const char *text = cursor->argv[i];

		if (strncmp(text, "--json=", 7) == 0)
			return text + 7;
		if ((strcmp(text, "-j") == 0 || strcmp(text, "--json") == 0) && i + 1 < cursor->argc)
			return cursor->argv[i + 1];
	}
	return NULL;
}

static void forget_source(struct doca_argp_cmd *cmd)
{
	for (struct doca_argp_param *param = cmd->params; param != NULL; param = param->next)
		param->is_given_here = 0;
}

/* Checks the given commands for missing and superfluous parameters. */
static doca_error_t check_given(const struct argp_parser *parser)
{
	const struct doca_argp_param *singular = NULL, *missing = NULL;
	unsigned int num_given = 0;
	char name[NAME];

	for (const struct doca_argp_cmd *cmd = parser->current; cmd != NULL; cmd = cmd->parent) {
		for (const struct doca_argp_param *param = cmd->params; param != NULL; param = param->next) {
			num_given += param->is_given;
			if (param->is_given && param->is_singular)
				singular = param;
			if (!param->is_given && param->is_mandatory)
				missing = param;
		}
	}
	if (singular != NULL && num_given > 1) {
		ARGP_ERROR("%s is given without other flags", argp_param_name(singular, name, sizeof(name)));
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (singular == NULL && missing != NULL) {
		ARGP_ERROR("%s is missing (--help lists the required arguments)", argp_param_name(missing, name, sizeof(name)));
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

doca_error_t argp_read_command_line(struct argp_parser *parser, int argc, char **argv)
{
	struct cursor cursor = { .parser = parser, .argc = argc, .argv = argv };
	const char *file = find_file(&cursor);
	doca_error_t result = DOCA_SUCCESS;

	if (file != NULL)
		result = argp_read_file(parser, file);
	forget_source(&parser->root);
	while (result == DOCA_SUCCESS && cursor.next < argc) {
		const char *text = argv[cursor.next++];

		result = text[0] == '-' ? take_flag(&cursor, text) : take_command(&cursor, text);
	}
	return result == DOCA_SUCCESS ? check_given(parser) : result;
}
