/* Prints the usage. */
#include <stdio.h>
#include <string.h>

#include "sd_argp.h"

enum { LABEL = 120, COLUMN = 32 };

static void print_row(const char *label, const char *description)
{
	printf("  %-*s  %s\n", COLUMN, label, description);
}

static void print_flag(const char *short_name, const char *long_name, const char *arguments, const char *description)
{
	char label[LABEL];

	snprintf(label, sizeof(label), "%s%s%s%s%s%s%s", short_name == NULL ? "" : "-", short_name == NULL ? "" : short_name,
		 short_name == NULL || long_name == NULL ? "" : ", ", long_name == NULL ? "" : "--", long_name == NULL ? "" : long_name,
		 arguments == NULL ? "" : " ", arguments == NULL ? "" : arguments);
	print_row(label, description);
}

static void print_path(const struct doca_argp_cmd *cmd)
{
	if (cmd->parent == NULL)
		return;
	print_path(cmd->parent);
	printf(" %s", cmd->name);
}

static void print_params(const struct doca_argp_cmd *cmd)
{
	uint8_t is_own = 1;

	for (const struct doca_argp_cmd *owner = cmd; owner != NULL; owner = owner->parent, is_own = 0)
		for (const struct doca_argp_param *param = owner->params; param != NULL; param = param->next)
			if (!param->is_hidden && (is_own || param->is_inherited))
				print_flag(param->short_name, param->long_name, param->arguments, param->description);
}

void argp_print_usage(const struct argp_parser *parser, const struct argp_standard *standards)
{
	const struct doca_argp_cmd *cmd = parser->current;

	printf("Usage: %s%s", parser->program_name == NULL ? "PROGRAM" : parser->program_name,
	       parser->dpdk == NULL ? "" : " [DPDK FLAGS] --");
	print_path(cmd);
	printf(" [FLAGS]%s\n\nDOCA flags:\n", cmd->cmds == NULL ? "" : " COMMAND");
	for (const struct argp_standard *standard = standards; standard->long_name != NULL; standard++)
		print_flag(standard->short_name, standard->long_name, standard->arguments, standard->description);
	printf("\nProgram flags:\n");
	print_params(cmd);
	if (cmd->cmds != NULL)
		printf("\nCommands:\n");
	for (const struct doca_argp_cmd *below = cmd->cmds; below != NULL; below = below->next)
		if (!below->is_hidden)
			print_row(below->name, below->description);
	fflush(stdout);
}
