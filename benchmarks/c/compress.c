/*
 * compress-c [-p PARALLEL] [-b BLOCK_SIZE] [-o OUT] [-f] [--timeout S] FILE
 *
 * Does the same as `dpu compress`, as a plain C program in callback style. The device deflates blocks of the file, with up to
 * PARALLEL tasks in flight. The program writes them in order as the members of a gzip file, and prints one line of JSON. The
 * program is the baseline for the actors, and has one thread, like an engine.
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

#include "card.h"
#include "gzip.h"
#include "job.h"
#include "options.h"
#include "report.h"

#define SUFFIX_ROOM 16u

static const char usage[] = "usage: compress-c [-p PARALLEL] [-b BLOCK_SIZE[K|M]] [-o OUT] [-f] [--timeout S] FILE";

static bool fails(const char *name)
{
	return report_system("file", name);
}

static void append(char *path, size_t size, const char *name, const char *suffix)
{
	int len = snprintf(path, size, "%s%s", name, suffix);

	if (len < 0 || (size_t)len >= size) {
		report_fault("%s: name too long", name);
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
	uint64_t begin = engine_clock_ns();
	bool done;

	job->input = open(options->file, O_RDONLY | O_CLOEXEC);
	if (job->input < 0)
		return fails(options->file);
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
	*elapsed_ns = engine_clock_ns() - begin;
	return done;
}

static double cpu_seconds(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static bool print_result(const struct job *job, const struct options *options, uint64_t elapsed_ns)
{
	double seconds = (double)elapsed_ns / 1e9;

	report_begin();
	printf(",\"bytesIn\":%llu,\"bytesOut\":%llu,\"members\":%llu,\"parallel\":%llu,\"blockSize\":%llu,\"seconds\":%.6f,"
	       "\"gibPerSecond\":%.4f,\"cpuSeconds\":%.3f,\"sleeps\":%llu",
	       (unsigned long long)job->bytes_in, (unsigned long long)job->bytes_out, (unsigned long long)job->num_written,
	       (unsigned long long)options->parallel, (unsigned long long)options->block_size, seconds,
	       (double)job->bytes_in / (1u << 30) / seconds, cpu_seconds(), (unsigned long long)job->engine->sleeps);
	return report_end();
}

static bool run(struct job *job, struct work_memory *memory, const struct options *options, const char *final_name)
{
	uint64_t elapsed_ns = 0;
	struct doca_dev *dev = card_open(NULL, work_compress.suits, work_compress.wanted);
	uint32_t parallel = (uint32_t)options->parallel;
	bool done = false;

	if (dev != NULL && card_deflates_bytes(dev, options->block_size) &&
	    work_memory_open(memory, 2 * parallel, options->block_size, work_deflate_bound(options->block_size) + GZIP_TRAILER_BYTES,
			     GZIP_HEADER_BYTES, dev))
		job->work = work_open(job->engine, dev, &work_compress, parallel);
	if (job->work != NULL) {
		done = compress_file(job, options, final_name, &elapsed_ns);
		done = work_close(job->work) && done;
	}
	done = work_memory_close(memory) && done;
	done = card_close(dev) && done;
	return done && print_result(job, options, elapsed_ns);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "parallel", "block-size", "out", "force", "timeout", "FILE", NULL };
	struct options options;
	struct engine engine;
	struct work_memory memory = { .count = 0 };
	struct job job = { .engine = &engine, .memory = &memory, .input = -1, .output = -1 };
	char final_name[PATH_MAX];
	char part_name[PATH_MAX + SUFFIX_ROOM];
	bool done;

	report_program("compress-c");
	options_begin(&options);
	options.parallel = 4;
	options.block_size = 1 << 20;
	options_parse(&options, argc, argv, names, usage);
	append(final_name, sizeof(final_name), options.out ? options.out : options.file, options.out ? "" : ".gz");
	append(part_name, sizeof(part_name), final_name, ".part");
	job.input_name = options.file;
	job.output_name = part_name;
	if (!may_become(final_name, options.force) || !engine_open(&engine, IDLE_ADAPTIVE, options.timeout_s * 1000))
		return 1;
	done = run(&job, &memory, &options, final_name);
	return engine_close(&engine) && done ? 0 : 1;
}
