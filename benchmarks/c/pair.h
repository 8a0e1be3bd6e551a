/*
 * Programs of which one process serves and another is its client: `NAME serve [OPTION...]`, `NAME client [OPTION...]`.
 */
#ifndef PAIR_H
#define PAIR_H

#include "card.h"
#include "channel.h"
#include "options.h"

/** Parts of a program. The main thread calls all functions, outside of progress. */
struct pair {
	const char *program;
	const char *service; /* default of --name */
	const char *usage;
	const char *const *serve_options; /* terminated by NULL; the options common to all programs are added */
	const char *const *client_options;
	/** Sets defaults, before the options are parsed. */
	void (*defaults)(struct options *options);
	/**
	 * Opens the state shared by all connections. dev is the server's or client's device. On failure prints an error and
	 * returns NULL.
	 */
	void *(*open)(const struct options *options, struct engine *engine, struct doca_dev *dev, bool serves);
	/** Returns the role of this end. */
	const struct role *(*role)(const struct options *options, bool serves);
	/** Prints the line of a client's successful trial. Returns false if the result is wrong or could not be written. */
	bool (*finish)(void *shared);
	/** Closes the shared state. On failure prints an error and returns false. */
	bool (*close)(void *shared);
};

/** Runs the program; returns its exit status. */
int pair_main(const struct pair *pair, int argc, char **argv);

#endif
