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
#include <stdio.h>

#include "card.h"
#include "options.h"
#include "region.h"
#include "report.h"
#include "work.h"

enum { MAX_BLOCKS = 65536, MAX_BLOCK_SIZE = 1 << 30 };

static const char usage[] = "usage: compress-blocks-c [--parallel N] [--trials N] [--paced] FILE";

static bool read_geometry(FILE *file, const char *name, struct geometry *geometry)
{
	if (fread(geometry, sizeof(*geometry), 1, file) != 1)
		return report_fault("%s: no header", name);
	if (geometry->blocks == 0 || geometry->blocks > MAX_BLOCKS || geometry->block_size == 0 ||
	    geometry->block_size > MAX_BLOCK_SIZE)
		return report_fault("%s: no file of blocks", name);
	return true;
}

/* Loads all blocks of the file, for all trials. */
static bool load_blocks(const struct work_memory *memory, FILE *file, const char *name)
{
	for (uint32_t i = 0; i < memory->count; i++)
		if (fread(memory->src.base + i * memory->src.stride, memory->src.len, 1, file) != 1)
			return report_fault("%s: too short", name);
	return fgetc(file) == EOF || report_fault("%s: too long", name);
}

static bool print_result(uint64_t trial, const struct work *work, const struct work_memory *memory)
{
	uint32_t checksum = 0; /* of the device's CRC-32s, in the order of the blocks */
	uint64_t bytes_out = 0;
	size_t len = 0;

	for (uint32_t i = 0; i < memory->count; i++) {
		if (!report(doca_buf_get_data_len(memory->buffers[i].dst, &len), "doca_buf_get_data_len", "block %u", i))
			return false;
		bytes_out += len;
		checksum = checksum * 31 + memory->buffers[i].crc;
	}
	report_begin();
	printf(",\"trial\":%llu", (unsigned long long)trial);
	report_rate((uint64_t)memory->count * memory->src.len, work_elapsed_ns(work));
	printf(",\"bytes_out\":%llu,\"checksum\":\"%08x\"", (unsigned long long)bytes_out, checksum);
	return report_end();
}

static bool run_trials(struct work *work, const struct options *options, const struct work_memory *memory)
{
	struct work_plan plan = { .buffers = memory->buffers, .num_buffers = memory->count, .count = memory->count };

	for (uint64_t trial = 1; trial <= options->trials && options_wait_for_turn(options); trial++)
		if (!work_run(work, &plan) || !print_result(trial, work, memory))
			return false;
	return true;
}

static bool run_on(struct doca_dev *dev, struct engine *engine, FILE *file, const struct options *options,
		   struct geometry geometry)
{
	struct work_memory memory = { .count = 0 };
	struct work *work = NULL;
	bool done = false;

	if (work_memory_open(&memory, geometry.blocks, geometry.block_size, work_deflate_bound(geometry.block_size), 0, dev) &&
	    load_blocks(&memory, file, options->file))
		work = work_open(engine, dev, &work_compress, (uint32_t)options->parallel);
	if (work != NULL) {
		done = run_trials(work, options, &memory);
		done = work_close(work) && done;
	}
	return work_memory_close(&memory) && done;
}

static bool run(FILE *file, const struct options *options)
{
	struct geometry geometry;
	struct engine engine;
	struct doca_dev *dev;
	bool done;

	if (!read_geometry(file, options->file, &geometry))
		return false;
	if (options->parallel > geometry.blocks)
		return report_fault("%s: fewer blocks than tasks", options->file);
	if (!engine_open(&engine, IDLE_ADAPTIVE, options->timeout_s * 1000))
		return false;
	dev = card_open(NULL, work_compress.suits, work_compress.wanted);
	done = dev != NULL && card_deflates_bytes(dev, geometry.block_size) && run_on(dev, &engine, file, options, geometry);
	done = card_close(dev) && done;
	return engine_close(&engine) && done;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "parallel", "trials", "paced", "FILE", NULL };
	struct options options;
	FILE *file;
	bool done;

	report_program("compress-blocks-c");
	options_begin(&options);
	options.parallel = 4;
	options_parse(&options, argc, argv, names, usage);
	file = fopen(options.file, "rb");
	if (file == NULL) {
		report_system("fopen", options.file);
		return 1;
	}
	done = run(file, &options);
	fclose(file);
	return done ? 0 : 1;
}
