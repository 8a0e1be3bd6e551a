/* Reads parameter files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "sd_argp.h"

enum { MAX_FILE = 1 << 20 };

/* Returns the content, terminated by NUL. Reports an error and returns NULL. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = malloc(MAX_FILE + 1);
	size_t len = 0;

	if (file != NULL && text != NULL) {
		len = fread(text, 1, MAX_FILE + 1, file);
		text[len <= MAX_FILE ? len : MAX_FILE] = '\0';
	}
	if (file == NULL || text == NULL || ferror(file) || len > MAX_FILE || memchr(text, '\0', len) != NULL) {
		ARGP_ERROR("%s: %s", path, file == NULL ? strerror(errno) : "cannot be read");
		free(text);
		text = NULL;
	}
	if (file != NULL)
		fclose(file);
	return text;
}

static uint8_t fits(const struct doca_argp_param *param, const struct json *value)
{
	switch (param->type) {
	case DOCA_ARGP_TYPE_BOOLEAN:
		return value->type == JSON_BOOLEAN;
	case DOCA_ARGP_TYPE_INT:
	case DOCA_ARGP_TYPE_DOUBLE:
		return value->type == JSON_NUMBER;
	default:
		return value->type == JSON_STRING;
	}
}

static doca_error_t give(struct argp_parser *parser, const char *path, struct doca_argp_param *param, const struct json *value)
{
	if (fits(param, value))
		return argp_give(parser, param, value->text);
	ARGP_ERROR("%s: the value of \"%s\" has the wrong type", path, param->long_name);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t take_program_flag(struct argp_parser *parser, const char *path, const struct json *member)
{
	struct doca_argp_param *param = argp_find_param(&parser->root, member->key, 1);
	doca_error_t result = DOCA_SUCCESS;

	if (param == NULL && parser->ignores_unknown)
		return DOCA_SUCCESS;
	if (param == NULL || param->is_cli_only) {
		ARGP_ERROR("%s: \"%s\": there is no such flag%s", path, member->key, param == NULL ? "" : " for files");
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	if (member->type != JSON_ARRAY)
		return give(parser, path, param, member);
	for (const struct json *value = member->first; value != NULL && result == DOCA_SUCCESS; value = value->next)
		result = give(parser, path, param, value);
	return result;
}

static doca_error_t take_general_flag(struct argp_parser *parser, const char *path, const struct json *member)
{
	const struct argp_standard *standard = argp_find_standard(member->key, 1);

	if (standard != NULL && standard->arguments != NULL && member->type == JSON_NUMBER)
		return standard->take(parser, member->text);
	ARGP_ERROR("%s: \"%s\" is no general flag with a number", path, member->key);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t take_section(struct argp_parser *parser, const char *path, const struct json *section,
				 doca_error_t (*take)(struct argp_parser *parser, const char *path, const struct json *member))
{
	doca_error_t result = DOCA_SUCCESS;

	if (section == NULL)
		return DOCA_SUCCESS;
	if (section->type != JSON_OBJECT) {
		ARGP_ERROR("%s: \"%s\" is no object", path, section->key);
		return DOCA_ERROR_INVALID_VALUE;
	}
	for (const struct json *member = section->first; member != NULL && result == DOCA_SUCCESS; member = member->next)
		result = take(parser, path, member);
	return result;
}

static doca_error_t take_sections(struct argp_parser *parser, const char *path, const struct json *json)
{
	doca_error_t result;

	if (json->type != JSON_OBJECT) {
		ARGP_ERROR("%s: is no object", path);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (parser->dpdk != NULL) {
		ARGP_ERROR("%s: flags of DPDK are taken from the command line only", path);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	result = take_section(parser, path, json_find(json, "doca_general_flags"), take_general_flag);
	if (result == DOCA_SUCCESS)
		result = take_section(parser, path, json_find(json, "doca_program_flags"), take_program_flag);
	return result;
}

doca_error_t argp_read_file(struct argp_parser *parser, const char *path)
{
	char *text = read_text(path);
	struct json *json;
	unsigned int line;
	doca_error_t result;

	if (text == NULL)
		return DOCA_ERROR_IO_FAILED;
	json = json_parse(text, &line);
	free(text);
	if (json == NULL) {
		ARGP_ERROR("%s:%u: is no JSON", path, line);
		return DOCA_ERROR_IO_FAILED;
	}
	result = take_sections(parser, path, json);
	json_free(json);
	return result;
}
