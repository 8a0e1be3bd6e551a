/* Commands and the parameters registered to them. */
#include <stdlib.h>
#include <string.h>

#include "sd_argp.h"

static void free_command(struct doca_argp_cmd *cmd)
{
	argp_cmd_clear(cmd);
	free(cmd->name);
	free(cmd->description);
	free(cmd);
}

void argp_cmd_clear(struct doca_argp_cmd *cmd)
{
	while (cmd->params != NULL) {
		struct doca_argp_param *param = cmd->params;

		cmd->params = param->next;
		argp_param_free(param);
	}
	while (cmd->cmds != NULL) {
		struct doca_argp_cmd *below = cmd->cmds;

		cmd->cmds = below->next;
		free_command(below);
	}
}

ARGP_LIFE(cmd, free_command)
ARGP_SET_STRING(cmd, name)
ARGP_SET_STRING(cmd, description)
ARGP_SET_VALUE(cmd, callback, doca_argp_cmd_cb_t)
ARGP_SET_FLAG(cmd, hidden, is_hidden)

static uint8_t is_taken(const char *name, const char *other)
{
	return name != NULL && other != NULL && strcmp(name, other) == 0;
}

/* The name of the file parameter is reserved. A program may use the short names of the other standard parameters. */
static doca_error_t check_names(const struct doca_argp_cmd *cmd, const struct doca_argp_param *param)
{
	const struct doca_argp_param *other = cmd->params;

	while (other != NULL && !is_taken(param->short_name, other->short_name) && !is_taken(param->long_name, other->long_name))
		other = other->next;
	if (other == NULL && (param->long_name == NULL || argp_find_standard(param->long_name, 1) == NULL) &&
	    (param->short_name == NULL || strcmp(param->short_name, "j") != 0))
		return DOCA_SUCCESS;
	ARGP_ERROR("parameter -%s, --%s: the name is taken", param->short_name == NULL ? "" : param->short_name,
		   param->long_name == NULL ? "" : param->long_name);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t check_param(const struct doca_argp_cmd *cmd, const struct doca_argp_param *param)
{
	uint8_t is_named = (param->short_name != NULL && *param->short_name != '\0') ||
			   (param->long_name != NULL && *param->long_name != '\0');

	if (argp_parser() == NULL || argp_parser()->is_started)
		return DOCA_ERROR_BAD_STATE;
	if (!is_named || param->description == NULL || param->callback == NULL || param->type == DOCA_ARGP_TYPE_UNKNOWN)
		return DOCA_ERROR_INITIALIZATION;
	if (param->type > DOCA_ARGP_TYPE_DOUBLE)
		return DOCA_ERROR_INVALID_VALUE;
	return check_names(cmd, param);
}

doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd, struct doca_argp_param *input_param)
{
	struct doca_argp_param **place;
	doca_error_t result;

	if (input_param == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (input_param->is_registered)
		return DOCA_ERROR_BAD_STATE;
	result = cmd == NULL ? DOCA_ERROR_INVALID_VALUE : check_param(cmd, input_param);
	if (result != DOCA_SUCCESS) {
		argp_param_free(input_param); /* the parser owns it, also after a failure */
		return result;
	}
	if (input_param->long_name == NULL)
		input_param->is_cli_only = 1;
	input_param->is_registered = 1;
	for (place = &cmd->params; *place != NULL; place = &(*place)->next)
		;
	*place = input_param;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_param(struct doca_argp_param *input_param)
{
	struct argp_parser *parser = argp_parser();
	struct doca_argp_cmd none = { 0 };

	/* Without a parser the registration fails too, and releases the parameter. */
	return doca_argp_cmd_register_param(parser == NULL ? &none : &parser->root, input_param);
}

static doca_error_t check_command(const struct doca_argp_cmd *cmd, const struct doca_argp_cmd *below)
{
	const struct doca_argp_cmd *other = cmd->cmds;

	if (argp_parser() == NULL || argp_parser()->is_started)
		return DOCA_ERROR_BAD_STATE;
	if (below->name == NULL || *below->name == '\0' || below->description == NULL || below->callback == NULL)
		return DOCA_ERROR_INITIALIZATION;
	while (other != NULL && strcmp(other->name, below->name) != 0)
		other = other->next;
	return other == NULL && *below->name != '-' ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *input_cmd)
{
	struct doca_argp_cmd **place;
	doca_error_t result;

	if (input_cmd == NULL || input_cmd == cmd)
		return DOCA_ERROR_INVALID_VALUE;
	if (input_cmd->is_registered)
		return DOCA_ERROR_BAD_STATE;
	result = cmd == NULL ? DOCA_ERROR_INVALID_VALUE : check_command(cmd, input_cmd);
	if (result != DOCA_SUCCESS) {
		free_command(input_cmd);
		return result;
	}
	input_cmd->is_registered = 1;
	input_cmd->parent = cmd;
	for (place = &cmd->cmds; *place != NULL; place = &(*place)->next)
		;
	*place = input_cmd;
	return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd)
{
	struct argp_parser *parser = argp_parser();
	struct doca_argp_cmd none = { 0 };

	return doca_argp_cmd_register_cmd(parser == NULL ? &none : &parser->root, input_cmd);
}
