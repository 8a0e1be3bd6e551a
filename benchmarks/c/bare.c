/*
 * bare-c --kind sha|aes-gcm|erasure-coding|process-vm [--size B] [--window W] [--count N] [--trials T] [--paced]: the library or
 * system call that does the work of the software DPU. SHA-256, AES-256-GCM and erasure coding use all hardware threads, and give a
 * data rate. "openssl speed" measures the first two for one second; --count and --window then have no effect. Erasure coding is a
 * loop over ISA-L. process-vm is a loop of process_vm_writev() into another process, and gives the times of its calls too.
 */
#include "bare.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "options.h"
#include "report.h"

enum { MAX_COMMAND = 160 };

static const char process_vm[] = "process-vm";

static const char usage[] = "usage: bare-c --kind sha|aes-gcm|erasure-coding|process-vm [--size B] [--window W] [--count N]\n"
			    "              [--trials T] [--paced] [--idle busy|adaptive|event]";

uint32_t bare_threads(void)
{
	cpu_set_t processors;

	return sched_getaffinity(0, sizeof(processors), &processors) == 0 ? (uint32_t)CPU_COUNT(&processors) : 1;
}

/* The last such line is the sum of all processes. */
static bool read_rate(FILE *output, double *rate)
{
	char line[MAX_COMMAND];
	bool found = false;

	while (fgets(line, sizeof(line), output) != NULL)
		found = sscanf(line, "+F:%*d:%*[^:]:%lf", rate) == 1 || found;
	return found && *rate > 0;
}

bool bare_openssl(const char *algorithm, uint64_t size, double *rate)
{
	char command[MAX_COMMAND];
	FILE *output;
	bool found;

	snprintf(command, sizeof(command), "exec openssl speed -evp %s -bytes %llu -seconds 1 -multi %u -mr 2>/dev/null", algorithm,
		 (unsigned long long)size, bare_threads());
	output = popen(command, "re");
	if (output == NULL)
		return report_system("popen", command);
	found = read_rate(output, rate);
	if (pclose(output) != 0 || !found)
		return report_fault("no result from: %s", command);
	return true;
}

/* times_ns: NULL unless the kind measures single calls */
static bool run(const struct options *options, uint64_t *times_ns, uint64_t *bytes, uint64_t *elapsed_ns)
{
	double rate;

	if (times_ns != NULL) {
		*bytes = options->count * options->size;
		return bare_process_vm(options->size, options->count, times_ns, elapsed_ns);
	}
	if (strcmp(options->kind, "erasure-coding") == 0) {
		*bytes = options->count * options->size;
		return bare_isal(options->size, (uint32_t)options->window, options->count, elapsed_ns);
	}
	if (!bare_openssl(strcmp(options->kind, "sha") == 0 ? "sha256" : "aes-256-gcm", options->size, &rate))
		return false;
	*bytes = (uint64_t)rate;
	*elapsed_ns = 1000000000;
	return true;
}

static bool is_kind(const char *kind)
{
	return strcmp(kind, "sha") == 0 || strcmp(kind, "aes-gcm") == 0 || strcmp(kind, "erasure-coding") == 0 ||
	       strcmp(kind, process_vm) == 0;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "kind", "window", "size", "count", "trials", "paced", "idle", NULL };
	struct options options;
	uint64_t bytes, elapsed_ns, trial, *times_ns = NULL;
	bool done = true;

	report_program("bare-c");
	options_begin(&options);
	options.kind = "sha";
	options.window = 4;
	options.size = 1 << 20;
	options.count = 256;
	options_parse(&options, argc, argv, names, usage);
	if (!is_kind(options.kind)) {
		report_fault("--kind %s: no such kind", options.kind);
		return 2;
	}
	if (strcmp(options.kind, process_vm) == 0) {
		times_ns = calloc(options.count, sizeof(*times_ns));
		done = times_ns != NULL || report(DOCA_ERROR_NO_MEMORY, "calloc", "%llu times", (unsigned long long)options.count);
	}
	for (trial = 0; done && trial < options.trials && options_wait_for_turn(&options); trial++) {
		done = run(&options, times_ns, &bytes, &elapsed_ns);
		if (!done)
			break;
		printf("{\"program\":\"bare-c\",\"kind\":\"%s\",\"size\":%llu,\"threads\":%u", options.kind,
		       (unsigned long long)options.size, times_ns != NULL ? 1 : bare_threads());
		report_rate(bytes, elapsed_ns);
		if (times_ns != NULL)
			report_times(times_ns, options.count);
		done = report_end();
	}
	free(times_ns);
	return done ? 0 : 1;
}
