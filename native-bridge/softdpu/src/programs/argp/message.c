/* Messages of the parser to the user. */
#include <stdio.h>

#include "sd_argp.h"

void argp_say(enum doca_log_level level, const char *format, ...)
{
	const struct argp_parser *parser = argp_parser();
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
