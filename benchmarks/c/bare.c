/*
 * bare-c --kind sha|aes-gcm|erasure-coding [--size B] [--window W] [--count N] [--trials T] [--paced]: the data rate of the library
 * that does the work of the software DPU, on all hardware threads. SHA-256 and AES-256-GCM are measured by "openssl speed" for one
 * second; --count and --window then have no effect. Erasure coding is a loop over ISA-L.
 */
#include "bare.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"
#include "options.h"
#include "report.h"

enum { MAX_COMMAND = 160 };

static const char usage[] = "usage: bare-c --kind sha|aes-gcm|erasure-coding [--size B] [--window W] [--count N] [--trials T] [--paced]\n"
			    "              [--idle busy|adaptive|event]";

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

static bool run(const struct options *options, uint64_t *bytes, uint64_t *elapsed_ns)
{
	double rate;

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
	return strcmp(kind, "sha") == 0 || strcmp(kind, "aes-gcm") == 0 || strcmp(kind, "erasure-coding") == 0;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "kind", "window", "size", "count", "trials", "paced", "idle", NULL };
	struct options options;
	uint64_t bytes, elapsed_ns, trial;

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
	for (trial = 0; trial < options.trials && options_wait_for_turn(&options); trial++) {
		if (!run(&options, &bytes, &elapsed_ns))
			return 1;
		printf("{\"program\":\"bare-c\",\"kind\":\"%s\",\"size\":%llu,\"threads\":%u", options.kind,
		       (unsigned long long)options.size, bare_threads());
		report_rate(bytes, elapsed_ns);
		if (!report_end())
			return 1;
	}
	return 0;
}
