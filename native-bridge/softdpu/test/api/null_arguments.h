/* Runtime of the generated test of NULL arguments. Each case runs in a separate process, so a crash ends only that case. */
#ifndef NULL_ARGUMENTS_H
#define NULL_ARGUMENTS_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doca_argp.h"
#include "doca_error.h"

struct null_case {
	const char *label;
	void (*run)(va_list no_arguments);
};

static uint64_t zeroes[8192];		/* represents every object and every result */

static void callback(void)
{
	fprintf(stderr, "a callback was called\n");
	exit(1);
}

__attribute__((unused)) static void null_error(doca_error_t actual, doca_error_t expected)
{
	if (actual == expected)
		return;
	fprintf(stderr, "answers %s, not %s: ", doca_error_get_name(actual), doca_error_get_name(expected));
	exit(1);
}

__attribute__((unused)) static void null_zero(uint64_t actual)
{
	if (actual == 0)
		return;
	fprintf(stderr, "returns %llu, not 0: ", (unsigned long long)actual);
	exit(1);
}

static void null_run(void (*run)(va_list), ...)
{
	va_list none;

	va_start(none, run);
	run(none);
	va_end(none);
}

/* Returns 1 if the case failed. */
static int null_run_case(const struct null_case *one)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_DUMPABLE, 0); /* a crash writes no core file */
		null_run(one->run);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	if (status == 0)
		return 0;
	if (WIFSIGNALED(status))
		fprintf(stderr, "signal %d: ", WTERMSIG(status));
	fprintf(stderr, "%s\n", one->label);
	return 1;
}

static int null_run_all(const struct null_case *cases, size_t count)
{
	int num_failed = 0;

	(void)callback;
	if (doca_argp_init("null", zeroes) != DOCA_SUCCESS)
		return 1;
	for (size_t i = 0; i < count; i++)
		num_failed += null_run_case(&cases[i]);
	printf("%zu calls with NULL, %d of them failed\n", count, num_failed);
	return num_failed > 0 || doca_argp_destroy() != DOCA_SUCCESS;
}

#endif
