/*
 * Values of a command line reach the parameters' callbacks, in order and with their types. Wrong values are refused with a
 * message.
 */
#include "argp.h"

static void parameters(void)
{
	struct doca_argp_param *several;

	begin();
	CHECK_OK(doca_argp_register_param(new_param("t", "text", DOCA_ARGP_TYPE_STRING)));
	CHECK_OK(doca_argp_register_param(new_param("n", "number", DOCA_ARGP_TYPE_INT)));
	CHECK_OK(doca_argp_register_param(new_param("nb", "flag", DOCA_ARGP_TYPE_BOOLEAN)));
	CHECK_OK(doca_argp_register_param(new_param(NULL, "long-only", DOCA_ARGP_TYPE_STRING)));
	CHECK_OK(doca_argp_register_param(new_param("s", NULL, DOCA_ARGP_TYPE_STRING)));
	CHECK_OK(doca_argp_register_param(new_param("f", "fraction", DOCA_ARGP_TYPE_DOUBLE)));
	several = new_param("m", "many", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_multiplicity(several);
	CHECK_OK(doca_argp_register_param(several));
}

static void accepted(char **argv, const char *expected)
{
	parameters();
	CHECK_OK(start_with(argv));
	CHECK(strcmp(seen, expected) == 0);
	CHECK(logged[0] == '\0');
	end();
}

static void refused(char **argv, doca_error_t error)
{
	parameters();
	CHECK_ERROR(start_with(argv), error);
	CHECK(logged[0] != '\0');
	end();
}

#define ARGS(...) ((char *[]){ (char *)"prog", __VA_ARGS__ __VA_OPT__(,) NULL })

static void values(void)
{
	accepted(ARGS(), "");
	accepted(ARGS("-t", "abc", "-n", "7", "-nb"), "abc;7;yes;");
	accepted(ARGS("--flag", "--number", "-12", "--text", "a b"), "yes;-12;a b;");
	accepted(ARGS("--number=0x10", "--text=a=b", "--long-only="), "16;a=b;;");
	accepted(ARGS("-m", "3", "--many", "1", "-m", "2", "-s", "x"), "3;1;2;x;");
	accepted(ARGS("-t", "-n"), "-n;"); /* the next word is the value, in any form */
	accepted(ARGS("-n", "2147483647"), "2147483647;");
	accepted(ARGS("-n", "-2147483648"), "-2147483648;");
	accepted(ARGS("-f", "12.5", "-n", "1"), "12.5;1;");
	accepted(ARGS("--fraction=-1e-3"), "-0.001;");
}

static void refusals(void)
{
	refused(ARGS("-x"), DOCA_ERROR_NOT_SUPPORTED);
	refused(ARGS("--unknown", "3"), DOCA_ERROR_NOT_SUPPORTED);
	refused(ARGS("-text", "abc"), DOCA_ERROR_NOT_SUPPORTED);
	refused(ARGS("--t", "abc"), DOCA_ERROR_NOT_SUPPORTED);
	refused(ARGS("stray"), DOCA_ERROR_NOT_SUPPORTED);
	refused(ARGS("-"), DOCA_ERROR_NOT_SUPPORTED);
	refused(ARGS("--"), DOCA_ERROR_NOT_SUPPORTED);
	refused(ARGS("-t"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-t", "a", "-t", "b"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("--flag=true"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-n", ""), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-n", "7up"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-n", "2147483648"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-n", "99999999999999999999"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-n", "1.5"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-f", ""), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-f", "1.5s"), DOCA_ERROR_INVALID_VALUE);
	refused(ARGS("-f", "1e999"), DOCA_ERROR_INVALID_VALUE);
}

/* A callback's error stops the parser, which returns it. */
static void callbacks_refuse(void)
{
	parameters();
	answer = DOCA_ERROR_TOO_BIG;
	CHECK_ERROR(START("-n", "1", "-t", "never"), DOCA_ERROR_TOO_BIG);
	CHECK(strcmp(seen, "1;") == 0);
	end();
}

static void mandatory(void)
{
	struct doca_argp_param *param;

	for (int i = 0; i < 3; i++) {
		begin();
		param = new_param("p", "path", DOCA_ARGP_TYPE_STRING);
		doca_argp_param_set_mandatory(param);
		CHECK_OK(doca_argp_register_param(param));
		param = new_param("x", "list", DOCA_ARGP_TYPE_BOOLEAN);
		doca_argp_param_set_singular(param);
		CHECK_OK(doca_argp_register_param(param));
		if (i == 0)
			CHECK_OK(START("--list"));
		else if (i == 1)
			CHECK_ERROR(START("-x", "-p", "here"), DOCA_ERROR_INVALID_VALUE);
		else
			CHECK_ERROR(START(), DOCA_ERROR_INVALID_VALUE);
		CHECK(i == 0 || strstr(logged, i == 1 ? "--list" : "--path") != NULL);
		end();
	}
}

static doca_error_t validate(void *context)
{
	CHECK(context == &config);
	return note("all;");
}

static doca_error_t take_dpdk(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		note("[%s]", argv[i]);
	return DOCA_SUCCESS;
}

static void afterwards(void)
{
	parameters();
	CHECK_OK(doca_argp_register_validation_callback(validate));
	CHECK_OK(START("-n", "1"));
	CHECK(strcmp(seen, "1;all;") == 0);
	end();

	parameters();
	CHECK_OK(doca_argp_register_validation_callback(validate));
	CHECK_ERROR(START("-n"), DOCA_ERROR_INVALID_VALUE);
	CHECK(seen[0] == '\0');
	end();

	parameters();
	doca_argp_set_dpdk_program(take_dpdk);
	CHECK_OK(START("-a", "00:00.0", "--", "-n", "5"));
	CHECK(strcmp(seen, "5;[-a][00:00.0]") == 0);
	end();

	parameters();
	doca_argp_set_dpdk_program(take_dpdk);
	CHECK_OK(START("-n", "5"));
	CHECK(strcmp(seen, "[-n][5]") == 0);
	end();
}

int main(void)
{
	values();
	refusals();
	callbacks_refuse();
	mandatory();
	afterwards();
	return 0;
}
