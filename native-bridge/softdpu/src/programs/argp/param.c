/* Parameters before their registration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sd_argp.h"

doca_error_t doca_argp_param_create(struct doca_argp_param **param)
{
	if (param == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (argp_parser() == NULL)
		return DOCA_ERROR_BAD_STATE;
	*param = calloc(1, sizeof(**param));
	return *param == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

void argp_param_free(struct doca_argp_param *param)
{
	free(param->short_name);
	free(param->long_name);
	free(param->arguments);
	free(param->description);
	free(param);
}

doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
	if (param == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (param->is_registered)
		return DOCA_ERROR_BAD_STATE;
	argp_param_free(param);
	return DOCA_SUCCESS;
}

void argp_set_string(char **place, const char *string)
{
	free(*place);
	*place = string == NULL ? NULL : strdup(string);
}

static uint8_t can_change(const struct doca_argp_param *param)
{
	return param != NULL && !param->is_registered;
}

void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name)
{
	if (can_change(param))
		argp_set_string(&param->short_name, name);
}

void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name)
{
	if (can_change(param))
		argp_set_string(&param->long_name, name);
}

void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments)
{
	if (can_change(param))
		argp_set_string(&param->arguments, arguments);
}

void doca_argp_param_set_description(struct doca_argp_param *param, const char *description)
{
	if (can_change(param))
		argp_set_string(&param->description, description);
}

void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback)
{
	if (can_change(param))
		param->callback = callback;
}

void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type)
{
	if (can_change(param))
		param->type = type;
}

void doca_argp_param_set_mandatory(struct doca_argp_param *param)
{
	if (can_change(param))
		param->is_mandatory = 1;
}

void doca_argp_param_set_multiplicity(struct doca_argp_param *param)
{
	if (can_change(param))
		param->is_multiple = 1;
}

void doca_argp_param_set_cli_only(struct doca_argp_param *param)
{
	if (can_change(param))
		param->is_cli_only = 1;
}

void doca_argp_param_set_hidden(struct doca_argp_param *param)
{
	if (can_change(param))
		param->is_hidden = 1;
}

void doca_argp_param_set_inherited(struct doca_argp_param *param)
{
	if (can_change(param))
		param->is_inherited = 1;
}

void doca_argp_param_set_singular(struct doca_argp_param *param)
{
	if (can_change(param))
		param->is_singular = 1;
}

const char *argp_param_name(const struct doca_argp_param *param, char *room, size_t size)
{
	if (param->long_name != NULL)
		snprintf(room, size, "--%s", param->long_name);
	else
		snprintf(room, size, "-%s", param->short_name);
	return room;
}

static struct doca_argp_param *find_own(const struct doca_argp_cmd *cmd, const char *name, uint8_t is_long, uint8_t inherited_only)
{
	for (struct doca_argp_param *param = cmd->params; param != NULL; param = param->next) {
		const char *own = is_long ? param->long_name : param->short_name;

		if (own != NULL && strcmp(own, name) == 0 && (!inherited_only || param->is_inherited))
			return param;
	}
	return NULL;
}

struct doca_argp_param *argp_find_param(struct doca_argp_cmd *cmd, const char *name, uint8_t is_long)
{
	struct doca_argp_param *param = find_own(cmd, name, is_long, 0);

	while (param == NULL && cmd->parent != NULL) {
		cmd = cmd->parent;
		param = find_own(cmd, name, is_long, 1);
	}
	return param;
}
