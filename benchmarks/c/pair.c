#include "pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

enum { MAX_NAMES = 20 };

static const char *const common_names[] = { "device", "name", "idle", "timeout", NULL };
static const char *const serve_names[] = { "representor", "clients", NULL };
static const char *const client_names[] = { "trials", "paced", NULL };

struct run {
	const struct pair *pair;
	struct options options;
	struct engine engine;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	void *shared;
	bool serves;
};

static void add_names(const char **names, size_t *count, const char *const *more)
{
	for (; *more != NULL && *count < MAX_NAMES - 1; more++)
		names[(*count)++] = *more;
	names[*count] = NULL;
}

static void parse(struct run *run, int argc, char **argv)
{
	const struct pair *pair = run->pair;
	const char *names[MAX_NAMES];
	size_t count = 0;

	run->serves = argc > 1 && strcmp(argv[1], "serve") == 0;
	add_names(names, &count, common_names);
	add_names(names, &count, run->serves ? serve_names : client_names);
	add_names(names, &count, run->serves ? pair->serve_options : pair->client_options);
	options_begin(&run->options);
	run->options.name = pair->service;
	pair->defaults(&run->options);
	/* Without serve or client, options_parse() reports the first word. */
	if (run->serves || (argc > 1 && strcmp(argv[1], "client") == 0))
		options_parse(&run->options, argc - 1, argv + 1, names, pair->usage);
	else
		options_parse(&run->options, argc, argv, (const char *const[]){ NULL }, pair->usage);
	if (argc < 2) {
		fprintf(stderr, "%s\n", pair->usage);
		exit(2);
	}
}

static bool open_run(struct run *run)
{
	const struct options *options = &run->options;

	if (!engine_open(&run->engine, (enum idle)options->idle, options->timeout_s * 1000))
		return false;
	run->dev = card_open(options->device, run->serves ? card_serves : card_connects,
			     run->serves ? "a device of the DPU's side for a server" : "a device of the host's side for a client");
	if (run->dev == NULL)
		return false;
	if (run->serves) {
		run->rep = card_open_representor(run->dev, options->representor);
		if (run->rep == NULL)
			return false;
	}
	run->shared = run->pair->open(options, &run->engine, run->dev, run->serves);
	return run->shared != NULL;
}

static bool close_run(struct run *run)
{
	bool clean = run->shared == NULL || run->pair->close(run->shared);

	clean = card_close_representor(run->rep) && clean;
	clean = card_close(run->dev) && clean;
	return engine_close(&run->engine) && clean;
}

static struct channel_settings settings_of(struct run *run)
{
	return (struct channel_settings){
		.engine = &run->engine,
		.dev = run->dev,
		.rep = run->rep,
		.name = run->options.name,
		.role = run->pair->role(&run->options, run->serves),
		.shared = run->shared,
	};
}

static bool turn(struct run *run, struct channel *channel)
{
	bool busy = engine_progress(&run->engine);

	if (channel_turn(channel) || run->engine.failed)
		return false;
	if (!busy)
		engine_rest(&run->engine, channel_is_eager(channel));
	return true;
}

/* Serves until a signal arrives or the given number of clients has been served. */
static bool serve(struct run *run)
{
	struct channel_settings settings = settings_of(run);
	struct channel *channel = channel_serve(&settings);
	bool ending = false;
	uint64_t failed;

	if (channel == NULL)
		return false;
	puts("ready");
	fflush(stdout);
	do {
		if (!ending && (engine_has_signal ||
				(run->options.clients != 0 && channel_ended(channel) >= run->options.clients))) {
			ending = true;
			channel_end(channel);
		}
	} while (turn(run, channel));
	failed = run->options.clients != 0 ? channel_failed(channel) : 0;
	return channel_close(channel) && !run->engine.failed && failed == 0;
}

static bool run_trial(struct run *run)
{
	struct channel_settings settings = settings_of(run);
	struct channel *channel = channel_connect(&settings);

	if (channel == NULL)
		return false;
	while (turn(run, channel))
		;
	return channel_close(channel) && !run->engine.failed && run->pair->finish(run->shared);
}

static bool run_trials(struct run *run)
{
	uint64_t trial;

	for (trial = 0; trial < run->options.trials && options_wait_for_turn(&run->options); trial++)
		if (!run_trial(run))
			return false;
	return true;
}

int pair_main(const struct pair *pair, int argc, char **argv)
{
	struct run run = { .pair = pair };
	bool done;

	report_program(pair->program);
	parse(&run, argc, argv);
	if (run.serves)
		engine_catch_signals();
	done = open_run(&run) && (run.serves ? serve(&run) : run_trials(&run));
	return close_run(&run) && done ? 0 : 1;
}
