/*
 * Parameters from a file: types, arrays, comments, levels. Parameters of the command line are applied after those of the file.
 * Broken files are refused.
 */
#include <unistd.h>

#include "argp.h"

static char path[] = "/tmp/test_argp_XXXXXX";

static void write_file(const char *text)
{
	FILE *file = fopen(path, "w");

	CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void parameters(void)
{
	struct doca_argp_param *param;

	begin();
	CHECK_OK(doca_argp_register_param(new_param("t", "text", DOCA_ARGP_TYPE_STRING)));
	CHECK_OK(doca_argp_register_param(new_param("b", "flag", DOCA_ARGP_TYPE_BOOLEAN)));
	param = new_param("n", "number", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_mandatory(param);
	CHECK_OK(doca_argp_register_param(param));
	param = new_param("m", "many", DOCA_ARGP_TYPE_INT);
	doca_argp_param_set_multiplicity(param);
	CHECK_OK(doca_argp_register_param(param));
	param = new_param("c", "cli", DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_cli_only(param);
	CHECK_OK(doca_argp_register_param(param));
	CHECK_OK(doca_argp_register_param(new_param("o", "object", DOCA_ARGP_TYPE_JSON_OBJ)));
	CHECK_OK(doca_argp_register_param(new_param("f", "fraction", DOCA_ARGP_TYPE_DOUBLE)));
}

static void accepted(const char *text, const char *expected)
{
	write_file(text);
	parameters();
	CHECK_OK(START("-j", path));
	CHECK(strcmp(seen, expected) == 0);
	CHECK(logged[0] == '\0');
	end();
}

static void refused(const char *text, doca_error_t error)
{
	write_file(text);
	parameters();
	CHECK_ERROR(START("--json", path), error);
	CHECK(logged[0] != '\0');
	CHECK(error != DOCA_ERROR_IO_FAILED || strstr(logged, path) != NULL);
	end();
}

static void contents(void)
{
	int level;

	accepted("{\"doca_program_flags\": {\"text\": \"abc\", \"flag\": false, \"number\": -5}}", "abc;no;-5;");
	accepted("// flags\n{ /* of the\nprogram */ \"doca_program_flags\" : {\n\t\"many\": [1, 2,3], // three\n\"number\":7}}\n", "1;2;3;7;");
	accepted("{\"doca_program_flags\": {\"number\": 1, \"fraction\": 0.25}}", "1;0.25;");
	accepted("{\"other\": [{}, null, 1.5e3, []], \"doca_program_flags\": {\"number\": 1, \"text\": \"\\u00e4\\n\\\"\\\\\\u20ac\"}}",
		 "1;\xc3\xa4\n\"\\\xe2\x82\xac;");
	accepted("{\"doca_general_flags\": {\"log-level\": 40, \"sdk-log-level\": 20}, \"doca_program_flags\": {\"number\": 1}}", "1;");
	CHECK_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_WARNING);
	CHECK_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_CRIT);
	CHECK_OK(doca_argp_get_log_level(&level));
	CHECK_EQ(level, DOCA_LOG_LEVEL_WARNING);
}

static void with_the_command_line(void)
{
	write_file("{\"doca_program_flags\": {\"number\": 1, \"text\": \"file\"}}");
	parameters();
	CHECK_OK(START("-t", "line", "--json", path));
	CHECK(strcmp(seen, "1;file;line;") == 0);
	end();
}

static void broken(void)
{
	static const char *const texts[] = {
		"", "{", "{\"a\": }", "{\"a\" 1}", "[1,]", "{}x", "{\"a\": tru}", "{\"a\": 0x1}", "{\"a\": \"b}", "\"\\q\"", "\"\\u12\"",
		"\"\\ud83d\\ude00\"", "{\"a\": \"line\nbreak\"}", "/* no end", "{a: 1}", "[1 2]", "nan", "-",
	};
	char deep[101];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refused(texts[i], DOCA_ERROR_IO_FAILED);
	memset(deep, '[', 100);
	deep[100] = '\0';
	refused(deep, DOCA_ERROR_IO_FAILED);
}

static void wrong_types(void)
{
	refused("[]", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_program_flags\": 3}", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_program_flags\": {\"number\": \"5\"}}", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_program_flags\": {\"number\": 1.5}}", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_program_flags\": {\"text\": 5}}", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_program_flags\": {\"flag\": 1}}", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_program_flags\": {\"number\": [1, 2]}}", DOCA_ERROR_INVALID_VALUE); /* repeated */
	refused("{\"doca_program_flags\": {\"text\": \"a\"}}", DOCA_ERROR_INVALID_VALUE);    /* the number is missing */
	refused("{\"doca_program_flags\": {\"unknown\": 1}}", DOCA_ERROR_NOT_SUPPORTED);
	refused("{\"doca_program_flags\": {\"cli\": \"a\"}}", DOCA_ERROR_NOT_SUPPORTED);
	refused("{\"doca_program_flags\": {\"object\": {}}}", DOCA_ERROR_INVALID_VALUE); /* parts of files are not supported */
	refused("{\"doca_general_flags\": {\"log-level\": 45}}", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_general_flags\": {\"log-level\": \"40\"}}", DOCA_ERROR_INVALID_VALUE);
	refused("{\"doca_general_flags\": {\"help\": true}}", DOCA_ERROR_INVALID_VALUE);
	parameters();
	CHECK_ERROR(START("-j", "/nowhere/at/all"), DOCA_ERROR_IO_FAILED);
	end();
	parameters();
	CHECK_ERROR(START("-j"), DOCA_ERROR_INVALID_VALUE);
	end();
}

/* Unknown program flags are an error, unless the program allows them. */
static void unknown_flags(void)
{
	CHECK_ERROR(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
	write_file("{\"doca_program_flags\": {\"newer\": [1, {}], \"number\": 3}}");
	parameters();
	CHECK_ERROR(START("-j", path), DOCA_ERROR_NOT_SUPPORTED);
	end();
	parameters();
	CHECK_OK(doca_argp_disable_pedantic_config_parsing());
	CHECK_OK(START("-j", path));
	CHECK(strcmp(seen, "3;") == 0);
	end();
}

int main(void)
{
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	contents();
	with_the_command_line();
	broken();
	wrong_types();
	unknown_flags();
	unlink(path);
	return 0;
}
