/*
 * compress-blocks-c [--parallel N] [--trials N] [--paced] FILE
 *
 * The plain C side of the compression experiment. The program loads every block of FILE into registered memory. In each trial the
 * device deflates all blocks, with N tasks in flight. Only the deflation is timed. Prints one line of JSON per trial.
 * With --paced each trial waits for a line on standard input, and the program ends at the end of the input. Two programs can thus
 * run in turns.
 *
 * FILE: number of blocks, bytes per block (both uint32_t of this machine), the blocks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

#define MAX_PARALLEL 1024u
#define MAX_TRIALS 1000000u
#define MAX_BLOCKS 65536u
#define MAX_BLOCK_SIZE (1u << 30)
#define PROGRESS_BUDGET 256u

struct options {
	uint32_t parallel;
	uint32_t trials;
	bool paced;
	const char *input;
};

struct dimensions {
	uint32_t blocks;
	uint32_t block_size;
};

struct result {
	uint64_t elapsed_ns;
	uint64_t bytes_out;
	uint32_t checksum; /* of the device's CRC-32s, in the order of the blocks */
};

static _Noreturn void usage(void)
{
	fprintf(stderr, "usage: compress-blocks-c [--parallel N] [--trials N] [--paced] FILE\n");
	exit(2);
}

static uint32_t parse_number(const char *text, unsigned long max)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno != 0 || *end != '\0' || *text == '-' || value == 0 || value > max)
		usage();
	return (uint32_t)value;
}

static void parse_options(struct options *options, int argc, char **argv)
{
	static const struct option table[] = { { "parallel", required_argument, NULL, 'p' },
					       { "trials", required_argument, NULL, 'n' },
					       { "paced", no_argument, NULL, 's' },
					       { NULL, 0, NULL, 0 } };
	int option;

	while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
		switch (option) {
		case 'p':
			options->parallel = parse_number(optarg, MAX_PARALLEL);
			break;
		case 'n':
			options->trials = parse_number(optarg, MAX_TRIALS);
			break;
		case 's':
			options->paced = true;
			break;
		default:
			usage();
		}
	}
	if (optind != argc - 1)
		usage();
	options->input = argv[optind];
}

static bool fails(const char *name, const char *what)
{
	fprintf(stderr, "compress-blocks-c: %s: %s\n", name, what);
	return false;
}

static bool read_dimensions(FILE *file, const char *name, struct dimensions *dimensions)
{
	if (fread(dimensions, sizeof(*dimensions), 1, file) != 1)
		return fails(name, "no header");
	if (dimensions->blocks == 0 || dimensions->blocks > MAX_BLOCKS || dimensions->block_size == 0 ||
	    dimensions->block_size > MAX_BLOCK_SIZE)
		return fails(name, "no file of blocks");
	return true;
}

/* Loads each block of the file into a block of the device, for all trials. */
static bool load_blocks(struct device *device, FILE *file, const char *name, struct dimensions dimensions)
{
	for (uint32_t i = 0; i < dimensions.blocks; i++) {
		struct block *block = device_block(device, i);

		if (fread(block->plain, dimensions.block_size, 1, file) != 1)
			return fails(name, "too short");
		block->plain_len = dimensions.block_size;
	}
	return fgetc(file) == EOF || fails(name, "too long");
}

/* Runs one trial. The device's callbacks submit the next blocks; the loop drops finished blocks in order. */
static bool run_trial(struct device *device, uint32_t blocks, struct result *result)
{
	uint32_t dropped = 0;
	uint64_t begin = device_now_ns();

	for (uint32_t i = 0; i < blocks; i++)
		device_add(device);
	while (dropped < blocks && !device_has_failed(device)) {
		struct block *block = device_finished_block(device);

		if (block == NULL) {
			device_wait(device, PROGRESS_BUDGET);
			continue;
		}
		result->bytes_out += block->stream_len;
		result->checksum = result->checksum * 31 + block->crc;
		device_drop(device);
		dropped++;
	}
	result->elapsed_ns = device_now_ns() - begin;
	return !device_has_failed(device);
}

static void print_result(uint32_t trial, struct dimensions dimensions, const struct result *result)
{
	double seconds = (double)result->elapsed_ns / 1e9;
	double bytes = (double)dimensions.blocks * dimensions.block_size;
	const char *device = dlsym(RTLD_DEFAULT, "softdpu_version") != NULL ? "software DPU" : "DPU";

	printf("{\"trial\":%u,\"elapsed_us\":%.3f,\"data_rate_gibps\":%.6f,\"bytes_out\":%llu,\"checksum\":\"%08x\","
	       "\"device\":\"%s\"}\n",
	       trial, seconds * 1e6, bytes / (1u << 30) / seconds, (unsigned long long)result->bytes_out, result->checksum,
	       device);
	fflush(stdout);
}

/* Waits for a line if paced. Returns whether the next trial should run. */
static bool wait_for_turn(bool paced)
{
	int c = '\n';

	while (paced && (c = getchar()) != '\n' && c != EOF)
		;
	return c == '\n';
}

static bool run_trials(struct device *device, const struct options *options, struct dimensions dimensions)
{
	for (uint32_t trial = 1; trial <= options->trials && wait_for_turn(options->paced); trial++) {
		struct result result = { 0 };

		if (!run_trial(device, dimensions.blocks, &result))
			return false;
		print_result(trial, dimensions, &result);
	}
	return true;
}

static bool run(FILE *file, const struct options *options)
{
	struct dimensions dimensions;
	struct device *device;
	bool done;

	if (!read_dimensions(file, options->input, &dimensions))
		return false;
	if (options->parallel > dimensions.blocks)
		return fails(options->input, "fewer blocks than tasks");
	device = device_open(options->parallel, dimensions.blocks, dimensions.block_size);
	if (device == NULL)
		return false;
	done = load_blocks(device, file, options->input, dimensions) && run_trials(device, options, dimensions);
	return device_close(device) && done;
}

int main(int argc, char **argv)
{
	struct options options = { .parallel = 4, .trials = 1 };
	FILE *file;
	bool done;

	parse_options(&options, argc, argv);
	file = fopen(options.input, "rb");
	if (file == NULL) {
		fails(options.input, strerror(errno));
		return 1;
	}
	done = run(file, &options);
	fclose(file);
	return done ? 0 : 1;
}
