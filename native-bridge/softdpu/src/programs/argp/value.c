/* Converts texts to values and passes the values to the program. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sd_argp.h"

enum { NAME = 128 };

static doca_error_t give_int(const struct argp_parser *parser, const struct doca_argp_param *param, const char *text)
{
	char name[NAME], *end;
	long number;
	int value;

	errno = 0;
	number = strtol(text, &end, 0);
	if (errno != 0 || end == text || *end != '\0' || number < INT_MIN || number > INT_MAX) {
		ARGP_ERROR("%s: \"%s\" is no integer of 32 bits", argp_param_name(param, name, sizeof(name)), text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	value = (int)number;
	return param->callback(&value, parser->config);
}

static doca_error_t give_double(const struct argp_parser *parser, const struct doca_argp_param *param, const char *text)
{
	char name[NAME], *end;
	double value;

	errno = 0;
	value = strtod(text, &end);
	if (errno != 0 || end == text || *end != '\0') {
		ARGP_ERROR("%s: \"%s\" is no number", argp_param_name(param, name, sizeof(name)), text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return param->callback(&value, parser->config);
}

static doca_error_t give_boolean(const struct argp_parser *parser, const struct doca_argp_param *param, const char *text)
{
	bool value = text == NULL || strcmp(text, "true") == 0;

	return param->callback(&value, parser->config);
}

static doca_error_t give_device(const struct argp_parser *parser, const struct doca_argp_param *param, char *text)
{
	struct doca_argp_device_ctx device = { 0 };
	doca_error_t result = argp_open_device(text, &device);

	return result == DOCA_SUCCESS ? param->callback(&device, parser->config) : result;
}

static doca_error_t give_representor(const struct argp_parser *parser, const struct doca_argp_param *param, char *text)
{
	struct doca_argp_device_rep_ctx representor = { 0 };
	doca_error_t result = argp_open_representor(text, &representor);

	return result == DOCA_SUCCESS ? param->callback(&representor, parser->config) : result;
}

/* Passes a copy, because the callback or the search for a device may change it. */
static doca_error_t give_copy(const struct argp_parser *parser, const struct doca_argp_param *param, const char *text)
{
	char *copy = strdup(text);
	doca_error_t result;

	if (copy == NULL)
		return DOCA_ERROR_NO_MEMORY;
	if (param->type == DOCA_ARGP_TYPE_DEVICE)
		result = give_device(parser, param, copy);
	else if (param->type == DOCA_ARGP_TYPE_DEVICE_REP)
		result = give_representor(parser, param, copy);
	else
		result = param->callback(copy, parser->config);
	free(copy);
	return result;
}

doca_error_t argp_give(struct argp_parser *parser, struct doca_argp_param *param, const char *text)
{
	char name[NAME];

	if (param->is_given_here && !param->is_multiple) {
		ARGP_ERROR("%s is given more than once", argp_param_name(param, name, sizeof(name)));
		return DOCA_ERROR_INVALID_VALUE;
	}
	param->is_given = 1;
	param->is_given_here = 1;
	switch (param->type) {
	case DOCA_ARGP_TYPE_BOOLEAN:
		return give_boolean(parser, param, text);
	case DOCA_ARGP_TYPE_INT:
		return give_int(parser, param, text);
	case DOCA_ARGP_TYPE_DOUBLE:
		return give_double(parser, param, text);
	default:
		return give_copy(parser, param, text);
	}
}
