/* Parameters before their registration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sd_argp.h"

void argp_param_free(struct doca_argp_param *param)
{
	free(param->short_name);
	free(param->long_name);
	free(param->arguments);
	free(param->description);
	free(param);
}

void argp_set_string(char **place, const char *string)
{
	free(*place);
	*place = string == NULL ? NULL : strdup(string);
}

ARGP_LIFE(param, argp_param_free)
ARGP_SET_STRING(param, short_name)
ARGP_SET_STRING(param, long_name)
ARGP_SET_STRING(param, arguments)
ARGP_SET_STRING(param, description)
ARGP_SET_VALUE(param, callback, doca_argp_param_cb_t)
ARGP_SET_VALUE(param, type, enum doca_argp_type)
ARGP_SET_FLAG(param, mandatory, is_mandatory)
ARGP_SET_FLAG(param, multiplicity, is_multiple)
ARGP_SET_FLAG(param, cli_only, is_cli_only)
ARGP_SET_FLAG(param, hidden, is_hidden)
ARGP_SET_FLAG(param, inherited, is_inherited)
ARGP_SET_FLAG(param, singular, is_singular)

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
