/*
 * Runtime of the generated test of NULL arguments. A child process runs the cases. After a failed case, a new child runs those that
 * follow. One child per case takes a minute of processor time with AddressSanitizer.
 */
#ifndef NULL_ARGUMENTS_H
#define NULL_ARGUMENTS_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

static void null_run_from(const struct null_case *cases, size_t count, volatile size_t *current)
{
	prctl(PR_SET_DUMPABLE, 0); /* a crash writes no core file */
	for (; *current < count; (*current)++) {
		memset(zeroes, 0, sizeof(zeroes));
		null_run(cases[*current].run);
	}
	exit(0);
}

/* Runs the cases from *current. Returns 0 if all passed, 1 if the case *current or the end of the process failed. */
static int null_run_child(const struct null_case *cases, size_t count, volatile size_t *current)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		null_run_from(cases, count, current);
	if (child < 0 || waitpid(child, &status, 0) != child)
		status = -1;
	if (status == 0 && *current == count)
		return 0;
	if (WIFSIGNALED(status))
		fprintf(stderr, "signal %d: ", WTERMSIG(status));
	fprintf(stderr, "%s\n", *current < count ? cases[*current].label : "end of the process");
	return 1;
}

static int null_run_all(const struct null_case *cases, size_t count)
{
	int num_failed = 0;
	/* Shared with the children. A child that ends with status 0 inside a case has not passed it. */
	volatile size_t *current = mmap(NULL, sizeof(*current), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)callback;
	if (current == MAP_FAILED || doca_argp_init("null", zeroes) != DOCA_SUCCESS)
		return 1;
	for (*current = 0; *current <= count && null_run_child(cases, count, current) != 0; (*current)++)
		num_failed++;
	printf("%zu calls with NULL, %d of them failed\n", count, num_failed);
	return num_failed > 0 || doca_argp_destroy() != DOCA_SUCCESS;
}

#endif
