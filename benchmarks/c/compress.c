/*
 * compress-c [-p PARALLEL] [-b BLOCK_SIZE] [-o OUT] [-f] FILE
 *
 * Does the same as `dpu compress`, as a plain C program in callback style. The device deflates blocks of the file, with up to
 * PARALLEL tasks in flight. The program writes them in order as the members of a gzip file, and prints one line of JSON. It is
 * the baseline for the actors, and has one thread, like an engine.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dlfcn.h>

#include "job.h"

#define MAX_PARALLEL 1024u
#define MAX_BLOCK_SIZE (1u << 30)
#define SUFFIX_ROOM 16u

struct options {
	uint32_t parallel;
	size_t block_size;
	const char *input;
	const char *output;
	bool force;
};

static _Noreturn void usage(void)
{
	fprintf(stderr, "usage: compress-c [-p PARALLEL] [-b BLOCK_SIZE[K|M]] [-o OUT] [-f] FILE\n");
	exit(2);
}

/* Parses a number from 1 to max; with units, K and M multiply by powers of 1024. */
static size_t parse_number(const char *text, bool units, size_t max)
{
	char *end;
	unsigned long value;
	unsigned long unit = 1;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (units && (*end == 'K' || *end == 'M'))
		unit = *end++ == 'K' ? 1024 : 1024 * 1024;
	if (errno != 0 || *end != '\0' || *text == '-' || value == 0 || value > max / unit)
		usage();
	return value * unit;
}

static void parse_options(struct options *options, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "p:b:o:f")) != -1) {
		switch (option) {
		case 'p':
			options->parallel = (uint32_t)parse_number(optarg, false, MAX_PARALLEL);
			break;
		case 'b':
			options->block_size = parse_number(optarg, true, MAX_BLOCK_SIZE);
			break;
		case 'o':
			options->output = optarg;
			break;
		case 'f':
			options->force = true;
			break;
		default:
			usage();
		}
	}
	if (optind != argc - 1)
		usage();
	options->input = argv[optind];
}

static bool fails(const char *name)
{
	fprintf(stderr, "compress-c: %s: %s\n", name, strerror(errno));
	return false;
}

static void append(char *path, size_t size, const char *name, const char *suffix)
{
	int len = snprintf(path, size, "%s%s", name, suffix);

	if (len < 0 || (size_t)len >= size) {
		fprintf(stderr, "compress-c: %s: name too long\n", name);
		exit(1);
	}
}

/* Only a regular file may be replaced, and only with -f: renaming over a device node would destroy the node. */
static bool may_become(const char *final_name, bool force)
{
	struct stat status;

	if (lstat(final_name, &status) != 0)
		return errno == ENOENT || fails(final_name);
	if (force && S_ISREG(status.st_mode))
		return true;
	errno = EEXIST;
	return fails(final_name);
}

static bool sync_folder(const char *final_name)
{
	char copy[PATH_MAX];
	int folder;
	bool done;

	snprintf(copy, sizeof(copy), "%s", final_name);
	folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return fails(final_name);
	done = fsync(folder) == 0 || fails(final_name);
	close(folder);
	return done;
}

/* Renames the output to its final name once it is complete and on disk. */
static bool complete(struct job *job, const char *final_name, bool force)
{
	if (fsync(job->output) != 0)
		return fails(job->output_name);
	return may_become(final_name, force) && (rename(job->output_name, final_name) == 0 || fails(final_name)) &&
	       sync_folder(final_name);
}

static bool compress_file(struct job *job, const struct options *options, const char *final_name, uint64_t *elapsed_ns)
{
	uint64_t begin = device_now_ns();
	bool done;

	job->input = open(options->input, O_RDONLY | O_CLOEXEC);
	if (job->input < 0)
		return fails(options->input);
	job->output = open(job->output_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (job->output < 0) {
		fails(job->output_name);
		close(job->input);
		return false;
	}
	done = job_run(job) && complete(job, final_name, options->force);
	if (!done)
		unlink(job->output_name);
	close(job->input);
	done = (close(job->output) == 0 || fails(final_name)) && done;
	*elapsed_ns = device_now_ns() - begin;
	return done;
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void print_result(const struct job *job, const struct options *options, uint64_t elapsed_ns)
{
	double seconds = (double)elapsed_ns / 1e9;
	const char *device = dlsym(RTLD_DEFAULT, "softdpu_version") != NULL ? "software DPU" : "DPU";

	printf("{\"program\":\"compress-c\",\"device\":\"%s\",\"bytesIn\":%llu,\"bytesOut\":%llu,\"members\":%llu,"
	       "\"parallel\":%u,\"blockSize\":%zu,\"seconds\":%.6f,\"gibPerSecond\":%.4f,\"cpuSeconds\":%.3f,\"sleeps\":%llu}"
	       "\n",
	       device, (unsigned long long)job->bytes_in, (unsigned long long)job->bytes_out, (unsigned long long)job->members,
	       options->parallel, options->block_size, seconds, (double)job->bytes_in / (1u << 30) / seconds, cpu_seconds(),
	       (unsigned long long)job->sleeps);
}

int main(int argc, char **argv)
{
	struct options options = { .parallel = 4, .block_size = 1024 * 1024 };
	struct job job = { .input = -1, .output = -1 };
	char final_name[PATH_MAX];
	char part_name[PATH_MAX + SUFFIX_ROOM];
	uint64_t elapsed_ns = 0;
	bool done;

	parse_options(&options, argc, argv);
	append(final_name, sizeof(final_name), options.output ? options.output : options.input, options.output ? "" : ".gz");
	append(part_name, sizeof(part_name), final_name, ".part");
	job.input_name = options.input;
	job.output_name = part_name;
	job.block_size = options.block_size;
	if (!may_become(final_name, options.force))
		return 1;
	job.device = device_open(options.parallel, 2 * options.parallel, options.block_size);
	if (job.device == NULL)
		return 1;
	done = compress_file(&job, &options, final_name, &elapsed_ns);
	if (!device_close(job.device) || !done)
		return 1;
	print_result(&job, &options, elapsed_ns);
	return 0;
}
