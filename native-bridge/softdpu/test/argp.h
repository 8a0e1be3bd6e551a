/*
 * Command lines for tests: parameters with a callback that records its value, and starts with the arguments of a call. The
 * messages for the user are stored in logged.
 */
#ifndef ARGP_H
#define ARGP_H

#include <string.h>

#include "check.h"
#include "doca_argp.h"

#define ARGP __attribute__((unused)) static

enum { ARGP_TEXT = 1024 };

static int config;				/* callbacks receive its address */
static char seen[ARGP_TEXT];			/* "value;" per call */
static char logged[ARGP_TEXT];
static doca_error_t answer;			/* result of callbacks */

ARGP doca_error_t note(const char *format, ...) __attribute__((format(printf, 1, 2)));
ARGP doca_error_t note(const char *format, ...)
{
	size_t len = strlen(seen);
	va_list args;

	va_start(args, format);
	vsnprintf(seen + len, sizeof(seen) - len, format, args);
	va_end(args);
	return answer;
}

ARGP doca_error_t take_string(void *value, void *context)
{
	char *text = value;
	doca_error_t result;

	CHECK(context == &config);
	result = note("%s;", text);
	memset(text, '#', strlen(text)); /* the program may change the text */
	return result;
}

ARGP doca_error_t take_int(void *value, void *context)
{
	CHECK(context == &config);
	return note("%d;", *(int *)value);
}

ARGP doca_error_t take_double(void *value, void *context)
{
	CHECK(context == &config);
	return note("%g;", *(double *)value);
}

ARGP doca_error_t take_boolean(void *value, void *context)
{
	CHECK(context == &config);
	return note("%s;", *(bool *)value ? "yes" : "no");
}

ARGP doca_error_t log_message(enum doca_log_level level, const char *format, va_list args)
{
	CHECK(level == DOCA_LOG_LEVEL_ERROR);
	vsnprintf(logged, sizeof(logged), format, args);
	return DOCA_SUCCESS;
}

ARGP struct doca_argp_param *new_param(const char *short_name, const char *long_name, enum doca_argp_type type)
{
	struct doca_argp_param *param;

	CHECK_OK(doca_argp_param_create(&param));
	doca_argp_param_set_short_name(param, short_name);
	doca_argp_param_set_long_name(param, long_name);
	doca_argp_param_set_description(param, "something");
	doca_argp_param_set_type(param, type);
	doca_argp_param_set_callback(param, type == DOCA_ARGP_TYPE_INT	     ? take_int :
					    type == DOCA_ARGP_TYPE_DOUBLE  ? take_double :
					    type == DOCA_ARGP_TYPE_BOOLEAN ? take_boolean :
									     take_string);
	return param;
}

/* Creates a parser without parameters. */
ARGP void begin(void)
{
	seen[0] = '\0';
	logged[0] = '\0';
	answer = DOCA_SUCCESS;
	CHECK_OK(doca_argp_init("prog", &config));
	CHECK_OK(doca_argp_register_logger_callback(log_message));
}

ARGP void end(void)
{
	CHECK_OK(doca_argp_destroy());
}

/* Starts with a program's name and these arguments. */
#define START(...) start_with((char *[]){ (char *)"/usr/bin/prog", __VA_ARGS__ __VA_OPT__(,) NULL })

ARGP doca_error_t start_with(char **argv)
{
	int argc = 0;

	while (argv[argc] != NULL)
		argc++;
	return doca_argp_start(argc, argv);
}

#endif
