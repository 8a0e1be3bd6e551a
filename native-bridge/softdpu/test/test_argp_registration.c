/* Times at which parameters, commands and callbacks can be registered, and their owner afterwards. */
#include "argp.h"

static struct doca_argp_param *lacking(int what)
{
	struct doca_argp_param *param;

	CHECK_OK(doca_argp_param_create(&param));
	if (what != 0)
		doca_argp_param_set_long_name(param, "name");
	if (what != 1)
		doca_argp_param_set_description(param, "something");
	if (what != 2)
		doca_argp_param_set_callback(param, take_string);
	if (what != 3)
		doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
	return param;
}

static doca_error_t take_command(void *context)
{
	(void)context;
	return DOCA_SUCCESS;
}

static struct doca_argp_cmd *command(const char *name)
{
	struct doca_argp_cmd *cmd;

	CHECK_OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "something");
	doca_argp_cmd_set_callback(cmd, take_command);
	return cmd;
}

static void without_a_parser(void)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *cmd;
	int level;

	CHECK_ERROR(doca_argp_param_create(&param), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_cmd_create(&cmd), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_register_logger_callback(log_message), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_disable_logger_callback(), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_register_version_callback(take_string), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_register_validation_callback(take_command), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(START(), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_argp_get_log_level(&level));
	doca_argp_usage();
	doca_argp_set_dpdk_program(NULL);
}

static void parameters(void)
{
	struct doca_argp_param *param;

	begin();
	CHECK_ERROR(doca_argp_init("again", NULL), DOCA_ERROR_BAD_STATE);
	for (int what = 0; what < 4; what++)
		CHECK_ERROR(doca_argp_register_param(lacking(what)), DOCA_ERROR_INITIALIZATION);
	param = lacking(4);
	CHECK_OK(doca_argp_register_param(param));
	CHECK_ERROR(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_param_destroy(param), DOCA_ERROR_BAD_STATE);
	doca_argp_param_set_long_name(param, "changed"); /* does nothing */
	CHECK_ERROR(doca_argp_register_param(lacking(4)), DOCA_ERROR_INVALID_VALUE); /* --name is in use */
	CHECK_ERROR(doca_argp_register_param(new_param(NULL, "help", DOCA_ARGP_TYPE_STRING)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_register_param(new_param("j", NULL, DOCA_ARGP_TYPE_STRING)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_register_param(new_param("q", NULL, (enum doca_argp_type)7)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_register_param(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_cmd_register_param(NULL, lacking(4)), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_param_create(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_param_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	doca_argp_param_set_hidden(NULL);
	CHECK_OK(doca_argp_param_destroy(lacking(4)));
	CHECK_OK(doca_argp_register_param(new_param("l", NULL, DOCA_ARGP_TYPE_STRING))); /* replaces the standard -l */
	param = lacking(4);
	CHECK_OK(START("--name", "x", "-l", "y"));
	CHECK(strcmp(seen, "x;y;") == 0);
	CHECK_ERROR(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE); /* started */
	CHECK_ERROR(START(), DOCA_ERROR_BAD_STATE);
	end();
}

static void commands(void)
{
	struct doca_argp_cmd *cmd, *below;

	begin();
	CHECK_OK(doca_argp_cmd_create(&cmd));
	CHECK_ERROR(doca_argp_register_cmd(cmd), DOCA_ERROR_INITIALIZATION);
	cmd = command("one");
	CHECK_OK(doca_argp_cmd_register_param(cmd, lacking(4)));
	CHECK_OK(doca_argp_cmd_destroy(cmd)); /* with its parameter */
	cmd = command("one");
	below = command("below");
	CHECK_OK(doca_argp_cmd_register_cmd(cmd, below));
	CHECK_ERROR(doca_argp_cmd_register_cmd(cmd, below), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_cmd_register_cmd(cmd, cmd), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_cmd_register_cmd(NULL, command("lost")), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_argp_register_cmd(cmd));
	CHECK_ERROR(doca_argp_cmd_destroy(cmd), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_register_cmd(command("one")), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_register_cmd(command("-one")), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_register_cmd(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_cmd_create(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_cmd_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	end();
}

static void callbacks(void)
{
	begin();
	CHECK_ERROR(doca_argp_register_logger_callback(log_message), DOCA_ERROR_ALREADY_EXIST);
	CHECK_OK(doca_argp_disable_logger_callback());
	CHECK_ERROR(doca_argp_disable_logger_callback(), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_argp_register_logger_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_register_version_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_register_validation_callback(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_get_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_get_sdk_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_start(1, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_argp_start(0, (char *[]){ NULL }), DOCA_ERROR_INVALID_VALUE);
	end();
}

int main(void)
{
	without_a_parser();
	parameters();
	commands();
	callbacks();
	without_a_parser();
	return 0;
}
