/* Commands: parameters, inherited parameters, and subcommands. */
#include "argp.h"

static doca_error_t take_add(void *context)
{
	CHECK(context == &config);
	return note("add;");
}

static doca_error_t take_port(void *context)
{
	CHECK(context == &config);
	return note("port;");
}

static struct doca_argp_cmd *command(const char *name, doca_argp_cmd_cb_t callback)
{
	struct doca_argp_cmd *cmd;

	CHECK_OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, "something");
	doca_argp_cmd_set_callback(cmd, callback);
	return cmd;
}

/* prog [-d DEVICE] [-q] add [-n NUMBER (mandatory)] port [-p PATH] */
static void tree(void)
{
	struct doca_argp_cmd *add, *port;
	struct doca_argp_param *param;

	begin();
	param = new_param("d", "device", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_inherited(param);
	CHECK_OK(doca_argp_register_param(param));
	CHECK_OK(doca_argp_register_param(new_param("q", "quiet", DOCA_ARGP_TYPE_BOOLEAN)));
	add = command("add", take_add);
	param = new_param("n", "number", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_mandatory(param);
	CHECK_OK(doca_argp_cmd_register_param(add, param));
	port = command("port", take_port);
	CHECK_OK(doca_argp_cmd_register_param(port, new_param("p", "path", DOCA_ARGP_TYPE_STRING)));
	CHECK_OK(doca_argp_cmd_register_cmd(add, port));
	CHECK_OK(doca_argp_register_cmd(add));
}

static void accepted(doca_error_t result, const char *expected)
{
	CHECK_OK(result);
	CHECK(strcmp(seen, expected) == 0);
	end();
}

static void refused(doca_error_t result, doca_error_t expected)
{
	CHECK_EQ(result, expected);
	CHECK(logged[0] != '\0');
	end();
}

int main(void)
{
	tree();
	accepted(START(), "");
	tree();
	accepted(START("-q"), "yes;");
	tree();
	accepted(START("-q", "add", "-n", "3"), "yes;add;3;");
	tree();
	accepted(START("add", "-n", "3", "port", "--path", "x", "-d", "y"), "add;3;port;x;y;");
	tree();
	refused(START("port"), DOCA_ERROR_NOT_SUPPORTED);
	tree();
	refused(START("add", "-n", "1", "-q"), DOCA_ERROR_NOT_SUPPORTED); /* not inherited */
	tree();
	refused(START("add", "-n", "1", "port", "-n", "2"), DOCA_ERROR_NOT_SUPPORTED);
	tree();
	refused(START("-n", "1", "add"), DOCA_ERROR_NOT_SUPPORTED); /* before its command */
	tree();
	refused(START("add", "port"), DOCA_ERROR_INVALID_VALUE); /* the number is missing */
	tree();
	answer = DOCA_ERROR_FULL;
	CHECK_ERROR(START("add", "-n", "1"), DOCA_ERROR_FULL);
	CHECK(strcmp(seen, "add;") == 0);
	end();
	return 0;
}
