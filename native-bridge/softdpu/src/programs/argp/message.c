/* The parser of the process, and its messages to the user. */
#include <stdio.h>

#include "sd_argp.h"

static struct argp_parser *the_parser;

struct argp_parser *argp_parser(void)
{
	return the_parser;
}

void argp_set_parser(struct argp_parser *parser)
{
	the_parser = parser;
}

void argp_log(enum doca_log_level level, const char *format, ...)
{
	const struct argp_parser *parser = the_parser;
	va_list args;

	va_start(args, format);
	if (parser != NULL && parser->logger != NULL) {
		(void)parser->logger(level, format, args); /* a failed logger leaves no way to report its failure */
	} else {
		fprintf(stderr, "%s: ", parser == NULL || parser->program_name == NULL ? "doca_argp" : parser->program_name);
		vfprintf(stderr, format, args);
		fputc('\n', stderr);
	}
	va_end(args);
}
