/*
 * tasks-c [--kind KIND] [--window W] [--size S] [--count N]: measures the cost of one task. W tasks of S bytes are in
 * flight until N are done. KIND is compress, dma, sha (SHA-256), aes-gcm (encryption, 256 bits) or erasure-coding (2 redundancy
 * blocks of 4 data blocks). Each slot of the window has separate buffers; the callback submits it again. With SOFTDPU_NULL=1 the
 * device does no work, and the program measures only submission and completion.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"
#include "options.h"
#include "region.h"
#include "report.h"
#include "work.h"

static const char usage[] =
	"usage: tasks-c [--kind compress|dma|sha|aes-gcm|erasure-coding] [--window W] [--size B] [--count N]\n"
	"               [--trials N] [--paced] [--idle busy|adaptive|event] [--timeout S] [--device PCI]";

static const struct work_kind *const kinds[] = { &work_compress, &work_dma, &work_sha, &work_aes_gcm, &work_ec };

struct tasks {
	const struct options *options;
	const struct work_kind *kind;
	struct engine engine;
	struct doca_dev *dev;
	struct work_memory memory;
	struct work *work;
};

static bool open_memory(struct tasks *tasks)
{
	const struct options *options = tasks->options;
	size_t size = options->size;
	struct geometry geometry = { (uint32_t)options->window, (uint32_t)size };

	if (!work_memory_open(&tasks->memory, geometry.blocks, size, tasks->kind->dst_len(size), 0, tasks->dev))
		return false;
	region_fill(&tasks->memory.src_region, geometry, false);
	return true;
}

static const struct work_kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	report_fault("--kind %s: no such kind", name);
	return NULL;
}

static bool open_tasks(struct tasks *tasks)
{
	const struct options *options = tasks->options;

	if (!engine_open(&tasks->engine, (enum idle)options->idle, options->timeout_s * 1000))
		return false;
	tasks->dev = card_open(options->device, tasks->kind->suits, tasks->kind->wanted);
	if (tasks->dev == NULL || !open_memory(tasks))
		return false;
	tasks->work = work_open(&tasks->engine, tasks->dev, tasks->kind, (uint32_t)options->window);
	return tasks->work != NULL;
}

static bool close_tasks(struct tasks *tasks)
{
	bool clean = tasks->work == NULL || work_close(tasks->work);

	clean = work_memory_close(&tasks->memory) && clean;
	clean = card_close(tasks->dev) && clean;
	return (tasks->engine.pe == NULL || engine_close(&tasks->engine)) && clean;
}

static bool print_result(const struct tasks *tasks)
{
	const struct options *options = tasks->options;
	uint64_t elapsed_ns = work_elapsed_ns(tasks->work);

	report_begin();
	printf(",\"kind\":\"%s\",\"window\":%llu,\"size\":%llu,\"count\":%llu", tasks->kind->name,
	       (unsigned long long)options->window, (unsigned long long)options->size, (unsigned long long)options->count);
	report_rate(options->count * options->size, elapsed_ns);
	printf(",\"ns_per_task\":%.2f,\"tasks_per_s\":%.1f", (double)elapsed_ns / (double)options->count,
	       (double)options->count / ((double)elapsed_ns / 1e9));
	return report_end();
}

static bool run_trials(struct tasks *tasks)
{
	const struct options *options = tasks->options;
	struct work_plan plan = { .buffers = tasks->memory.buffers, .by_slot = true, .count = options->count };
	uint64_t trial;

	for (trial = 0; trial < options->trials && options_wait_for_turn(options); trial++)
		if (!work_run(tasks->work, &plan) || !print_result(tasks))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "kind", "window", "size", "count", "trials", "paced",
					     "idle", "timeout", "device", NULL };
	struct options options;
	struct tasks tasks = { .options = &options, .engine = { .epoll = -1 } };
	bool done;

	report_program("tasks-c");
	options_begin(&options);
	options.kind = work_dma.name;
	options.window = 64;
	options.size = 64;
	options.count = 1000000;
	options_parse(&options, argc, argv, names, usage);
	tasks.kind = find_kind(options.kind);
	if (tasks.kind == NULL)
		return 2;
	done = open_tasks(&tasks) && run_trials(&tasks);
	return close_tasks(&tasks) && done ? 0 : 1;
}
